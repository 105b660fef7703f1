/// The order in which bodies are drawn: complete, and fair in every part.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "live/order.hpp"

#include "unit/live/scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::live;
using namespace pleiad::test;

TEST(Order, EveryBodyIsThereOnce) {
  const auto s = cloud(3001);
  auto order = key_order(s.bodies, box_for(s));
  std::ranges::sort(order);
  std::vector<std::uint32_t> all(3001);
  std::iota(all.begin(), all.end(), 0U);
  EXPECT_EQ(order, all);
}

TEST(Order, EveryNthBodyIsAFairSampleEverywhere) {
  const auto s = cloud(64000);
  const auto scene = scene_of(s);
  constexpr std::size_t stride = 16;
  // In every eighth of space and inside and outside of a sphere: of m bodies along a curve that enters such a
  // part a few dozen times, m / 16 to within as many.
  for (int part = 0; part < 16; ++part) {
    const auto within = [&](std::uint32_t i) {
      const auto x = s.bodies.position(i);
      return ((x.x > 0) == ((part & 1) != 0)) && ((x.y > 0) == ((part & 2) != 0)) &&
             ((x.z > 0) == ((part & 4) != 0)) && ((norm(x) < 0.5) == ((part & 8) != 0));
    };
    double all = 0, drawn = 0;
    for (std::size_t k = 0; k < scene.order->size(); ++k) {
      const bool here = within((*scene.order)[k]);
      all += here ? 1 : 0;
      drawn += here && k % stride == 0 ? 1 : 0;
    }
    ASSERT_GT(all, 1000);
    EXPECT_LE(std::abs(drawn * stride / all - 1), 0.08) << part;  // by chance it would be 0.09 at one sigma
  }
}

TEST(Order, AFewFarAwayDoNotTakeTheRoomOfAllOthers) {
  auto s = cloud(5000);
  s.bodies.x[5] = 1e6;
  s.bodies.y[6] = std::numeric_limits<double>::quiet_NaN();
  const auto box = box_for(s);
  EXPECT_LT(box.size[0], 40);
  EXPECT_GT(box.size[0], 2);
  EXPECT_EQ(quantised(s.bodies.x[5], box.corner[0], box.size[0]), 65535);
  EXPECT_TRUE(suits(box, s));
}

TEST(Order, ABoxIsChangedWhenItsBodiesGrowOrShrink) {
  auto s = cloud(2000);
  const auto box = box_for(s);
  EXPECT_TRUE(suits(box, s));
  const auto scale = [&](double factor) {
    auto other = s;
    for (auto* v : {&other.bodies.x, &other.bodies.y, &other.bodies.z})
      for (auto& x : *v) x *= factor;
    return other;
  };
  EXPECT_TRUE(suits(box, scale(1.05)));
  EXPECT_FALSE(suits(box, scale(1.5)));
  EXPECT_FALSE(suits(box, scale(0.3)));
}

TEST(Order, APeriodicBoxIsTheFramesBox) {
  Snapshot s = cloud(10);
  s.boundary = {.periodic = true, .length = {2, 3, 4}};
  EXPECT_EQ(box_for(s), (Box{{0, 0, 0}, {2, 3, 4}}));
}

TEST(Order, OneBodyHasABox) {
  Snapshot s;
  s.bodies.add(1, {5, 0, 0}, {});
  const auto box = box_for(s);
  EXPECT_GT(box.size[0], 0);
  EXPECT_NE(quantised(5, box.corner[0], box.size[0]) % 65535, 0);
}

TEST(Order, DensitiesFollowTheDensity) {
  // A lattice of spacing 1/20: 8000 bodies per volume inside.
  Snapshot s;
  for (int i = 0; i < 8000; ++i)
    s.bodies.add(1, {0.05 * (i % 20), 0.05 * (i / 20 % 20), 0.05 * (i / 400)}, {});
  const auto scene = scene_of(s);
  auto found = densities(s.bodies, *scene.order);
  std::nth_element(found.begin(), found.begin() + 4000, found.end());
  EXPECT_GT(found[4000], 2000);  // neighbours along the curve are not quite the nearest
  EXPECT_LT(found[4000], 16000);
}
