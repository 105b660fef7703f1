/// What is found in blocks of bodies, by all threads, as one list in their order.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/threads.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace pleiad::live {

/// What find(begin, end) gives for the blocks that make up [0, n), one after the other.
template <class T, class Find>
std::vector<T> joined_blocks(std::size_t n, const Find& find) {
  constexpr std::size_t block = 1 << 16;
  std::vector<std::vector<T>> found((n + block - 1) / block);
  for_blocks(
      n, [&](std::size_t begin, std::size_t end) { found[begin / block] = find(begin, end); }, block);
  std::vector<std::size_t> first(found.size() + 1);
  for (std::size_t b = 0; b < found.size(); ++b) first[b + 1] = first[b] + found[b].size();
  std::vector<T> all(first.back());
  parallel_for(found.size(), [&](std::size_t b) {
    std::ranges::copy(found[b], all.begin() + static_cast<std::ptrdiff_t>(first[b]));
  });
  return all;
}

}  // namespace pleiad::live
