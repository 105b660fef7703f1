/// The two halves of blocked_sum, for bodies that several owners have: sums of blocks, and their sum.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/threads.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace pleiad {

/// part(begin, end) of each block of 4096 of [0, n), in their order.
template <class V, class Part>
std::vector<V> block_sums(std::size_t n, const Part& part) {
  constexpr std::size_t block = 4096;
  std::vector<V> sums((n + block - 1) / block);
  parallel_for(sums.size(), [&](std::size_t b) { sums[b] = part(b * block, std::min(n, (b + 1) * block)); });
  return sums;
}

/// Neighbours are added first, as in blocked_sum.
template <class V>
V tree_sum(std::vector<V> sums) {
  for (std::size_t width = 1; width < sums.size(); width *= 2)
    for (std::size_t b = 0; b + width < sums.size(); b += 2 * width) sums[b] += sums[b + width];
  return sums.empty() ? V{} : std::move(sums.front());
}

}  // namespace pleiad
