/// Bodies of others into the order of the curve, before and behind the own ones.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/device_domain/device_cells.hpp"
#include "tree/sort.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace pleiad::device_domain {

using namespace cuda::tree;

template <class Real>
void DeviceCells<Real>::exchange_bodies(const domain::Part& part, std::span<const domain::Interval> own,
                                        const domain::SendLists& lists,
                                        std::span<const std::uint32_t> leaves) {
  const auto buffer_for = [&](const std::vector<std::size_t>& begins) {
    return cuda::Buffer<Mass<Real>>(std::max<std::size_t>(1, begins.back()), stream_);
  };
  const auto in_bytes = lists.times(sizeof(Mass<Real>));
  std::vector<Piece> pieces;
  for (std::uint32_t at = 0; const auto& [first, count] : own)
    pieces.push_back({tree_.front + first, std::exchange(at, at + count), count});
  auto leaving = buffer_for(lists.sent), came = buffer_for(lists.came);
  if (!pieces.empty()) {
    const cuda::Buffer<Piece> there(pieces, stream_);
    copy_pieces(std::as_const(tree_).bodies().bodies, there.span(), leaving.data(), stream_);
  }
  exchange_.all_to_all(reinterpret_cast<const std::byte*>(leaving.data()), in_bytes.sent,
                       reinterpret_cast<std::byte*>(came.data()), in_bytes.came);
  if (base_ == 0) return;

  // Bodies that follow each other along the curve do so in memory, and no others: kernels take leaves for one
  // where they do.
  pieces.clear();
  std::vector<std::uint64_t> firsts;  // along the curve
  for (std::uint32_t at = 0; const auto c : leaves) {
    const auto& head = known.cells[c].head;
    pieces.push_back({std::exchange(at, at + head.bodies), 0, head.bodies});
    firsts.push_back(part.firsts[std::size_t(known.cells[c].owner)] + head.first_body);
  }
  std::vector<std::uint32_t> along(leaves.size());
  std::iota(along.begin(), along.end(), 0u);
  tree::sort_by_key(firsts, along);
  const std::uint64_t own_first = part.first(), own_end = own_first + tree_.n;
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
  in_front_ = place(0, first_behind, end);
  if (first_behind > 0 && end != own_first) ++in_front_;
  end = own_end;
  behind_ = place(first_behind, along.size(), end);
  tree_.make_room_for_bodies(in_front_, behind_);
  for (std::size_t k = 0; k < along.size(); ++k)
    pieces[along[k]].to += k < first_behind ? tree_.front - in_front_ : tree_.front + tree_.n;

  layout_.front = tree_.front;
  std::vector<CellValue> values;
  for (std::uint32_t c = 0; c < known.top(); ++c)
    if (is_own(c)) values.push_back(value_of(c));
  for (std::size_t k = 0; k < leaves.size(); ++k)
    values.push_back({base_ + leaves[k], {}, {pieces[k].to, pieces[k].to + pieces[k].count, 0, 0}});
  write(values);
  if (pieces.empty()) return;
  const cuda::Buffer<Piece> those(pieces, stream_);
  copy_pieces(std::as_const(came).data(), those.span(), tree_.sorted(), stream_);
}

template void DeviceCells<float>::exchange_bodies(const domain::Part&, std::span<const domain::Interval>,
                                                  const domain::SendLists&, std::span<const std::uint32_t>);
template void DeviceCells<double>::exchange_bodies(const domain::Part&, std::span<const domain::Interval>,
                                                   const domain::SendLists&, std::span<const std::uint32_t>);

}  // namespace pleiad::device_domain
