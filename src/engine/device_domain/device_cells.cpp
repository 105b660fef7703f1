#include "engine/device_domain/device_cells.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

namespace pleiad::device_domain {

using namespace cuda::tree;
using domain::KnownCell;
using domain::Part;
using domain::SendLists;
using tree::CellHead;

template <class Real>
void DeviceCells<Real>::find_moments() {
  const bool here = tree_.n > 0;
  while (here && !tree_.know_cells()) {
  }
  if (here) tree_.find_own_moments();
  layout_ = {tree_.kernels().record, tree_.kernels().moments, tree_.front};
  base_ = here ? tree_.count : 0;
  in_front_ = 0, behind_ = 0;
  if (here)
    level_begins_ = cuda::Buffer<std::uint32_t>(std::span<const std::uint32_t>(tree_.seen.first), stream_);
}

/// The walk for them opens no other cells than those with more bodies than all of the top tree's leaves.
template <class Real>
void DeviceCells<Real>::find_accelerations() {
  if (tree_.n == 0) return;
  show_whole_tree(true);
  tree_.find_accelerations();
  show_whole_tree(false);
}

/// Packs cells into rows_, one after another.
template <class Real>
void DeviceCells<Real>::pack(std::span<const std::uint32_t> own) {
  with_room(rows_, std::max<std::size_t>(1, own.size() * layout_.words()), stream_);
  pack_cells(tree_.cells, own, level_begins_.data(), tree_.keys(), layout_, rows_.data(), stream_);
}

template <class Real>
std::vector<std::byte> DeviceCells<Real>::packed_on_host(const cuda::Buffer<std::uint32_t>& own,
                                                         std::uint32_t count) {
  pack(own.span().first(count));
  std::vector<std::byte> rows(count * row_bytes());
  if (count > 0) cuda::copy_to_host(rows.data(), rows_.data(), rows.size(), stream_);
  return rows;
}

template <class Real>
domain::Cells::Branches DeviceCells<Real>::find_branches(const Part& part, std::uint32_t coarse) {
  Branches branches;
  if (base_ == 0) return branches;
  cuda::Buffer<std::uint32_t> count(2, stream_);
  std::array<std::uint32_t, 2> found{};
  for (std::uint32_t room = 16384;; room = std::max(found[0], found[1])) {
    cuda::Buffer<std::uint32_t> wholly_own(room, stream_), shared(room, stream_);
    count.set_bytes(0);
    cuda::tree::find_branches(tree_.cells, base_, level_begins_.data(), {tree_.keys(), tree_.n}, tree_.front,
                              part.own(), coarse, {wholly_own.data(), shared.data(), count.data(), room},
                              stream_);
    count.copy_to_host(found);
    if (std::max(found[0], found[1]) > room) continue;
    branches.rows = packed_on_host(wholly_own, found[0]);
    const auto rows = packed_on_host(shared, found[1]);
    branches.shared.resize(found[1]);
    for (std::size_t k = 0; k < branches.shared.size(); ++k)
      std::memcpy(&branches.shared[k], &rows[k * row_bytes()], sizeof(CellHead));
    return branches;
  }
}

template <class Real>
void DeviceCells<Real>::write(std::span<const CellValue> values) {
  if (values.empty()) return;
  const cuda::Buffer<CellValue> there(values, stream_);
  write_cells(tree_.cells, there.span(), stream_);
}

/// First body of a cell whose bodies are not in memory: such bodies are numbered from the end.
template <class Real>
CellValue DeviceCells<Real>::value_of(std::uint32_t c) const {
  const auto& head = known.cells[c].head;
  if (is_own(c)) {
    const auto begin = tree_.front + head.first_body;
    return {base_ + c, {}, {begin, begin + head.bodies, head.first_child, head.children}};
  }
  constexpr auto nowhere = std::numeric_limits<std::uint32_t>::max();
  return {base_ + c, {}, {nowhere - head.bodies, nowhere, first_child(c), head.children}};
}

template <class Real>
void DeviceCells<Real>::take_top_tree(std::span<const std::byte> rows,
                                      std::span<const std::uint32_t> places) {
  const auto top = known.size();
  tree_.make_room_for_cells(base_, top + top / 2);
  // First the moments of cells of one rank, which are treated as leaves meanwhile, then those of cells above
  // them.
  const auto words = layout_.words();
  std::vector<std::uint32_t> moments(top * words), to;
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (places[k] == below_own) continue;
    std::memcpy(&moments[to.size() * words], &rows[k * row_bytes()], row_bytes());
    to.push_back(base_ + places[k]);
  }
  const cuda::Buffer<std::uint32_t> there(moments, stream_), at(to, stream_);
  unpack_cells(there.data(), to.size(), at.data(), 0, layout_, tree_.cells, nullptr, stream_);
  std::vector<CellValue> values;
  for (std::uint32_t c = 0; c < top; ++c) {
    const auto& head = known.cells[c].head;
    const bool shared = is_shared(c);
    values.push_back(
        {base_ + c, {}, {0, head.bodies, shared ? first_child(c) : 0, shared ? head.children : 0}});
  }
  write(values);
  const auto& levels = known.levels;
  for (auto level = levels.size() - 1; level-- > 0;)
    tree_.kernels().parents(tree_.cells, {base_ + levels[level], levels[level + 1] - levels[level]}, stream_);
  values.clear();
  for (std::uint32_t c = 0; c < top; ++c)
    if (!is_shared(c)) values.push_back(value_of(c));
  write(values);
  if (!known.shared.empty()) {
    std::vector<CellCopy> copies;
    for (const auto& [own, whole] : known.shared) copies.push_back({base_ + whole, own.id});
    const cuda::Buffer<CellCopy> those(copies, stream_);
    copy_cells(tree_.cells, those.span(), stream_);
  }
  show_whole_tree(false);
  std::vector<CellHead> heads;
  for (const auto& cell : known.cells) heads.push_back(cell.head);
  cuda::copy_to_device(with_room(heads_, 4 * heads.size(), stream_), heads.data(),
                       heads.size() * sizeof heads[0], stream_);
}

template <class Real>
void DeviceCells<Real>::show_whole_tree(bool whole) {
  constexpr auto all = std::numeric_limits<std::uint32_t>::max();
  std::vector<CellValue> values;
  for (const auto& [own, known_as] : known.shared) {
    const auto& head = known.cells[known_as].head;
    // From the own bodies of it on, so that a slice of these finds it.
    const auto begin = tree_.front + own.first_body;
    values.push_back(
        {own.id,
         {},
         whole ? Cell{begin, begin + std::min(head.bodies, all - begin), first_child(known_as), head.children}
               : Cell{0, all, own.first_child, own.children}});
  }
  write(values);
}

template <class Real>
std::vector<double> DeviceCells<Real>::accelerations(std::span<const std::uint32_t> own) {
  if (own.empty()) return {};
  const cuda::Buffer<std::uint32_t> which(own, stream_);
  cuda::Buffer<float> found(own.size(), stream_);
  read_accelerations(tree_.cells, which.span(), found.data(), stream_);
  std::vector<float> values(own.size());
  found.copy_to_host(values);
  return {values.begin(), values.end()};
}

template <class Real>
void DeviceCells<Real>::take_accelerations(std::span<const double> of_top) {
  std::vector<std::uint32_t> which;
  std::vector<float> values;
  const auto add = [&](std::uint32_t cell, double value) {
    which.push_back(cell), values.push_back(float(value));
  };
  for (std::uint32_t c = 0; c < of_top.size(); ++c) add(base_ + c, of_top[c]);
  for (const auto& [own, whole] : known.shared) add(own.id, of_top[whole]);
  const cuda::Buffer<std::uint32_t> there(which, stream_);
  const cuda::Buffer<float> accelerations(values, stream_);
  write_accelerations(tree_.cells, there.span(), accelerations.data(), stream_);
}

template <class Real>
std::vector<std::uint32_t> DeviceCells<Real>::opened(std::uint32_t from) {
  const auto count = known.size() - from;
  std::vector<std::uint32_t> opened;
  if (count == 0) return opened;
  cuda::Buffer<std::uint8_t> there(count, stream_);
  look_into(tree_.cells,
            {.first = base_ + from,
             .count = count,
             .heads = heads_.data() + from,
             .level_begins = level_begins_.data()},
            by_, there.data(), stream_);
  std::vector<std::uint8_t> flags(count);
  there.copy_to_host(flags);
  for (std::uint32_t k = 0; k < count; ++k)
    if (flags[k] != 0 && !is_shared(from + k) && !is_own(from + k)) opened.push_back(from + k);
  return opened;
}

template <class Real>
std::vector<CellHead> DeviceCells<Real>::exchange_cells(std::span<const std::uint32_t> own,
                                                        const SendLists& lists,
                                                        std::span<const std::uint32_t> parents) {
  const auto count = lists.came.back();
  const cuda::Buffer<std::uint32_t> which(own, stream_);
  pack(which.span());
  cuda::Buffer<std::uint32_t> came(std::max<std::size_t>(1, count * layout_.words()), stream_);
  const auto in_bytes = lists.times(row_bytes());
  exchange_.all_to_all(reinterpret_cast<const std::byte*>(rows_.data()), in_bytes.sent,
                       reinterpret_cast<std::byte*>(came.data()), in_bytes.came);
  if (count == 0) return {};
  const auto from = known.size();
  tree_.make_room_for_cells(base_ + from, count);
  const std::size_t all = from + count;
  if (heads_.size() < all) with_more_room(heads_, all + all / 2, from, stream_);
  unpack_cells(came.data(), count, nullptr, base_ + from, layout_, tree_.cells, heads_.data() + from,
               stream_);
  std::vector<CellValue> values;
  for (const auto c : parents) values.push_back(value_of(c));
  write(values);
  if (arrived_.size() < count) arrived_ = cuda::Pinned<CellHead>(count + count / 2);
  cuda::copy_to_host(arrived_.data(), heads_.data() + from, count * sizeof(CellHead), stream_);
  return {arrived_.data(), arrived_.data() + count};
}

template class DeviceCells<float>;
template class DeviceCells<double>;

}  // namespace pleiad::device_domain
