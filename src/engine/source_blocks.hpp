/// The bodies of all ranks as sources: they come block by block to every rank.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/direct/rows.hpp"
#include "ranks/collective.hpp"

#include <pleiad/kernel/direct.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace pleiad {

/// Blocks of sources, in the order of all bodies, sent to every rank by their owner: the next one travels
/// while the present one is in use. One rank has all of them in one block. S: what a source is.
template <class S>
class SourceBlocks {
 public:
  explicit SourceBlocks(const ranks::Collective& all) : all_(all) {
    for (int r = 0; r < all.division().ranks; ++r)
      for (std::size_t k = all.division().first(r); k < all.division().first(r + 1); k += most)
        blocks_.push_back({r, k, std::min(most, all.division().first(r + 1) - k)});
    if (all.comm().ranks() > 1)
      for (auto& room : rooms_) room.resize(most);
  }
  /// use(number of the first, sources) for each block.
  template <class Use>
  void each(std::span<const S> own, const Use& use) {
    if (all_.comm().ranks() == 1) return use(std::size_t{0}, own);
    auto there = begin(0, own);
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      there();
      there = begin(k + 1, own);
      use(blocks_[k].first, std::span<const S>(rooms_[k % 2]).first(blocks_[k].count));
    }
  }
  std::size_t bytes() const { return (rooms_[0].size() + rooms_[1].size()) * sizeof(S); }

 private:
  /// Large enough that a message's latency does not count, small enough that two stay in a cache.
  static constexpr std::size_t most = 8192;
  struct Block {
    int owner;
    std::size_t first, count;
  };
  std::function<void()> begin(std::size_t k, std::span<const S> own) {
    if (k == blocks_.size()) return {};
    const auto& block = blocks_[k];
    const auto room = std::span(rooms_[k % 2]).first(block.count);
    if (block.owner == all_.comm().rank())
      std::ranges::copy(own.subspan(block.first - all_.first(), block.count), room.begin());
    return ranks::begin_broadcast<S>(all_.comm(), room, block.owner);
  }

  const ranks::Collective& all_;
  std::vector<Block> blocks_;
  std::array<std::vector<S>, 2> rooms_;
};

/// The bounds of the bodies of all ranks, which are exact.
template <class T>
cpu::Bounds<T> collective_bounds(ranks::Communicator& comm, std::span<const Mass<T>> own) {
  const auto b = cpu::bounds_of(own);
  std::array<double, 8> most{-double(b.low.x), -double(b.low.y), -double(b.low.z), -double(b.low.m),
                             double(b.high.x), double(b.high.y), double(b.high.z), double(b.high.m)};
  comm.max(most);
  return {{T(-most[0]), T(-most[1]), T(-most[2]), T(-most[3])},
          {T(most[4]), T(most[5]), T(most[6]), T(most[7])}};
}

/// The units of the rows of all bodies, which follow from their bounds.
template <class P, class T>
cpu::Scale collective_scale(const cpu::Bounds<T>& bounds, const Softening& softening,
                            const Boundary& boundary) {
  const std::array corners{bounds.low, bounds.high};
  return cpu::scale_of_rows(PairProblem<P>{
      .targets = corners, .sources = corners, .sums = {}, .softening = softening, .boundary = boundary});
}

/// Index of a target that is not among the sources.
inline constexpr std::ptrdiff_t not_a_source = std::numeric_limits<std::ptrdiff_t>::min() / 2;

}  // namespace pleiad
