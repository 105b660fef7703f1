/// Groups and densities of comoving bodies against what the expansion makes of them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "structure/comoving.hpp"

#include "structure/mass_function.hpp"
#include "structure/measures.hpp"
#include "unit/structure/chosen.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad::structure {
namespace {

/// A Plummer sphere of a tenth of the matter in a box of side 40, whose other bodies are far apart, at the
/// scale factor a.
Snapshot sphere_in_box(double a) {
  auto s = model("plummer", {{"n", 2000}}, 3);
  auto& b = s.bodies;
  for (std::size_t i = 0; i < b.size(); ++i) b.x[i] += 20, b.y[i] += 20, b.z[i] += 20;
  b.add(9, {1, 1, 1}, {0, 0, 0});
  s.boundary = {.periodic = true, .length = {40, 40, 40}, .images = Images::all};
  s.time = a;
  return s;
}

constexpr ComovingUniverse matter_alone{.omega_m = 1};

FoundGroups groups_in(const Snapshot& s, const ComovingUniverse& universe) {
  return find_groups(s, all_of(s.bodies), {.distance = 0.5, .comoving = comoving_of(s, universe)});
}

}  // namespace

/// In a universe of matter alone the critical comoving density is the mean one at all times, and a virialised
/// sphere has 18 pi^2 of it.
TEST(Comoving, HasTheDensitiesOfAUniverseOfMatter) {
  for (const double a : {0.1, 1.0}) {
    const auto s = sphere_in_box(a);
    const auto c = comoving_of(s, matter_alone);
    ASSERT_TRUE(c);
    const double mean = 10.0 / 64000;
    EXPECT_NEAR(mean_density(s) / mean, 1, 1e-12);
    EXPECT_NEAR(c->critical_density(s.G) / mean, 1, 1e-12) << a;
    const auto found = groups_in(s, matter_alone);
    ASSERT_EQ(found.groups.size(), 1u);
    std::vector<std::string> names;
    for (const auto& named : found.facts.densities) names.push_back(named.name);
    EXPECT_EQ(names, (std::vector<std::string>{"Mean200", "Crit200", "TopHat200"}));
    const auto& spheres = found.properties[0].spheres;
    EXPECT_NEAR(spheres[0].radius / spheres[1].radius, 1, 1e-9);  // the same density, to rounding
    EXPECT_GT(spheres[2].radius, spheres[1].radius);              // 178 is less than 200
    EXPECT_NEAR(found.facts.densities[2].density / mean, 18 * std::numbers::pi * std::numbers::pi, 1e-9);
  }
}

/// Omega_m(z = 1) = 2.4 / 3.1 of omega_m = 0.3: the densities of 200c and 200m are in this ratio.
TEST(Comoving, TakesTheMatterOfItsOwnTime) {
  const auto s = sphere_in_box(0.5);
  const auto found = groups_in(s, {.omega_m = 0.3, .omega_lambda = 0.7});
  const auto& d = found.facts.densities;
  EXPECT_NEAR(d[0].density / d[1].density, 2.4 / 3.1, 1e-12);
  const double x = 2.4 / 3.1 - 1, fit = 18 * std::numbers::pi * std::numbers::pi + 82 * x - 39 * x * x;
  EXPECT_NEAR(d[2].density / d[1].density, fit / 200, 1e-12);
}

/// Velocities against the expansion, -a H x: nothing moves relative to the centre.
TEST(Comoving, AddsTheExpansionToPeculiarVelocities) {
  constexpr double a = 0.25;
  auto s = sphere_in_box(a);
  const auto c = comoving_of(s, matter_alone);
  auto& b = s.bodies;
  for (std::size_t i = 0; i + 1 < b.size(); ++i) {
    b.vx[i] = 1 - c->flow() * (b.x[i] - 20), b.vy[i] = -c->flow() * (b.y[i] - 20);
    b.vz[i] = -c->flow() * (b.z[i] - 20);
  }
  const auto found = groups_in(s, matter_alone);
  const auto& p = found.properties[0];
  // H = sqrt(8 pi / 3 a^3) at the mean density of 10 / 64000, and a H is its double here.
  EXPECT_NEAR(c->flow(), 2 * std::sqrt(8 * std::numbers::pi / 3 * 10 / 64000), 1e-12);
  EXPECT_LE(p.velocity_dispersion, 1e-13);
  EXPECT_GT(find_groups(s, all_of(s.bodies), {.distance = 0.5}).properties[0].velocity_dispersion,
            0.1 * c->flow());
}

/// The same bodies in static space: distances are a times as large, the rest follows.
TEST(Comoving, MakesSpinsAndCircularVelocitiesPhysical) {
  const auto s = sphere_in_box(0.25);
  const auto at_rest = find_groups(s, all_of(s.bodies), {.distance = 0.5}).properties[0];
  const auto p = groups_in(s, matter_alone).properties[0];
  EXPECT_NEAR(p.circular_velocity / at_rest.circular_velocity, 2, 1e-12);
  EXPECT_EQ(p.circular_radius, at_rest.circular_radius);
  // The expansion is along the radius: it adds to no spin, but for rounding of the sum.
  const auto& l = at_rest.angular_momentum;
  EXPECT_LE(norm(p.angular_momentum - 0.25 * l), 1e-12 * norm(l));
}

TEST(Comoving, RefusesWhatIsNoUniverse) {
  auto s = sphere_in_box(1);
  EXPECT_THROW(comoving_of(s, ComovingUniverse{.omega_m = 0}), InputError);
  EXPECT_FALSE(comoving_of(s, std::nullopt));
  s.time = 0;
  EXPECT_THROW(comoving_of(s, matter_alone), InputError);
  s.time = 1, s.boundary = {};
  EXPECT_THROW(comoving_of(s, matter_alone), InputError);  // no H0 without a density
  s.units = units_named("galactic");
  EXPECT_NEAR(comoving_of(s, matter_alone)->hubble, 0.1, 1e-7);  // km/s/(kpc/h)
}

TEST(MassFunction, CountsGroupsPerVolumeAndDecade) {
  const std::vector<double> masses{1, 1.5, 1.9, 20, 99.9, 100};
  const auto bins = mass_function(masses, 2, 1);
  ASSERT_EQ(bins.size(), 3u);
  const auto expect = [](const MassBin& bin, double low, double mean, std::size_t groups, double above) {
    EXPECT_NEAR(bin.low / low, 1, 1e-15);
    EXPECT_NEAR(bin.mean / mean, 1, 1e-14);
    EXPECT_EQ(bin.groups, groups);
    EXPECT_EQ(bin.density, double(groups) / 2);
    EXPECT_NEAR(bin.error, std::sqrt(double(groups)) / 2, 1e-15);
    EXPECT_EQ(bin.above, above);
  };
  expect(bins[0], 1, 4.4 / 3, 3, 3);
  expect(bins[1], 10, 119.9 / 2, 2, 1.5);
  expect(bins[2], 100, 100, 1, 0.5);                  // an edge belongs to the bin above
  const auto quarters = mass_function(masses, 2, 4);  // to 1.78, to 3.16, to 5.6, ...
  EXPECT_EQ(quarters[0].density, 4);
  EXPECT_EQ(quarters[1].density, 2);
  EXPECT_EQ(quarters[2].density, 0);
  EXPECT_TRUE(mass_function({}, 2, 4).empty());
  EXPECT_THROW(mass_function(masses, 0, 4), UsageError);
  EXPECT_THROW(mass_function(std::vector<double>{0.0}, 1, 4), UsageError);
}

TEST(MassFunction, TakesTheMassesThatAreAskedFor) {
  const auto found = groups_in(sphere_in_box(1), matter_alone);
  EXPECT_EQ(masses_of(found, "members"), std::vector<double>{found.properties[0].mass});
  EXPECT_EQ(masses_of(found, "vir"), std::vector<double>{found.properties[0].spheres[2].mass});
  EXPECT_THROW(masses_of(found, "500c"), UsageError);
}

}  // namespace pleiad::structure
