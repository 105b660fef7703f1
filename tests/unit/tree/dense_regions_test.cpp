/// Leaves beside dense regions are small, so that a few bodies in empty surroundings cost little.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "tree/dense_regions.hpp"

#include "core/threads.hpp"
#include "invariants.hpp"
#include "scenes.hpp"
#include "solving.hpp"
#include "tree/curve.hpp"
#include "tree/spread.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>

using namespace pleiad;
using namespace pleiad::tree;
using namespace pleiad::tree_test;

namespace {

constexpr int levels = int(Tree::levels_per_key);

std::uint64_t interleaved(std::int64_t x, std::int64_t y, std::int64_t z) {
  return spread(std::uint64_t(x)) << 2 | spread(std::uint64_t(y)) << 1 | spread(std::uint64_t(z));
}
/// All octants that touch it, itself left out.
std::vector<std::uint64_t> around(std::uint64_t prefix, int level) {
  std::vector<std::uint64_t> found;
  for (int k = 0; k < 27; ++k)
    if (std::uint64_t other = 0; k != 13 && beside(prefix, level, k, other)) found.push_back(other);
  return found;
}
std::vector<std::uint64_t> sorted_keys(std::span<const Mass<double>> bodies) {
  std::vector<std::uint64_t> keys;
  for (const auto& b : bodies) keys.push_back(key_of(b.x, b.y, b.z));
  std::sort(keys.begin(), keys.end());
  return keys;
}
std::map<std::uint64_t, std::size_t> octants(std::span<const std::uint64_t> keys, int level) {
  std::map<std::uint64_t, std::size_t> count;
  for (const auto key : keys) ++count[key >> 3 * (levels - level)];
  return count;
}

/// Half in a cube of sides 2, half in a clump ten thousand times smaller, a corner of which touches four
/// planes at which octants part.
Masses clump_at_a_corner(std::size_t n) {
  auto bodies = random_cube(n, 4);
  for (std::size_t i = 0; i < n; i += 2) {
    auto& b = bodies[i];
    b.x = 0.5 + 1e-4 * std::abs(b.x), b.y = -1e-4 * std::abs(b.y), b.z = 1e-4 * std::abs(b.z);
  }
  return bodies;
}

class Crowds : public testing::Test {
 protected:
  void TearDown() override { set_threads(0); }
};

}  // namespace

TEST_F(Crowds, NeighboursAreThoseOfTheGrid) {
  std::mt19937_64 random(3);
  for (int level = 1; level <= levels; ++level) {
    const std::int64_t end = std::int64_t{1} << level;
    for (int trial = 0; trial < 50; ++trial) {
      std::array<std::int64_t, 3> at{};
      for (auto& x : at)
        x = trial % 3 == 0 ? (random() % 2 ? end - 1 : 0) : std::int64_t(random()) & (end - 1);
      for (int k = 0; k < 27; ++k) {
        // The first axis that k counts is the one of the lowest bits.
        const std::int64_t z = at[2] + k % 3 - 1, y = at[1] + k / 3 % 3 - 1, x = at[0] + k / 9 - 1;
        std::uint64_t other = 0;
        const bool inside = std::min({x, y, z}) >= 0 && std::max({x, y, z}) < end;
        ASSERT_EQ(beside(interleaved(at[0], at[1], at[2]), level, k, other), inside) << level << ", " << k;
        if (inside) {
          ASSERT_EQ(other, interleaved(x, y, z)) << level << ", " << k;
        }
      }
    }
  }
}

TEST_F(Crowds, AreFoundWhereTheyAre) {
  constexpr std::uint32_t leaf = 3;
  for (const auto& bodies :
       {clump_at_a_corner(4000), random_cube(3000, 2), Masses(500, {0.25, 0.5, -1, 1})}) {
    const auto keys = sorted_keys(bodies);
    const auto found = levels_near_dense(keys, leaf);
    std::vector<int> least(keys.size(), 0), most(keys.size(), 0);
    for (int level = 1; level <= levels; ++level) {
      const auto count = octants(keys, level);
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto own = keys[i] >> 3 * (levels - level);
        if (count.at(own) > leaf) continue;
        std::size_t largest = 0;
        for (const auto other : around(own, level))
          if (const auto it = count.find(other); it != count.end()) largest = std::max(largest, it->second);
        if (largest >= 2 * dense_count(leaf)) least[i] = level;
        if (largest > dense_count(leaf)) most[i] = level;
      }
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ASSERT_GE(int(found[i]), least[i]) << i;
      ASSERT_LE(int(found[i]), most[i]) << i;
    }
    set_threads(1);
    EXPECT_EQ(levels_near_dense(keys, leaf), found);
    set_threads(7);
    EXPECT_EQ(levels_near_dense(keys, leaf), found);
  }
  EXPECT_TRUE(levels_near_dense({}, 8).empty());
}

TEST_F(Crowds, AreTouchedByNoLeafAsWideAsTheyAre) {
  constexpr std::uint32_t leaf = 8;
  const auto tree = built(clump_at_a_corner(20000), leaf);
  std::vector<std::uint64_t> keys;
  for (std::size_t i = 0; i < tree.x.size(); ++i) keys.push_back(key_of(tree.x[i], tree.y[i], tree.z[i]));
  std::size_t divided = 0;
  for (int level = 1; level <= levels; ++level) {
    const auto count = octants(keys, level);
    for (const auto& c : tree.cells) {
      if (c.level != unsigned(level)) continue;
      divided += !c.leaf() && c.bodies() <= leaf;
      if (!c.leaf() || c.bodies() == 1) continue;
      for (const auto other : around(keys[c.begin] >> 3 * (levels - level), level))
        ASSERT_LT(count.contains(other) ? count.at(other) : 0, 2 * dense_count(leaf))
            << c.bodies() << " bodies at level " << level;
    }
  }
  EXPECT_GT(divided, 0u);
}

TEST_F(Crowds, MakeAFewDistantBodiesNoDearer) {
  auto bodies = plummer(20000);
  for (const auto structure : {Structure::octree, Structure::kd, Structure::bvh}) {
    const auto pairs = [&](std::span<const Mass<double>> all) {
      const auto solver = make_tree_solver<F32>(
          {.solver = Solver::fmm, .structure = structure, .order = 4, .theta = 0.7, .leaf_size = 32});
      evaluate<F32>(*solver, all, 1e-2, false);
      return solver->work().pairs;
    };
    // One body in a hundred, out to a thousand times the sphere's size.
    auto with = bodies;
    std::mt19937_64 random(8);
    std::uniform_real_distribution<double> one(-1, 1);
    for (int i = 0; i < 200; ++i) {
      const double r = std::pow(10.0, 2 + one(random));
      with.push_back({r * one(random), r * one(random), r * one(random), bodies[0].m});
    }
    // They could have a hundredth more pairs each with all of the sphere, were their leaves as wide as they
    // are few: 2 * 200 * 20000, which is more than half of what the sphere has.
    EXPECT_LE(pairs(with), 1.2 * pairs(bodies)) << name_of(structure);
  }
}
