/// Properties of groups against what is known of them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "structure/catalogue.hpp"

#include "core/threads.hpp"
#include "unit/structure/chosen.hpp"

#include <pleiad/models.hpp>
#include <pleiad/radii.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad::structure {
namespace {

constexpr double ball = 4 * std::numbers::pi / 3;

/// A Plummer sphere of mass 1 and this length (energy -1/4) whose centre is at a corner of a box of side 40
/// and moves.
constexpr double length = 3 * std::numbers::pi / 16;
Snapshot at_a_corner() {
  auto s = model("plummer", {{"n", 20000}}, 3);
  auto& b = s.bodies;
  for (std::size_t i = 0; i < b.size(); ++i) b.vx[i] += 2;
  s.boundary = {.periodic = true, .length = {40, 40, 40}};
  const auto in = [](double x) { return x - 40 * std::floor(x / 40); };
  for (std::size_t i = 0; i < b.size(); ++i) b.x[i] = in(b.x[i]), b.y[i] = in(b.y[i]), b.z[i] = in(b.z[i]);
  return s;
}

}  // namespace

TEST(Spheres, HaveTheMeanDensity) {
  // A uniform density of 1 to the radius 1, nothing beyond: shells of equal mass.
  std::vector<double> radii, masses;
  for (int k = 1; k <= 1000; ++k) radii.push_back(std::cbrt(k / 1000.0)), masses.push_back(ball / 1000);
  const auto inside = sphere_of(radii, masses, 0.5);
  EXPECT_DOUBLE_EQ(inside.mass, std::accumulate(masses.begin(), masses.end(), 0.0));
  EXPECT_NEAR(inside.radius, std::cbrt(2), 1e-12);  // beyond the last body
  const auto none = sphere_of(radii, masses, 2);
  EXPECT_EQ(none.radius, 0);
  EXPECT_EQ(none.mass, 0);
  // A second body of mass far out does not belong to the sphere that has ended before it.
  radii.push_back(3), masses.push_back(1000);
  EXPECT_NEAR(sphere_of(radii, masses, 0.5).radius, std::cbrt(2), 1e-12);
  EXPECT_EQ(sphere_of({}, {}, 1).radius, 0);
}

/// M(<r) = r^3 / (r^2 + a^2)^(3/2): the mean density is 1 / (ball (r^2 + a^2)^(3/2)).
TEST(Catalogue, HasTheSpheresOfAPlummerSphere) {
  const auto s = at_a_corner();
  const auto groups = friends_of_friends(s.bodies, all_of(s.bodies), s.boundary, 0.6, 20);
  ASSERT_GE(groups.size(), 1u);
  const std::vector<double> radii{3 * length, length};
  std::vector<double> densities;
  for (const double r : radii) densities.push_back(1 / (ball * std::pow(r * r + length * length, 1.5)));
  const auto all = properties_of(groups, s, densities);
  const auto& g = all.front();
  EXPECT_EQ(g.members, groups.of(0).size());
  EXPECT_EQ(g.of_type[std::size_t(Type::star)], g.members);
  EXPECT_NEAR(g.mass, double(g.members) / 20000, 1e-12);
  for (const double c : {g.centre.x, g.centre.y, g.centre.z}) {
    EXPECT_GE(c, 0);
    EXPECT_LT(c, 40);
    EXPECT_LT(std::min(c, 40 - c), 0.05);  // 2000 bodies make the centre
  }
  ASSERT_EQ(g.spheres.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    const double r = radii[k], mass = std::pow(r * r / (r * r + length * length), 1.5);
    // Five standard deviations of the number within r; d ln M / d ln r of M at fixed density is larger
    // than 1.
    const double deviation = 5 * std::sqrt(mass * (1 - mass) / 20000) / mass;
    EXPECT_NEAR(g.spheres[k].mass / mass, 1, 2 * deviation + 0.01) << r;
    EXPECT_NEAR(g.spheres[k].mass / (ball * std::pow(g.spheres[k].radius, 3) * densities[k]), 1, 1e-12);
  }
  EXPECT_NEAR(g.velocity.x, 2, 0.02);
  EXPECT_GT(g.extent, 3 * length);
  // v^2 = G M r^2 / (r^2 + a^2)^(3/2) is largest at sqrt 2 a: 2 / 3^(3/2) of G M / a.
  EXPECT_NEAR(g.circular_velocity, std::sqrt(s.G / length * 2 / std::pow(3.0, 1.5)), 0.02);
  EXPECT_NEAR(g.circular_radius, std::numbers::sqrt2 * length, 0.15);
}

/// The sphere holds all bodies of the snapshot, the smaller group beside it too.
TEST(Catalogue, CountsBodiesThatAreNoMembers) {
  Snapshot s;
  for (int k = 0; k < 100; ++k) s.bodies.add(0.01, {0.001 * k, 0, 0}, {});
  s.bodies.add(1, {0.5, 0, 0}, {});
  const auto groups = friends_of_friends(s.bodies, all_of(s.bodies), s.boundary, 0.01, 20);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups.of(0).size(), 100u);
  const auto all = properties_of(groups, s, std::vector<double>{1});
  EXPECT_NEAR(all[0].spheres[0].mass, 2, 1e-12);
  EXPECT_NEAR(all[0].mass, 1, 1e-12);
}

TEST(Catalogue, HasTheSameBitsOnAnyNumberOfThreads) {
  const auto s = at_a_corner();
  const auto of = [&](int count) {
    const Threads threads(count);
    const WithThreads with(threads);
    const auto groups = friends_of_friends(s.bodies, all_of(s.bodies), s.boundary, 0.3, 2);
    std::vector<double> numbers;
    for (const auto& g : properties_of(groups, s, std::vector<double>{0.01}))
      numbers.insert(numbers.end(), {double(g.id), g.mass, g.centre.x, g.centre_of_mass.y, g.velocity.z,
                                     g.velocity_dispersion, g.extent, g.angular_momentum.x,
                                     g.circular_velocity, g.spheres[0].mass, g.spheres[0].radius});
    return numbers;
  };
  const auto one = of(1);
  EXPECT_GT(one.size(), 22u);
  EXPECT_EQ(of(2), one);
  EXPECT_EQ(of(3), one);
}

}  // namespace pleiad::structure
