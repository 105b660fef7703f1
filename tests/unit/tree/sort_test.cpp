/// The radix sort against the standard library's stable one.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "tree/sort.hpp"

#include "core/threads.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

struct Sorted {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> values;
  bool operator==(const Sorted&) const = default;
};

Sorted sorted(std::vector<std::uint64_t> keys) {
  Sorted s{std::move(keys), {}};
  s.values.resize(s.keys.size());
  std::iota(s.values.begin(), s.values.end(), 0u);
  tree::sort_by_key(s.keys, s.values);
  return s;
}

Sorted expected(const std::vector<std::uint64_t>& keys) {
  Sorted s;
  s.values.resize(keys.size());
  std::iota(s.values.begin(), s.values.end(), 0u);
  std::stable_sort(s.values.begin(), s.values.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
  for (const auto v : s.values) s.keys.push_back(keys[v]);
  return s;
}

/// Keys of `bits` bits, shifted to the left.
std::vector<std::uint64_t> keys_of(std::size_t n, unsigned bits, unsigned shift) {
  std::mt19937_64 random(n + 100 * bits + shift);
  std::vector<std::uint64_t> keys(n);
  for (auto& k : keys) k = (random() >> (64 - bits)) << shift;
  return keys;
}

class TreeSort : public testing::Test {
 protected:
  void TearDown() override { set_threads(0); }
};

}  // namespace

TEST_F(TreeSort, IsTheStableSortForEveryLength) {
  // Blocks of work are 65536 long: one short of it, whole, one beyond, several.
  for (const std::size_t n : {0, 1, 2, 3, 511, 513, 65535, 65536, 65537, 200001}) {
    const auto keys = keys_of(n, 63, 0);
    EXPECT_TRUE(sorted(keys) == expected(keys)) << "N = " << n;
  }
}

TEST_F(TreeSort, KeepsTheOrderOfEqualKeysWhereverTheirBitsAre) {
  // Few bits make many ties; shifts put them into each of the digits, and across two.
  for (unsigned shift = 0; shift + 5 <= 63; ++shift) {
    const auto keys = keys_of(3000, 5, shift);
    EXPECT_TRUE(sorted(keys) == expected(keys)) << "bits " << shift << " to " << shift + 4;
  }
  const std::vector<std::uint64_t> same(100000, (1ull << 63) - 1);
  EXPECT_TRUE(sorted(same) == expected(same));
}

TEST_F(TreeSort, TakesKeysThatAreSortedAlreadyOrReversed) {
  auto keys = keys_of(70000, 63, 0);
  std::sort(keys.begin(), keys.end());
  EXPECT_TRUE(sorted(keys) == expected(keys));
  std::reverse(keys.begin(), keys.end());
  EXPECT_TRUE(sorted(keys) == expected(keys));
}

TEST_F(TreeSort, IsTheSameForAnyNumberOfThreads) {
  const auto keys = keys_of(300001, 20, 30);  // with ties across blocks
  const auto right = expected(keys);
  for (const int count : {1, 2, 7}) {
    set_threads(count);
    EXPECT_TRUE(sorted(keys) == right) << count << " threads";
  }
}
