/// What a rank asks others for, and answers: cells level by level, their accelerations, bodies last.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/device_forest/sight.hpp"
#include "ranks/grouped.hpp"
#include "tree/sort.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace pleiad::device_forest {

using namespace cuda::tree;

template <class Real>
std::vector<std::uint8_t> Sight<Real>::flags(std::uint32_t from, const Acceptance& by) {
  const auto count = known_count() - from;
  std::vector<std::uint8_t> flags(count);
  if (count == 0) return flags;
  cuda::Buffer<std::uint8_t> there(count, stream_);
  look_into(tree_.cells,
            {.first = base_ + from,
             .count = count,
             .heads = heads_.data() + from,
             .level_begins = level_begins_.data()},
            by, there.data(), stream_);
  there.copy_to_host(flags);
  return flags;
}

template <class Real>
void Sight<Real>::fetch_cells(const Acceptance& by) {
  leaves_.clear();
  for (std::uint32_t from = 0;;) {
    const auto opened = flags(from, by);
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t k = 0; k < opened.size(); ++k) {
      const auto& known = known_[from + k];
      if (opened[k] == 0 || known.owner == shared || known.owner == part_.rank) continue;
      if (known.children == 0) leaves_.push_back(from + k);
      else if (known.first_child == 0) wanted.push_back(from + k);
    }
    from = known_count();
    if (ranks::sum(transport_, wanted.size()) == 0) break;
    fetch_children(wanted);
  }
}

namespace {

std::vector<std::size_t> times(std::vector<std::size_t> begins, std::size_t bytes) {
  for (auto& begin : begins) begin *= bytes;
  return begins;
}

/// Where what a rank's items stand for begins: `begins` counts items, size(item) is what one stands for.
template <class Item, class Size>
std::vector<std::size_t> begins_of(std::span<const Item> items, std::span<const std::size_t> begins,
                                   const Size& size) {
  std::vector<std::size_t> upto{0};
  for (const auto& item : items) upto.push_back(upto.back() + size(item));
  std::vector<std::size_t> all;
  for (const auto begin : begins) all.push_back(upto[begin]);
  return all;
}

}  // namespace

template <class Real>
void Sight<Real>::fetch_children(std::span<const std::uint32_t> those) {
  const auto [wanted, begins] =
      ranks::grouped(transport_.ranks(), those, [&](std::uint32_t c) { return known_[c].owner; });
  std::vector<std::uint32_t> ids;
  std::vector<CellLink> links;
  for (const auto c : wanted) {
    auto& known = known_[c];
    known.first_child = base_ + known_count() + std::uint32_t(ids.size());
    links.push_back({base_ + c, known.first_child});
    for (std::uint32_t k = 0; k < known.children; ++k) ids.push_back(known.head.first_child + k);
  }
  const auto asked =
      begins_of<std::uint32_t>(wanted, begins, [&](std::uint32_t c) { return known_[c].children; });
  const auto of_me = ranks::all_to_all<std::uint32_t>(transport_, ids, asked);
  const std::size_t row = layout_.words() * sizeof(std::uint32_t);
  with_room(rows_, std::max<std::size_t>(1, of_me.data.size() * layout_.words()), stream_);
  if (!of_me.data.empty()) {
    const cuda::Buffer<std::uint32_t> which(of_me.data, stream_);
    pack_cells(tree_.cells, which.span(), level_begins_.data(), tree_.keys(), layout_, rows_.data(), stream_);
  }
  cuda::Buffer<std::uint32_t> came(std::max<std::size_t>(1, ids.size() * layout_.words()), stream_);
  exchange_.all_to_all(reinterpret_cast<const std::byte*>(rows_.data()), times(of_me.begins, row),
                       reinterpret_cast<std::byte*>(came.data()), times(asked, row));
  if (ids.empty()) return;
  const auto from = known_count();
  tree_.make_room_for_cells(base_ + from, ids.size());
  const std::size_t all = from + ids.size();
  if (heads_.size() < all) with_more_room(heads_, all + all / 2, from, stream_);
  unpack_cells(came.data(), ids.size(), nullptr, base_ + from, layout_, tree_.cells, heads_.data() + from,
               stream_);
  const cuda::Buffer<CellLink> there(links, stream_);
  link_children(tree_.cells, there.span(), stream_);
  if (arrived_.size() < ids.size()) arrived_ = cuda::Pinned<CellHead>(ids.size() + ids.size() / 2);
  const auto* const here = arrived_.data();
  cuda::copy_to_host(arrived_.data(), heads_.data() + from, ids.size() * sizeof(CellHead), stream_);
  for (int r = 0; r < transport_.ranks(); ++r)
    for (auto k = asked[std::size_t(r)]; k < asked[std::size_t(r) + 1]; ++k)
      known_.push_back({.head = here[k], .owner = r, .children = here[k].children});
}

template <class Real>
void Sight<Real>::tell_accelerations() {
  std::vector<float> own(shown_.size());
  if (!own.empty()) {
    const cuda::Buffer<std::uint32_t> which(shown_, stream_);
    cuda::Buffer<float> found(own.size(), stream_);
    read_accelerations(tree_.cells, which.span(), found.data(), stream_);
    found.copy_to_host(own);
  }
  const auto of_shown = ranks::all_gather<float>(transport_, own).data;
  if (shown_.empty()) return;
  // The least below each shared cell, from the last one up.
  std::vector<float> least(top_, std::numeric_limits<float>::infinity());
  for (std::size_t k = 0; k < of_shown.size(); ++k)
    if (place_of_shown_[k] != below_own) least[place_of_shown_[k]] = of_shown[k];
  std::vector<std::uint32_t> which(top_);
  for (auto c = top_; c-- > 0;) {
    if (const auto& known = known_[c]; known.owner == shared)
      for (std::uint32_t k = 0; k < known.children; ++k)
        least[c] = std::min(least[c], least[known.first_child - base_ + k]);
    which[c] = base_ + c;
  }
  for (const auto& s : shared_) which.push_back(s.own), least.push_back(least[s.whole - base_]);
  const cuda::Buffer<std::uint32_t> there(which, stream_);
  const cuda::Buffer<float> values(least, stream_);
  write_accelerations(tree_.cells, there.span(), values.data(), stream_);
}

template <class Real>
void Sight<Real>::fetch_bodies() {
  auto [leaves, begins] = ranks::grouped<std::uint32_t>(transport_.ranks(), leaves_,
                                                        [&](std::uint32_t c) { return known_[c].owner; });
  leaves_ = std::move(leaves);
  std::vector<Piece> asked;
  for (const auto c : leaves_) asked.push_back({known_[c].head.first_body, 0, known_[c].head.bodies});
  const auto of_me = ranks::all_to_all<Piece>(transport_, asked, begins);

  // Others' bodies, packed as they are asked for.
  const auto place_in_turn = [](std::vector<Piece>& pieces, auto Piece::*place) {
    std::uint32_t at = 0;
    for (auto& piece : pieces) piece.*place = std::exchange(at, at + piece.count);
    return std::max<std::size_t>(1, at);
  };
  const auto bytes_from = [](std::span<const Piece> of, std::span<const std::size_t> where) {
    return begins_of(of, where, [](const Piece& piece) { return piece.count * sizeof(Mass<Real>); });
  };
  std::vector<Piece> given = of_me.data;
  for (auto& piece : given) piece.from += tree_.front;
  cuda::Buffer<Mass<Real>> leaving(place_in_turn(given, &Piece::to), stream_);
  if (!given.empty()) {
    const cuda::Buffer<Piece> there(given, stream_);
    copy_pieces(std::as_const(tree_).bodies().bodies, there.span(), leaving.data(), stream_);
  }
  std::vector<Piece> pieces = asked;
  cuda::Buffer<Mass<Real>> came(place_in_turn(pieces, &Piece::from), stream_);
  exchange_.all_to_all(reinterpret_cast<const std::byte*>(leaving.data()), bytes_from(given, of_me.begins),
                       reinterpret_cast<std::byte*>(came.data()), bytes_from(pieces, begins));
  if (base_ == 0) return;

  // Bodies that follow each other along the curve do so in memory, and no others: kernels take leaves for one
  // where they do.
  std::vector<std::uint64_t> firsts;  // along the curve
  for (const auto c : leaves_)
    firsts.push_back(part_.firsts[std::size_t(known_[c].owner)] + known_[c].head.first_body);
  std::vector<std::uint32_t> along(leaves_.size());
  std::iota(along.begin(), along.end(), 0u);
  tree::sort_by_key(firsts, along);
  const std::uint64_t own_first = part_.first(), own_end = own_first + tree_.n;
  const auto first_behind = std::size_t(std::ranges::lower_bound(firsts, own_first) - firsts.begin());
  // Places of some leaves from 0 on; `end`: where along the curve that ends which is before them in memory.
  const auto place = [&](std::size_t from, std::size_t to, std::uint64_t& end) {
    std::uint32_t cursor = 0;
    for (auto k = from; k < to; ++k) {
      auto& piece = pieces[along[k]];
      if (firsts[k] != end) ++cursor;
      piece.to = cursor;
      cursor += piece.count, end = firsts[k] + piece.count;
    }
    return cursor;
  };
  std::uint64_t end = firsts.empty() ? own_first : firsts.front();
  in_front = place(0, first_behind, end);
  if (first_behind > 0 && end != own_first) ++in_front;
  end = own_end;
  behind = place(first_behind, along.size(), end);
  tree_.make_room_for_bodies(in_front, behind);
  for (std::size_t k = 0; k < along.size(); ++k)
    pieces[along[k]].to += k < first_behind ? tree_.front - in_front : tree_.front + tree_.n;

  layout_.front = tree_.front;
  std::vector<CellValue> values;
  for (std::uint32_t c = 0; c < top_; ++c)
    if (known_[c].owner == part_.rank) values.push_back({base_ + c, {}, as_own(known_[c].head)});
  write(values);
  std::vector<CellLink> links;
  for (std::size_t k = 0; k < leaves_.size(); ++k) links.push_back({base_ + leaves_[k], pieces[k].to});
  if (links.empty()) return;
  const cuda::Buffer<CellLink> there(links, stream_);
  link_bodies(tree_.cells, there.span(), stream_);
  const cuda::Buffer<Piece> those(pieces, stream_);
  copy_pieces(std::as_const(came).data(), those.span(), tree_.sorted(), stream_);
}

#define PLEIAD_SIGHT(Real)                                                                 \
  template std::vector<std::uint8_t> Sight<Real>::flags(std::uint32_t, const Acceptance&); \
  template void Sight<Real>::fetch_children(std::span<const std::uint32_t>);               \
  template void Sight<Real>::fetch_cells(const Acceptance&);                               \
  template void Sight<Real>::tell_accelerations();                                         \
  template void Sight<Real>::fetch_bodies();
PLEIAD_SIGHT(float)
PLEIAD_SIGHT(double)
#undef PLEIAD_SIGHT

}  // namespace pleiad::device_forest
