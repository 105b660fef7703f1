/// The bodies of each rank: ranges of their order, cut at multiples of the blocks of all sums over bodies.
/// Blocks and sums are then those of one process, bit for bit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/threads.hpp"

#include <algorithm>
#include <cstddef>

namespace pleiad::ranks {

struct Division {
  /// Bodies in a block: as in blocked_sum, and in by_distance::Sums.
  static constexpr std::size_t block = sum_block;

  std::size_t bodies = 0;  ///< of all ranks
  int ranks = 1;

  std::size_t blocks() const { return (bodies + block - 1) / block; }
  /// Rank r has the bodies [first(r), first(r + 1)); none where there are fewer blocks than ranks.
  std::size_t first(int rank) const {
    const auto r = static_cast<std::size_t>(rank), of = static_cast<std::size_t>(ranks);
    const std::size_t each = blocks() / of, more = blocks() % of;
    return std::min(bodies, (each * r + std::min(r, more)) * block);
  }
  std::size_t count(int rank) const { return first(rank + 1) - first(rank); }
  bool operator==(const Division&) const = default;
};

}  // namespace pleiad::ranks
