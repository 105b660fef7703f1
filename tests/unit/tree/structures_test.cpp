/// What kd-trees and hierarchies of bounding volumes promise, for bodies that make them stumble; and that the
/// boxes and spheres of cells hold their bodies in every structure.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "invariants.hpp"
#include "scenes.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <string>

// One order of moments, for the instruction set that tests are compiled for.
#define PLEIAD_TREE_OPERATORS "operators_3.inc"
#include "tree/cpu/moments-inl.h"

using namespace pleiad;
using namespace pleiad::tree;
using namespace pleiad::tree_test;

namespace {

constexpr std::array halved{Structure::kd, Structure::bvh};
constexpr std::array all_structures{Structure::octree, Structure::kd, Structure::bvh};

class Structures : public testing::Test {
 protected:
  void TearDown() override { set_threads(0); }
};

void expect_a_tree(const Tree& tree, std::span<const Mass<double>> bodies, std::uint32_t leaf) {
  SCOPED_TRACE(testing::Message() << name_of(tree.structure) << ", N = " << bodies.size() << ", leaf "
                                  << leaf);
  expect_the_bodies(tree, bodies);
  if (!testing::Test::HasFatalFailure()) expect_breadth_first(tree, leaf);
}
void expect_trees(std::span<const Mass<double>> bodies, std::uint32_t leaf) {
  for (const auto structure : halved) expect_a_tree(built(bodies, leaf, structure), bodies, leaf);
}

/// Halvings that bring n bodies down to cells of `leaf`.
unsigned halvings(std::size_t n, std::size_t leaf) {
  unsigned count = 0;
  for (; n > leaf; n = (n + 1) / 2) ++count;
  return count;
}

/// Cells in boxes and spheres about centres of mass, as all else sees them.
void expect_volumes(const Tree& tree) {
  Moments<double> up;
  tree::HWY_NAMESPACE::make_moments<3>(tree, up);
  for (std::size_t c = 0; c < tree.cells.size(); ++c) {
    const auto& [low, high] = up.boxes[c];
    std::array<double, 3> least{2, 2, 2}, most{-2, -2, -2};
    double mass = 0, scale = 0;
    Vec3<double> centre{};
    for (auto i = tree.cells[c].begin; i < tree.cells[c].end; ++i) {
      const std::array at{tree.x[i], tree.y[i], tree.z[i]};
      for (std::size_t a = 0; a < 3; ++a)
        least[a] = std::min(least[a], at[a]), most[a] = std::max(most[a], at[a]);
      ASSERT_LE(std::hypot(at[0] - up.x[c], at[1] - up.y[c], at[2] - up.z[c]), up.radius[c]) << "cell " << c;
      mass += tree.m[i], centre += tree.m[i] * Vec3<double>{at[0], at[1], at[2]};
    }
    ASSERT_EQ(low, least) << "cell " << c;
    ASSERT_EQ(high, most) << "cell " << c;
    scale = std::max({std::abs(low[0]), std::abs(high[0]), std::abs(low[1]), std::abs(high[1]),
                      std::abs(low[2]), std::abs(high[2])});
    // Sums of up to 20000 terms of one sign, or of terms of this size: 2^-53 of it each.
    ASSERT_LE(std::abs(up.record(c)[Record<3>::m] - mass), 20000 * 0x1p-53 * mass) << "cell " << c;
    ASSERT_LE(norm(centre - mass * Vec3<double>{up.x[c], up.y[c], up.z[c]}), 4e4 * 0x1p-53 * mass * scale)
        << "cell " << c;
  }
}

Masses shuffled(Masses bodies) {
  std::shuffle(bodies.begin(), bodies.end(), std::mt19937_64(5));
  return bodies;
}

/// Two of them, a millionth as wide as they are apart.
Masses two_clumps(std::size_t n) {
  auto bodies = random_cube(n, 2);
  for (std::size_t i = 0; i < n; ++i) {
    auto& b = bodies[i];
    b.x = 1e-6 * b.x + (i % 2 == 0 ? 5 : -5), b.y *= 1e-6, b.z *= 1e-6;
  }
  return bodies;
}

}  // namespace

TEST_F(Structures, HoldEveryBodyOnceWhateverTheScene) {
  for (const auto& s : scenes())
    for (const std::uint32_t leaf : {1u, 8u, 48u}) {
      SCOPED_TRACE(s.name);
      expect_trees(s.make(20000), leaf);
    }
}

TEST_F(Structures, OfFewBodies) {
  for (const auto structure : halved) EXPECT_TRUE(built({}, 8, structure).cells.empty());
  for (std::size_t n = 1; n <= 70; ++n)
    for (const std::uint32_t leaf : {1u, 7u, 64u}) {
      const auto bodies = random_cube(n, n);
      expect_trees(bodies, leaf);
      if (n > leaf) continue;
      for (const auto structure : halved) EXPECT_EQ(built(bodies, leaf, structure).cells.size(), 1u);
    }
}

TEST_F(Structures, OfLinesSheetsAndTwoClumps) {
  auto line = random_cube(5000, 1);
  for (auto& b : line) b.y = 0.25, b.z = -7;
  expect_trees(line, 10);
  auto sheet = random_cube(5000, 1);
  for (auto& b : sheet) b.z = 3;
  expect_trees(sheet, 10);
  const auto clumps = two_clumps(5000);
  expect_trees(clumps, 10);
  for (const auto structure : halved) {
    const auto tree = built(clumps, 10, structure);
    // The clumps are parted first, then each as if the other were not: 5000 / 10 leaves, at most twice as
    // many as are halves and again as random keys part them unevenly.
    EXPECT_LE(tree.cells.size(), 4 * 500u);
    EXPECT_LE(depth(tree), 1 + (halvings(5000, 10) + 6) / 3) << name_of(structure);
    for (const auto& c : tree.cells)
      EXPECT_TRUE(c.level == 0 || longest(extent_of(tree, c)) <= 1e-6) << name_of(structure);
  }
}

TEST_F(Structures, AKdTreeIsBalancedWhereverTheBodiesAre) {
  for (const auto& s : scenes()) {
    const auto tree = built(s.make(20000), 16, Structure::kd);
    // Wide cells are divided further, down to single bodies at most.
    EXPECT_LE(depth(tree), (halvings(20000, 1) + 2) / 3) << s.name;
    for (const auto& c : tree.cells) {
      if (c.leaf() || c.children != 8) continue;
      for (auto k = c.first_child; k < c.first_child + 8; ++k) {
        EXPECT_GE(tree.cells[k].bodies(), c.bodies() / 8) << s.name;
        EXPECT_LE(tree.cells[k].bodies(), c.bodies() / 8 + 1) << s.name;
      }
    }
  }
  // Evenly spread, no leaf is wide: as deep as halves take, no leaf emptier than half.
  for (const std::uint32_t leaf : {8u, 16u, 48u}) {
    const auto tree = built(random_cube(50000, 9), leaf, Structure::kd);
    EXPECT_EQ(depth(tree), (halvings(50000, leaf) + 2) / 3) << leaf;
    for (const auto& c : tree.cells)
      EXPECT_TRUE(!c.leaf() || c.bodies() >= leaf / 2) << c.bodies() << " of " << leaf;
  }
}

TEST_F(Structures, AKdTreeHalvesAcrossLongestSides) {
  const auto tree = built(random_cube(20000, 3), 16, Structure::kd);
  const std::array at{&tree.x, &tree.y, &tree.z};
  // The four first parts of a cell that has eight and the four others are its halves.
  const auto side = [&](const Cell& c, std::size_t axis, std::uint32_t from, std::uint32_t to) {
    const auto& x = *at[axis];
    const auto first = tree.cells[c.first_child + from].begin, last = tree.cells[c.first_child + to - 1].end;
    const auto [low, high] = std::minmax_element(x.begin() + first, x.begin() + last);
    return std::pair{*low, *high};
  };
  std::size_t seen = 0;
  for (const auto& c : tree.cells) {
    if (c.children != 8) continue;
    const auto extent = extent_of(tree, c);
    const std::size_t axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
    EXPECT_LE(side(c, axis, 0, 4).second, side(c, axis, 4, 8).first);
    ++seen;
  }
  EXPECT_GE(seen, 73u);  // 1 + 8 + 64 of the first three levels
}

TEST_F(Structures, ABvhFollowsTheCurveOfTheOctree) {
  // Both sort by the same keys, so the order of bodies is the same where keys differ.
  const auto bodies = random_cube(30000, 3);
  EXPECT_TRUE(same(built(bodies, 16, Structure::bvh).order, built(bodies, 16).order));
  // And halves are where an octree's cells are: of eight clumps in the root's octants each is a child.
  auto clumps = random_cube(8000, 4);
  for (std::size_t i = 0; i < clumps.size(); ++i) {
    auto& b = clumps[i];
    b.x = 0.01 * b.x + (i & 4 ? 1 : -1), b.y = 0.01 * b.y + (i & 2 ? 1 : -1);
    b.z = 0.01 * b.z + (i & 1 ? 1 : -1);
  }
  const auto tree = built(clumps, 16, Structure::bvh);
  ASSERT_EQ(tree.cells[0].children, 8u);
  for (std::uint32_t k = 1; k <= 8; ++k) {
    EXPECT_EQ(tree.cells[k].bodies(), 1000u);
    EXPECT_LE(longest(extent_of(tree, tree.cells[k])), 0.01 * 2 / tree.length);
  }
}

TEST_F(Structures, OfBodiesAtOnePlaceAreOneLeaf) {
  const Masses all(10000, {3, 4, 5, 1});
  for (const auto structure : halved) {
    const auto tree = built(all, 16, structure);
    expect_a_tree(tree, all, 16);
    EXPECT_EQ(tree.cells.size(), 1u);
    for (std::uint32_t i = 0; i < all.size(); ++i) ASSERT_EQ(tree.order[i], i) << "ties go by the index";
  }
}

TEST_F(Structures, DivideTheOthersWhereManyAreAtOnePlace) {
  auto bodies = random_cube(20000, 3);
  for (std::size_t i = 0; i < bodies.size(); i += 2) bodies[i] = {0.3, 0.3, 0.3, 1};
  expect_trees(bodies, 16);
  EXPECT_EQ(largest_leaf(built(bodies, 16, Structure::bvh)), 10000u);
  // Halves are of equal numbers, whatever they cut through.
  EXPECT_LE(depth(built(bodies, 16, Structure::kd)), (halvings(20000, 1) + 2) / 3);
}

TEST_F(Structures, DivideTheRestInSpiteOfOneFarBody) {
  auto bodies = random_cube(300000, 4);
  bodies[50000] = {1e9, -1e9, 1e9, 1};
  for (const auto structure : halved) {
    const auto tree = built(bodies, 48, structure);
    expect_a_tree(tree, bodies, 48);
    EXPECT_LE(largest_leaf(tree), 48u) << name_of(structure);
    // A gap is one halving, however wide: no more levels than without that body, and one.
    bodies[50000] = {0, 0, 0, 1};
    EXPECT_LE(depth(tree), depth(built(bodies, 48, structure)) + 1) << name_of(structure);
    bodies[50000] = {1e9, -1e9, 1e9, 1};
  }
}

TEST_F(Structures, AreNoDeeperThanKeysWhateverTheGaps) {
  // Every body is a thousandth as far from the corner as the one before.
  Masses bodies;
  for (int k = 0; k < 60; ++k) bodies.push_back({std::pow(1e-3, k), 0, 0, 1});
  for (int k = 0; k < 1000; ++k) bodies.push_back({std::ldexp(1.0, -k), std::ldexp(1.0, -k), 0, 1});
  for (const std::uint32_t leaf : {1u, 8u}) expect_trees(bodies, leaf);
}

TEST_F(Structures, DoNotDependOnTheUnits) {
  // By powers of two nothing is rounded: 2^100 is 1e30.
  const auto bodies = plummer(3000);
  for (const auto structure : halved) {
    const auto right = built(bodies, 8, structure);
    for (const int length : {-100, 100}) {
      auto scaled = bodies;
      for (auto& b : scaled)
        b = {std::ldexp(b.x, length), std::ldexp(b.y, length), std::ldexp(b.z, length),
             std::ldexp(b.m, -length)};
      EXPECT_TRUE(same_tree(built(scaled, 8, structure), right)) << name_of(structure) << " 2^" << length;
    }
  }
}

TEST_F(Structures, OfMasslessBodies) {
  auto bodies = random_cube(1000, 5);
  for (auto& b : bodies) b.m = 0;
  expect_trees(bodies, 8);
}

TEST_F(Structures, AreTheSameForAnyNumberOfThreadsAnyOrderOfBodiesAndInBothPrecisions) {
  const auto bodies = rounded(plummer(150001));
  for (const auto structure : halved) {
    set_threads(1);
    const auto right = built(bodies, 20, structure);
    for (const int count : {2, 7}) {
      set_threads(count);
      EXPECT_TRUE(same_tree(built(bodies, 20, structure), right))
          << name_of(structure) << ", " << count << " threads";
    }
    Tree single;
    build<float>(single, as<float>(bodies), 20, structure);
    EXPECT_TRUE(same_tree(single, right)) << name_of(structure);
    EXPECT_TRUE(same_places(built(shuffled(bodies), 20, structure), right)) << name_of(structure);
  }
}

TEST_F(Structures, ForgetWhatTheyHeldBefore) {
  const auto few = random_cube(100, 1), many = random_cube(3000, 2);
  for (const auto structure : halved) {
    Tree tree;
    build<double>(tree, many, 4);
    build<double>(tree, few, 8, structure);
    EXPECT_TRUE(same_tree(tree, built(few, 8, structure)));
    EXPECT_EQ(tree.structure, structure);
    build<double>(tree, {}, 8, structure);
    EXPECT_TRUE(tree.cells.empty() && tree.order.empty());
  }
}

TEST_F(Structures, HaveBoxesAndSpheresThatHoldTheirBodies) {
  auto one_place = random_cube(6000, 3);
  for (std::size_t i = 0; i < one_place.size(); i += 3) one_place[i] = {0.25, 0.25, 0.25, 1e-4};
  for (const auto structure : all_structures) {
    SCOPED_TRACE(name_of(structure));
    for (const auto& s : scenes()) expect_volumes(built(s.make(6000), 8, structure));
    expect_volumes(built(one_place, 8, structure));
    expect_volumes(built(two_clumps(1000), 1, structure));
    expect_volumes(built(random_cube(1, 1), 1, structure));
  }
}
