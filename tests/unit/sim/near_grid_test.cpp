/// Bodies near a place by a grid: those that a look at all of them finds, in the same order, while they move
/// and are replaced.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "integrate/block_bodies.hpp"

#include <pleiad/models.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

BlockBodies sphere(std::size_t n) {
  const auto b = make_model("plummer", std::vector<std::string>{"n=" + std::to_string(n)}, 5).bodies;
  BlockBodies all;
  all.resize(n);
  all.paths.pulling = n;
  for (std::size_t k = 0; k < n; ++k) {
    BodyPaths::set(all.paths.x_now, k, b.position(k)), BodyPaths::set(all.paths.v_now, k, b.velocity(k));
    all.levels[k] = k % 17 == 3 ? -1 : 0;
  }
  BodyPaths::set(all.paths.x_now, 5, {1e20, -1e20, 0});
  return all;
}
std::vector<std::uint32_t> within(const BlockBodies& all, std::size_t body, double distance) {
  std::vector<std::uint32_t> found;
  all.within(body, distance, [&](std::uint32_t k) { found.push_back(k); });
  return found;
}
/// How many are found, where the grid and a look at all find the same; else -1.
int found_by_both(const BlockBodies& all) {
  auto without = all;
  without.near.forget();
  std::size_t count = 0;
  for (const double distance : {0.0, 1e-3, 0.02, 0.1, 0.5})
    for (std::size_t k = 0; k < all.paths.pulling; k += 7) {
      const auto found = within(all, k, distance);
      if (found != within(without, k, distance)) return -1;
      count += found.size();
    }
  return int(count);
}

}  // namespace

TEST(NearGrid, FindsTheBodiesThatAreNear) {
  for (const std::size_t n : {100U, 3000U}) {
    auto all = sphere(n);
    all.near.look(all.paths);
    std::vector<std::uint32_t> some;
    EXPECT_EQ(all.near.about({0.5, 0.5, 0.5}, 0.01, some), n == 3000);
    EXPECT_LE(some.size(), n / 8);
    EXPECT_GT(found_by_both(all), 0) << n;
    // They move by small parts of a cell, and in the end across many; some are replaced, and come.
    for (const double time : {1e-3, 2e-3, 0.3, 1e-3})
      for (int step = 0; step < 5; ++step) {
        for (std::size_t k = 0; k < all.paths.pulling; ++k)
          for (std::size_t c = 0; c < 3; ++c) all.paths.x_now[c][k] += time * all.paths.v_now[c][k];
        all.near.look(all.paths);
        const std::size_t k = 11 * std::size_t(step) + 1;
        BodyPaths::set(all.paths.x_now, k, BodyPaths::at(all.paths.x_now, k + 40) + Vec3<double>{1e-4, 0, 0});
        all.near.replaced(all.paths, k);
        EXPECT_GT(found_by_both(all), 0) << n << " " << time << " " << step;
      }
  }
}

TEST(BlockBodies, TellWhichPathsHaveChanged) {
  auto all = sphere(10);
  all.paths.unit = 0.5, all.paths.from[3] = 0.25;
  all.paths.changed.clear();
  all.shift(3, 0.75, {1, 0, 0}, {0, 2, 0});
  EXPECT_EQ(all.paths.changed, std::vector<std::uint32_t>{3});
  // At 0.75, a quarter after where the path begins.
  EXPECT_TRUE((BodyPaths::at(all.paths.x, 3) == Vec3<double>{1, -0.5, 0}));
  EXPECT_TRUE((BodyPaths::at(all.paths.v, 3) == Vec3<double>{0, 2, 0}));
}

TEST(BlockBodies, FindThoseOfALevelAndFinerOnes) {
  auto all = sphere(1000);
  for (std::size_t k = 0; k < 1000; ++k)
    all.levels[k] = k % 300 < 290 ? std::int8_t(k % 5) : std::int8_t(k % 40);
  all.levels[17] = -1;
  for (const int least : {0, 3, 5, 38, 40}) {
    std::vector<std::uint32_t> found{1}, expected;
    for (std::uint32_t k = 0; k < 1000; ++k)
      if (all.levels[k] >= least) expected.push_back(k);
    all.from_level(least, found);
    EXPECT_EQ(found, expected) << least;
  }
}

}  // namespace pleiad
