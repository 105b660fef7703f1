/// Elements that lie one after the other on all ranks, in blocks of a fixed number of them: a block belongs
/// to the rank on which it begins, which is given the rest of it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::domain {

/// Indices among all elements at which those of each rank begin; then the number of all.
inline std::vector<std::uint64_t> firsts(ranks::Communicator& comm, std::uint64_t own) {
  std::vector<std::uint64_t> first{0};
  for (const auto count : ranks::all_gather(comm, own)) first.push_back(first.back() + count);
  return first;
}

/// The rank that holds element `index`.
inline int holder_of(std::span<const std::uint64_t> firsts, std::uint64_t index) {
  return static_cast<int>(std::upper_bound(firsts.begin(), firsts.end(), index) - firsts.begin()) - 1;
}

/// Number of own elements in a block that begins on an earlier rank.
inline std::size_t before_first_block(std::uint64_t first, std::size_t own, std::size_t block) {
  return static_cast<std::size_t>(std::min<std::uint64_t>(own, (block - first % block) % block));
}

/// Elements that later ranks have of the last block that begins on this rank. `begun_before`: own elements of
/// a block that begins on an earlier rank.
template <class T>
std::vector<T> rest_of_last_block(ranks::Communicator& comm, std::span<const T> begun_before,
                                  std::span<const std::uint64_t> firsts, std::size_t block) {
  const auto rank = static_cast<std::size_t>(comm.rank());
  std::vector<std::size_t> begins(firsts.size(), begun_before.size());
  if (!begun_before.empty()) {
    const int to = holder_of(firsts, firsts[rank] / block * block);
    std::fill_n(begins.begin(), to + 1, 0);
  }
  return ranks::all_to_all<T>(comm, begun_before, begins).data;
}

}  // namespace pleiad::domain
