/// The bodies of all ranks as sources of direct sums: blocks in the order of all bodies, sent to every rank
/// by their owner.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/together.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace pleiad {

/// S: what a source is. The next block travels while the present one is in use.
template <class S>
class SourceBlocks {
 public:
  explicit SourceBlocks(const ranks::Together& all) : all_(all) {
    for (int r = 0; r < all.division().ranks; ++r)
      for (std::size_t k = all.division().first(r); k < all.division().first(r + 1); k += most)
        blocks_.push_back({r, k, std::min(most, all.division().first(r + 1) - k)});
    for (auto& room : rooms_) room.resize(most);
  }
  /// use(number of the first, sources) for each block. Collective.
  template <class Use>
  void each(std::span<const S> own, const Use& use) {
    auto there = begin(0, own);
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      there();
      there = begin(k + 1, own);
      use(blocks_[k].first, std::span<const S>(rooms_[k % 2]).first(blocks_[k].count));
    }
  }
  std::size_t bytes() const { return 2 * most * sizeof(S); }

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
    if (block.owner == all_.transport().rank())
      std::ranges::copy(own.subspan(block.first - all_.first(), block.count), room.begin());
    return ranks::begin_broadcast<S>(all_.transport(), room, block.owner);
  }

  const ranks::Together& all_;
  std::vector<Block> blocks_;
  std::array<std::vector<S>, 2> rooms_;
};

}  // namespace pleiad
