#include "engine/device_forest/sight.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>
#include <utility>

namespace pleiad::device_forest {

using namespace cuda::tree;

template <class Real>
void Sight<Real>::begin() {
  layout_ = {tree_.kernels().record, tree_.kernels().moments, tree_.front};
  base_ = tree_.n > 0 ? tree_.count : 0;
  top_ = 0, in_front = 0, behind = 0;
  known_.clear(), shown_.clear(), place_of_shown_.clear(), shared_.clear(), leaves_.clear();
  if (tree_.n > 0)
    level_begins_ = cuda::Buffer<std::uint32_t>(std::span<const std::uint32_t>(tree_.seen.first), stream_);
}

template <class Real>
std::size_t Sight<Real>::bytes() const {
  return (level_begins_.size() + rows_.size()) * sizeof(std::uint32_t) + heads_.size() * sizeof(CellHead);
}

namespace {

/// A number of its own for each octant of each level.
std::uint64_t octant_of(const CellHead& head) {
  return std::uint64_t{1} << 3 * head.level | head.key / KeyRange::width(int(head.level));
}

CellHead head_at(std::span<const std::uint32_t> rows, std::size_t at) {
  CellHead head;
  std::copy_n(reinterpret_cast<const std::byte*>(&rows[at]), sizeof head,
              reinterpret_cast<std::byte*>(&head));
  return head;
}

}  // namespace

/// Their rows, one behind the other.
template <class Real>
std::vector<std::uint32_t> Sight<Real>::pack(std::span<const std::uint32_t> own) {
  std::vector<std::uint32_t> rows(own.size() * layout_.words());
  if (own.empty()) return rows;
  const cuda::Buffer<std::uint32_t> which(own, stream_);
  pack_cells(tree_.cells, which.span(), level_begins_.data(), tree_.keys(), layout_,
             with_room(rows_, rows.size(), stream_), stream_);
  cuda::copy_to_host(rows.data(), rows_.data(), rows.size() * sizeof rows[0], stream_);
  return rows;
}

template <class Real>
std::vector<std::uint32_t> Sight<Real>::find_shown(std::uint32_t coarse) {
  const std::size_t words = layout_.words();
  cuda::Buffer<std::uint32_t> count(2, stream_);
  std::array<std::uint32_t, 2> found{};
  for (std::uint32_t room = 16384;; room = std::max(found[0], found[1])) {
    cuda::Buffer<std::uint32_t> shown(room, stream_), those_shared(room, stream_);
    count.set_bytes(0);
    cuda::tree::find_shown(tree_.cells, base_, level_begins_.data(), {tree_.keys(), tree_.n}, tree_.front,
                           part_.own(), coarse, {shown.data(), those_shared.data(), count.data(), room},
                           stream_);
    count.copy_to_host(found);
    if (std::max(found[0], found[1]) > room) continue;
    const auto fetch = [&](const cuda::Buffer<std::uint32_t>& from, std::uint32_t n) {
      std::vector<std::uint32_t> all(n);
      if (n > 0) cuda::copy_to_host(all.data(), from.data(), n * sizeof all[0], stream_);
      return all;
    };
    shown_ = fetch(shown, found[0]);
    const auto own = fetch(those_shared, found[1]);
    const auto rows = pack(own);
    for (std::size_t k = 0; k < own.size(); ++k) shared_.push_back({head_at(rows, k * words), own[k], 0});
    break;
  }
  const auto rows = pack(shown_);
  std::vector<std::size_t> order(shown_.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::ranges::sort(order, {}, [&](std::size_t k) {
    const auto head = head_at(rows, k * words);
    return std::pair(head.key, head.level);
  });
  std::vector<std::uint32_t> sorted, sorted_rows;
  for (const auto k : order) {
    sorted.push_back(shown_[k]);
    const auto* row = &rows[k * words];
    sorted_rows.insert(sorted_rows.end(), row, row + words);
  }
  shown_ = std::move(sorted);
  return sorted_rows;
}

template <class Real>
void Sight<Real>::look_up(std::uint32_t coarse) {
  std::vector<std::uint32_t> mine;
  if (base_ > 0) mine = find_shown(coarse);
  const auto all = ranks::all_gather<std::uint32_t>(transport_, mine);
  if (!shown_.empty()) make_top(all);
}

template <class Real>
void Sight<Real>::write(std::span<const CellValue> values) {
  if (values.empty()) return;
  const cuda::Buffer<CellValue> there(values, stream_);
  write_cells(tree_.cells, there.span(), stream_);
}

template <class Real>
Cell Sight<Real>::as_own(const CellHead& head) const {
  const auto begin = tree_.front + head.first_body;
  return {begin, begin + head.bodies, head.first_child, head.children};
}

template <class Real>
void Sight<Real>::make_top(const ranks::Received<std::uint32_t>& rows) {
  const std::size_t words = layout_.words();
  struct Row {
    CellHead head;
    int owner;
  };
  std::vector<Row> shown;
  for (int r = 0; r < transport_.ranks(); ++r) {
    const auto of = rows.of(r);
    for (std::size_t at = 0; at < of.size(); at += words) shown.push_back({head_at(of, at), r});
  }
  // From the root down, level by level, a cell being the rows [begin, end): itself, if it is of one rank, and
  // those below it.
  struct Range {
    std::uint32_t begin, end, level;
  };
  const auto count = std::uint32_t(shown.size());
  std::vector<Range> ranges{{0, count, 0}};
  std::vector<std::uint32_t> levels;
  place_of_shown_.assign(count, below_own);
  for (std::uint32_t c = 0; c < ranges.size(); ++c) {
    const Range range = ranges[c];
    if (levels.size() == range.level) levels.push_back(c);
    const auto& first = shown[range.begin];
    auto begin = range.begin;
    Known cell{};
    if (first.head.level == range.level) {
      cell = {.head = first.head, .owner = first.owner, .children = first.head.children};
      place_of_shown_[begin++] = c;
      if (first.owner == part_.rank) begin = range.end;
    } else {
      cell.head.key = first.head.key, cell.head.level = range.level;
    }
    if (begin < range.end) cell.first_child = base_ + std::uint32_t(ranges.size());
    const int below = 3 * (deepest - 1 - int(range.level));
    std::uint32_t children = 0;
    for (auto end = begin; begin < range.end; begin = end, ++children) {
      while (end < range.end && shown[end].head.key >> below == shown[begin].head.key >> below) ++end;
      ranges.push_back({begin, end, range.level + 1});
    }
    if (cell.owner == shared) cell.children = cell.head.children = children;
    known_.push_back(cell);
  }
  top_ = known_count();
  levels.push_back(top_);
  for (auto c = top_; c-- > 0;)
    if (auto& cell = known_[c]; cell.owner == shared)
      for (std::uint32_t k = 0; k < cell.children; ++k)
        cell.head.bodies += known_[cell.first_child - base_ + k].head.bodies;
  tree_.make_room_for_cells(base_, top_ + top_ / 2);

  // Moments of cells of one rank first, which are seen as leaves meanwhile, then of those above them.
  std::vector<std::uint32_t> foreign_rows, to;
  std::vector<CellCopy> copies;
  std::uint32_t own = 0;
  for (std::uint32_t k = 0; k < count; ++k) {
    const auto from = shown[k].owner == part_.rank ? shown_[own++] : 0, place = base_ + place_of_shown_[k];
    if (place_of_shown_[k] == below_own) continue;
    if (shown[k].owner == part_.rank) {
      copies.push_back({from, place});
    } else {
      const auto* row = &rows.data[k * words];
      foreign_rows.insert(foreign_rows.end(), row, row + words);
      to.push_back(place);
    }
  }
  if (!to.empty()) {
    const cuda::Buffer<std::uint32_t> there(foreign_rows, stream_), places(to, stream_);
    unpack_cells(there.data(), to.size(), places.data(), 0, layout_, tree_.cells, nullptr, stream_);
  }
  if (!copies.empty()) {
    const cuda::Buffer<CellCopy> there(copies, stream_);
    copy_cells(tree_.cells, there.span(), true, layout_, stream_);
  }
  std::vector<CellValue> values;
  for (std::uint32_t c = 0; c < top_; ++c) {
    const auto& known = known_[c];
    values.push_back({base_ + c, {}, {0, known.head.bodies, 0, 0}});
    if (known.owner == shared)
      values.back().cell.first_child = known.first_child, values.back().cell.children = known.children;
  }
  write(values);
  for (auto level = levels.size() - 1; level-- > 0;)
    tree_.kernels().parents(tree_.cells, {base_ + levels[level], levels[level + 1] - levels[level]}, stream_);
  values.clear();
  for (std::uint32_t c = 0; c < top_; ++c) {
    const auto& known = known_[c];
    constexpr auto nowhere = std::numeric_limits<std::uint32_t>::max();
    if (known.owner == part_.rank) values.push_back({base_ + c, {}, as_own(known.head)});
    else if (known.owner != shared)
      values.push_back(
          {base_ + c, {}, {nowhere - known.head.bodies, nowhere, known.first_child, known.children}});
  }
  write(values);
  // Own cells that are shared are the same as these.
  copies.clear();
  std::unordered_map<std::uint64_t, std::uint32_t> wholes;
  for (std::uint32_t c = 0; c < top_; ++c)
    if (known_[c].owner == shared) wholes.emplace(octant_of(known_[c].head), base_ + c);
  for (auto& s : shared_) {
    s.whole = wholes.at(octant_of(s.head));
    copies.push_back({s.whole, s.own});
  }
  const cuda::Buffer<CellCopy> there(copies, stream_);
  copy_cells(tree_.cells, there.span(), false, layout_, stream_);
  show_whole_tree(false);
  std::vector<CellHead> heads;
  for (const auto& known : known_) heads.push_back(known.head);
  cuda::copy_to_device(with_room(heads_, 4 * heads.size(), stream_), heads.data(),
                       heads.size() * sizeof heads[0], stream_);
}

template <class Real>
void Sight<Real>::show_whole_tree(bool whole) {
  constexpr auto all = std::numeric_limits<std::uint32_t>::max();
  std::vector<CellValue> values;
  for (const auto& s : shared_) {
    const auto& known = known_[s.whole - base_];
    // From the own bodies of it on, so that a slice of these finds it.
    const auto begin = tree_.front + s.head.first_body;
    values.push_back({s.own,
                      {},
                      whole ? Cell{begin, begin + std::min(known.head.bodies, all - begin), known.first_child,
                                   known.children}
                            : Cell{0, all, s.head.first_child, s.head.children}});
  }
  write(values);
}

template class Sight<float>;
template class Sight<double>;

}  // namespace pleiad::device_forest
