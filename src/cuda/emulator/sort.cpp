/// Sorting on the emulated device.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/sort.hpp"

#include "cuda/emulator/runtime.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace pleiad::cuda {

std::size_t sort_room(std::size_t) { return 1; }

/// Sorts by passes of eight bits each; returns where the sorted pairs are.
bool sort_by_key(const PairsToSort& p, int bits, void*, std::size_t, void*) {
  called();
  const std::uint64_t mask = bits < 64 ? (std::uint64_t{1} << bits) - 1 : ~std::uint64_t{0};
  std::vector<std::size_t> from(p.n);
  std::iota(from.begin(), from.end(), std::size_t{0});
  std::stable_sort(from.begin(), from.end(),
                   [&](auto a, auto b) { return (p.keys[a] & mask) < (p.keys[b] & mask); });
  for (std::size_t i = 0; i < p.n; ++i)
    p.more_keys[i] = p.keys[from[i]], p.more_values[i] = p.values[from[i]];
  if ((bits + 7) / 8 % 2 == 1) return true;
  std::copy_n(p.more_keys, p.n, p.keys);
  std::copy_n(p.more_values, p.n, p.values);
  return false;
}

}  // namespace pleiad::cuda
