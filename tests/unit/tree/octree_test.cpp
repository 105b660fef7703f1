/// What every octree promises, for bodies that make one stumble.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "invariants.hpp"
#include "scenes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::tree;
using namespace pleiad::tree_test;

namespace {

/// Every cell is an octant of its parent, the siblings in their order, and holds its bodies.
void expect_boxes(const Tree& tree) {
  // A position is put on the grid after 1 has been added, which may move it by half an ulp of 2, once on the
  // way to the keys of levels 1 to 21, and never again.
  constexpr double slack = 0x1p-53;
  std::vector<Vec3<double>> corners(tree.cells.size());
  corners[0] = {-1, -1, -1};
  for (std::uint32_t c = 0; c < tree.cells.size(); ++c) {
    const Cell& cell = tree.cells[c];
    const double side = std::ldexp(2.0, -int(cell.level)), half = 0.5 * side;
    const auto low = corners[c];
    if (cell.leaf()) {
      for (auto i = cell.begin; i < cell.end; ++i)
        for (const auto& [x, from] : {std::pair{tree.x[i], low.x}, {tree.y[i], low.y}, {tree.z[i], low.z}})
          ASSERT_TRUE(x >= from - slack && x <= from + side + slack)
              << x << " in [" << from << ", " << from + side << "], level " << cell.level;
    }
    int last = -1;
    for (auto k = cell.first_child; k < cell.first_child + cell.children; ++k) {
      const auto i = tree.cells[k].begin;
      const int x = tree.x[i] + slack >= low.x + half, y = tree.y[i] + slack >= low.y + half,
                z = tree.z[i] + slack >= low.z + half;
      ASSERT_GT(4 * x + 2 * y + z, last) << "octants out of order";
      last = 4 * x + 2 * y + z;
      corners[k] = low + Vec3<double>{x * half, y * half, z * half};
    }
  }
}

void expect_an_octree(const Tree& tree, std::span<const Mass<double>> bodies, std::uint32_t leaf) {
  expect_the_bodies(tree, bodies);
  if (!testing::Test::HasFatalFailure()) expect_breadth_first(tree, leaf);
  for (const auto& c : tree.cells) ASSERT_TRUE(!c.leaf() || c.bodies() <= leaf || c.level == Tree::deepest);
  if (!testing::Test::HasFatalFailure()) expect_boxes(tree);
}

class Trees : public testing::Test {
 protected:
  void TearDown() override { set_threads(0); }
};

}  // namespace

TEST_F(Trees, HoldEveryBodyOnceWhateverTheScene) {
  for (const auto& s : scenes())
    for (const std::uint32_t leaf : {1u, 8u, 48u}) {
      SCOPED_TRACE(testing::Message() << s.name << ", leaf " << leaf);
      const auto bodies = s.make(20000);
      expect_an_octree(built(bodies, leaf), bodies, leaf);
    }
}

TEST_F(Trees, OfLinesAndTwoClumps) {
  auto line = random_cube(5000, 1);
  for (auto& b : line) b.y = 0.25, b.z = -7;
  expect_an_octree(built(line, 10), line, 10);
  auto clumps = random_cube(5000, 2);
  for (std::size_t i = 0; i < clumps.size(); ++i) {
    auto& b = clumps[i];
    b.x = 1e-6 * b.x + (i % 2 == 0 ? 5 : -5), b.y *= 1e-6, b.z *= 1e-6;
  }
  const auto tree = built(clumps, 10);
  expect_an_octree(tree, clumps, 10);
  // Twenty halvings from a separation of 10 to clumps of 1e-6, then five to cells of 10: no chains beyond.
  EXPECT_LE(tree.cells.size(), 5000u);
}

TEST_F(Trees, DivideNoFurtherThanNeeded) {
  // Evenly spread, every division is by 8: leaves hold more than an eighth of what they may, less the noise.
  for (const std::uint32_t leaf : {16u, 48u, 200u}) {
    const auto tree = built(random_cube(50000, 9), leaf);
    std::size_t leaves = 0;
    for (const auto& c : tree.cells) leaves += c.leaf();
    EXPECT_LE(double(leaves), 50000 / (0.12 * leaf)) << "leaf " << leaf;
  }
  EXPECT_EQ(built(random_cube(40, 9), 48).cells.size(), 1u);
}

TEST_F(Trees, OfFewBodies) {
  EXPECT_TRUE(built({}, 8).cells.empty());
  for (std::size_t n = 1; n <= 70; ++n)
    for (const std::uint32_t leaf : {1u, 7u, 64u}) {
      SCOPED_TRACE(testing::Message() << n << " bodies, leaf " << leaf);
      const auto bodies = random_cube(n, n);
      const auto tree = built(bodies, leaf);
      expect_an_octree(tree, bodies, leaf);
    }
}

TEST_F(Trees, ForgetWhatTheyHeldBefore) {
  const auto few = random_cube(100, 1), many = random_cube(3000, 2);
  Tree tree;
  build<double>(tree, many, 4);
  build<double>(tree, few, 8);
  EXPECT_TRUE(same_tree(tree, built(few, 8)));
  build<double>(tree, {}, 8);
  EXPECT_TRUE(tree.cells.empty() && tree.order.empty());
}

TEST_F(Trees, OfBodiesAtOnePlaceEndAtTheDeepestLevel) {
  const Masses all(10000, {3, 4, 5, 1});
  const auto tree = built(all, 16);
  expect_an_octree(tree, all, 16);
  EXPECT_EQ(depth(tree), Tree::deepest);
  EXPECT_EQ(tree.cells.size(), Tree::deepest + 1);  // a chain
  for (std::uint32_t i = 0; i < all.size(); ++i) ASSERT_EQ(tree.order[i], i) << "ties go by the index";
}

TEST_F(Trees, DivideTheOthersWhereManyAreAtOnePlace) {
  auto bodies = random_cube(20000, 3);
  for (std::size_t i = 0; i < bodies.size(); i += 2) bodies[i] = {0.3, 0.3, 0.3, 1};
  const auto tree = built(bodies, 16);
  expect_an_octree(tree, bodies, 16);
  EXPECT_EQ(largest_leaf(tree), 10000u);
  for (const auto& c : tree.cells) {
    if (!c.leaf() || c.bodies() <= 16) continue;
    for (auto i = c.begin + 1; i < c.end; ++i) ASSERT_LT(tree.order[i - 1], tree.order[i]);
  }
}

TEST_F(Trees, DivideTheRestInSpiteOfOneFarBody) {
  auto bodies = random_cube(1000000, 4);
  bodies[500000] = {1e9, -1e9, 1e9, 1};
  const auto tree = built(bodies, 48);
  expect_breadth_first(tree, 48);
  // The root is 2^31 wide (the least power of two above 1e9 / 2, twice, ...), so level 21 is 2^10: all the
  // others are in eight of its cells at most, and 1e6 / 8^5 < 48 needs six levels more below their size of 2.
  EXPECT_LE(largest_leaf(tree), 48u);
  EXPECT_GE(depth(tree), 34u);
  EXPECT_LE(depth(tree), 38u);
  EXPECT_LE(tree.cells.size(), 1000000u / 10);
}

TEST_F(Trees, DoNotDependOnTheUnits) {
  // By powers of two nothing is rounded: 2^100 is 1e30.
  const auto bodies = plummer(3000);
  const auto right = built(bodies, 8);
  for (const int length : {-100, 0, 100})
    for (const int mass : {-100, 0, 100}) {
      auto scaled = bodies;
      for (auto& b : scaled)
        b = {std::ldexp(b.x, length), std::ldexp(b.y, length), std::ldexp(b.z, length),
             std::ldexp(b.m, mass)};
      const auto tree = built(scaled, 8);
      EXPECT_TRUE(same_tree(tree, right)) << "lengths 2^" << length << ", masses 2^" << mass;
      EXPECT_EQ(tree.length, std::ldexp(right.length, length));
      EXPECT_EQ(tree.mass, std::ldexp(right.mass, mass));
    }
}

TEST_F(Trees, OfMasslessBodies) {
  auto bodies = random_cube(1000, 5);
  for (auto& b : bodies) b.m = 0;
  const auto tree = built(bodies, 8);
  expect_an_octree(tree, bodies, 8);
  EXPECT_EQ(tree.mass, 1);
}

TEST_F(Trees, AreTheSameForAnyNumberOfThreadsAndInBothPrecisions) {
  const auto bodies = rounded(plummer(150001));
  set_threads(1);
  const auto right = built(bodies, 20);
  for (const int count : {2, 7}) {
    set_threads(count);
    EXPECT_TRUE(same_tree(built(bodies, 20), right)) << count << " threads";
  }
  Tree single;
  build<float>(single, as<float>(bodies), 20);
  EXPECT_TRUE(same_tree(single, right));
}

TEST_F(Trees, OfBodiesOnTheFacesOfCells) {
  // A lattice of 2^k points has every body on a face of some cell; the outermost are on the root's.
  Masses bodies;
  for (int x = -8; x <= 8; ++x)
    for (int y = -8; y <= 8; ++y)
      for (int z = -8; z <= 8; ++z) bodies.push_back({x / 8.0, y / 8.0, z / 8.0, 1});
  const auto tree = built(bodies, 1);
  expect_an_octree(tree, bodies, 1);
  EXPECT_EQ(largest_leaf(tree), 1u);
}
