/// The tree of boxes has every pair of boxes that overlap, once, and few others.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "encounters/swept_tree.hpp"

#include "core/threads.hpp"

#include <pleiad/rng.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::encounters;

namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

/// Boxes about `middle` within `size` of it, with edges up to `edge`; some are points, some long.
std::vector<SweptBox> boxes_of(std::size_t n, Vec3<double> middle, double size, double edge,
                               std::uint64_t seed) {
  std::vector<SweptBox> boxes(n);
  for (std::size_t i = 0; i < n; ++i) {
    Random random(seed, i);
    const auto within = [&](double a) { return random.uniform(-a, a); };
    const double r = size * std::pow(random.uniform(0, 1), 3);  // crowded in the middle
    const auto low = middle + Vec3<double>{within(r), within(r), within(r)};
    auto edges = edge * Vec3<double>{random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1)};
    if (i % 5 == 0) edges = {};
    if (i % 97 == 1) edges.x = size;
    boxes[i] = {low, low + edges};
  }
  return boxes;
}

bool overlap(const SweptBox& a, const SweptBox& b, double more) {
  const auto along = [&](double Vec3<double>::*x) {
    return a.low.*x <= b.high.*x + more && b.low.*x <= a.high.*x + more;
  };
  return along(&Vec3<double>::x) && along(&Vec3<double>::y) && along(&Vec3<double>::z);
}
Pairs by_all(const std::vector<SweptBox>& boxes, const std::vector<std::uint8_t>& idle, double more = 0) {
  Pairs pairs;
  for (std::uint32_t i = 0; i < boxes.size(); ++i)
    for (std::uint32_t j = i + 1; j < boxes.size(); ++j)
      if ((idle[i] == 0 || idle[j] == 0) && overlap(boxes[i], boxes[j], more)) pairs.insert({i, j});
  return pairs;
}
Pairs by_tree(SweptTree& tree, const std::vector<SweptBox>& boxes, const std::vector<std::uint8_t>& idle) {
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> found(SweptTree::blocks(boxes.size()));
  tree.for_pairs(boxes, idle, [&](std::size_t block, std::uint32_t i, std::uint32_t j) {
    EXPECT_LT(i, j);
    found.at(block).emplace_back(i, j);
  });
  Pairs pairs;
  for (const auto& part : found)
    for (const auto& pair : part) EXPECT_TRUE(pairs.insert(pair).second) << "twice";
  return pairs;
}

}  // namespace

TEST(SweptTree, HasAllPairsThatOverlapAndThoseWithinItsRounding) {
  for (const std::size_t n : {0UL, 1UL, 2UL, 8UL, 9UL, 64UL, 65UL, 512UL, 513UL, 1025UL, 4200UL})
    for (const std::size_t idle_from : {n, n / 2, n / 5, std::size_t{2}})
      for (const Vec3<double> middle : {Vec3<double>{}, Vec3<double>{1e9, -3e12, 5}}) {
        if (n > 600 && idle_from == 2) continue;
        const auto boxes = boxes_of(n, middle, 10, 0.3, n);
        std::vector<std::uint8_t> idle(n, 0);
        for (std::size_t i = 0; i < n; ++i) idle[i] = (i * 7) % n >= idle_from ? 1 : 0;
        SweptTree tree;
        const auto expected = by_all(boxes, idle), found = by_tree(tree, boxes, idle);
        EXPECT_TRUE(std::ranges::includes(found, expected)) << n;
        // Both faces are off by up to 2 units of 2^-23 of at most 20, the distance from the middle.
        EXPECT_TRUE(std::ranges::includes(by_all(boxes, idle, 4 * 20 * 0x1p-22), found)) << n;
      }
}

TEST(SweptTree, KeepsItsPairsWhileBodiesMoveInAnOldOrder) {
  SweptTree tree;
  const std::vector<std::uint8_t> idle(700, 0);
  for (std::uint64_t step = 0; step < 30; ++step) {
    auto boxes = boxes_of(700, {}, 10, 0.2, 1);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      Random random(2, i);
      const auto way = double(step) * Vec3<double>{random.uniform(-1, 1), random.uniform(-1, 1), 0.1};
      boxes[i].low += way, boxes[i].high += way;
    }
    EXPECT_TRUE(std::ranges::includes(by_tree(tree, boxes, idle), by_all(boxes, idle))) << step;
  }
}

TEST(SweptTree, TakesEveryFiniteNumber) {
  constexpr double huge = std::numeric_limits<double>::max(),
                   tiny = std::numeric_limits<double>::denorm_min();
  std::vector<SweptBox> boxes;
  for (const double x : {-huge / 2, -3.5e38, -1e-40, -tiny, 0.0, tiny, 1e-40, 1.0, 3.5e38, 1e300, huge / 2})
    for (int copy = 0; copy < 2; ++copy) boxes.push_back({{x, x, 0}, {x, x, 0}});
  const std::vector<std::uint8_t> idle(boxes.size(), 0);
  SweptTree tree;
  EXPECT_TRUE(std::ranges::includes(by_tree(tree, boxes, idle), by_all(boxes, idle)));
}
