/// Sorting on the device: the order of a stable sort by the lowest bits, whichever half of the memory it ends
/// in.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/sort.hpp"

#include "cuda/device/memory.hpp"
#include "gpu.hpp"

#include <pleiad/rng.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace pleiad {
namespace {

class Sort : public Gpu {};

TEST_F(Sort, KeepsTheOrderOfKeysThatAreEqualInTheirLowestBits) {
  for (const std::size_t n : {1, 2, 255, 4097, 70000})
    for (const int bits : {1, 3, 8, 9, 16, 24, 30, 63}) {
      Random random(n, 0);
      std::vector<std::uint64_t> keys(n);
      for (auto& key : keys) key = random.bits();
      std::vector<std::uint32_t> numbers(n);
      std::iota(numbers.begin(), numbers.end(), 0u);
      cuda::Buffer<std::uint64_t> here{std::span<const std::uint64_t>(keys)}, more(n);
      cuda::Buffer<std::uint32_t> values{std::span<const std::uint32_t>(numbers)}, more_values(n);
      const std::size_t room = cuda::sort_room(n);
      cuda::Buffer<std::byte> memory(room);
      const bool in_more = cuda::sort_by_key({.keys = here.data(),
                                              .more_keys = more.data(),
                                              .values = values.data(),
                                              .more_values = more_values.data(),
                                              .n = n},
                                             bits, memory.data(), room, nullptr);
      std::vector<std::uint64_t> sorted(n);
      std::vector<std::uint32_t> order(n);
      (in_more ? more : here).copy_to_host(sorted);
      (in_more ? more_values : values).copy_to_host(order);

      const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
      std::ranges::stable_sort(numbers, {}, [&](std::uint32_t i) { return keys[i] & mask; });
      ASSERT_EQ(order, numbers) << n << " keys of " << bits << " bits";
      for (std::size_t k = 0; k < n; ++k) ASSERT_EQ(sorted[k], keys[numbers[k]]) << k;
    }
}

}  // namespace
}  // namespace pleiad
