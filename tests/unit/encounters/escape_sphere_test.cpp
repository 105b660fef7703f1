/// The sphere of escapes: half-mass radii and tidal radii of the mass within it, about the density centre.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "encounters/escape_sphere.hpp"

#include "core/threads.hpp"

#include <pleiad/potential.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::encounters;

namespace {

Gravity in(const std::vector<std::string>& potentials) {
  Gravity g{.G = 2, .softening = {}, .boundary = {}, .dimension = 3};
  for (const auto& text : potentials) g.potentials.push_back(potential_of(text));
  return g;
}

/// Bodies of a uniform sphere of radius 1 about a centre, moving with it, in the order of their distances;
/// then others far away on one side.
struct Cluster {
  std::vector<double> mass;
  std::vector<Place> places;
  std::size_t members;
};
Cluster cluster_of(std::size_t members, std::size_t gone, const Vec3<double>& centre, double of_each) {
  Cluster c{.mass = std::vector<double>(members + gone, of_each), .places = {}, .members = members};
  Random random(11, 0);
  for (std::size_t i = 0; i < members; ++i) {
    const double r = std::cbrt((double(i) + 0.5) / double(members)), z = random.uniform(-1, 1),
                 angle = random.uniform(0, 6.283185307179586), across = std::sqrt(1 - z * z);
    c.places.push_back(
        {centre + r * Vec3<double>{across * std::cos(angle), across * std::sin(angle), z}, {0, 3, 0}});
  }
  for (std::size_t i = 0; i < gone; ++i)
    c.places.push_back({centre + Vec3<double>{50.0 + double(i), 0, 0}, {9, 0, 0}});
  return c;
}
double distance(const Cluster& c, std::size_t i, const Vec3<double>& centre) {
  return norm(c.places[i].x - centre);
}
/// The radius that has `mass` of equal bodies within it: by sorting, in another way than the sphere does.
double radius_with(const Cluster& c, const Vec3<double>& centre, std::size_t count) {
  std::vector<double> all;
  for (std::size_t i = 0; i < c.members; ++i) all.push_back(distance(c, i, centre));
  std::ranges::nth_element(all, all.begin() + std::ptrdiff_t(count) - 1);
  return all[count - 1];
}

}  // namespace

TEST(EscapeSphere, KnowsTheTideOfCircularOrbits) {
  const Vec3<double> x{3, -4, 12};  // at 13
  const double G = 2, r = 13, r3 = r * r * r;
  struct Case {
    std::string text;
    Vec3<double> at;
    double tide;  ///< 4 Omega^2 - kappa^2 = -r d(Omega^2)/dr
  };
  const double b2 = r * r + 25, bar = 5.0, disc2 = bar * bar + 9 * 9;
  for (const auto& [text, at, tide] :
       {Case{"point mass=7", x, 3 * G * 7 / r3},
        Case{"plummer mass=7 scale=5", x, 3 * G * 7 * r * r / (b2 * b2 * std::sqrt(b2))},
        Case{"logarithmic speed=4 core=5", x, 2 * 16 * r * r / (b2 * b2)},
        Case{"miyamoto-nagai mass=7 scale=8 height=1", {3, 4, 0}, 3 * G * 7 * 25 / std::pow(disc2, 2.5)},
        Case{"hill rate=1.5 kappa=1 nu=2", {0.1, 0.2, 0.3}, 4 * 1.5 * 1.5 - 1}, Case{"uniform gx=3", x, 0}})
    EXPECT_NEAR(tide_at(in({text}), at, 0), tide, 1e-13 * tide) << text;
  // A potential that moves is where it is at that time; the sum of two is that of their tensors.
  EXPECT_NEAR(tide_at(in({"point mass=7 x=-10 vx=5"}), x, 2), 3 * G * 7 / r3, 1e-13);
  EXPECT_NEAR(tide_at(in({"point mass=3", "point mass=4"}), x, 0), 3 * G * 7 / r3, 1e-13);
}

TEST(EscapeSphere, CountsHalfMassRadiiOfWhatIsWithin) {
  // Of all 1900 the half is at the edge of the cluster; of those within five times that it is inside.
  const auto c = cluster_of(1000, 900, {100, 20, -5}, 0.5);
  const EscapeLimit limit{.radius = 5, .unit = EscapeUnit::half_mass_radius};
  const auto sphere = sphere_of(limit, in({}), c.mass, c.places, 0);
  EXPECT_LE(norm(sphere.centre.x - Vec3<double>{100, 20, -5}), 0.1);
  EXPECT_EQ(sphere.centre.v, (Vec3<double>{0, 3, 0}));
  EXPECT_NEAR(sphere.radius, 5 * radius_with(c, sphere.centre.x, 500), 1e-12);
  // About the centre of mass of all, the others draw the centre away by half their distance.
  const EscapeLimit about_mass{
      .radius = 5, .unit = EscapeUnit::half_mass_radius, .centre = EscapeCentre::mass};
  EXPECT_GE(sphere_of(about_mass, in({}), c.mass, c.places, 0).centre.x.x, 300);
  // A length may be about either.
  const auto by_mass = sphere_of({.radius = 2}, in({}), c.mass, c.places, 0),
             dense = sphere_of({.radius = 2, .centre = EscapeCentre::density}, in({}), c.mass, c.places, 0);
  EXPECT_EQ(by_mass.radius, 2);
  EXPECT_EQ(by_mass.centre.x, centre_of(c.mass, c.places).x);
  EXPECT_EQ(dense.centre.x, sphere.centre.x);
}

TEST(EscapeSphere, TakesTheTidalRadiusOfTheMassWithinIt) {
  // Hill's radius of a third of the mass of 3 that a point has at 40: (m / 3 M)^(1/3) of the distance.
  const std::vector<std::string> galaxy{"point mass=4000"};
  const auto c = cluster_of(1000, 200, {24, 32, 0}, 3e-3);
  const auto sphere =
      sphere_of({.radius = 1, .unit = EscapeUnit::tidal_radius}, in(galaxy), c.mass, c.places, 0);
  const double from_galaxy = norm(sphere.centre.x);
  EXPECT_NEAR(sphere.radius, from_galaxy * std::cbrt(3 / (3 * 4000.0)), 1e-12);
  const auto twice =
      sphere_of({.radius = 2, .unit = EscapeUnit::tidal_radius}, in(galaxy), c.mass, c.places, 0);
  EXPECT_NEAR(twice.radius, 2 * sphere.radius, 1e-12);
  // Where the tide is stronger than that of the whole cluster, none of a uniform sphere stays; without a tide
  // all do.
  const auto gone =
      sphere_of({.radius = 1, .unit = EscapeUnit::tidal_radius}, in({"point mass=1e9"}), c.mass, c.places, 0);
  EXPECT_EQ(gone.radius, 0);
  const auto all =
      sphere_of({.radius = 1, .unit = EscapeUnit::tidal_radius}, in({"uniform gz=1"}), c.mass, c.places, 0);
  EXPECT_TRUE(std::isinf(all.radius) && all.radius > 0);
}

TEST(EscapeSphere, IsSomethingForNoBodiesAndForFew) {
  for (const std::size_t n : {0UL, 1UL, 2UL, 3UL})
    for (const auto unit : {EscapeUnit::length, EscapeUnit::half_mass_radius, EscapeUnit::tidal_radius}) {
      const auto c = cluster_of(n, 0, {5, 0, 0}, 1);
      const auto sphere =
          sphere_of({.radius = 4, .unit = unit}, in({"point mass=1e-3"}), c.mass, c.places, 0);
      EXPECT_TRUE(sphere.radius >= 0) << n;
      EXPECT_TRUE(std::isfinite(norm(sphere.centre.x) + norm(sphere.centre.v))) << n;
      if (unit == EscapeUnit::tidal_radius || n < 2) continue;
      for (const auto& place : c.places) EXPECT_LE(norm(place.x - sphere.centre.x), sphere.radius);
    }
}

TEST(EscapeSphere, HasTheSameBitsForAnyThreads) {
  const auto c = cluster_of(5000, 100, {24, 32, 0}, 3e-3);
  const auto gravity = in({"point mass=400"});
  const int all = threads();
  for (const auto unit : {EscapeUnit::half_mass_radius, EscapeUnit::tidal_radius}) {
    set_threads(1);
    const auto one = sphere_of({.radius = 4, .unit = unit}, gravity, c.mass, c.places, 0);
    set_threads(3);
    const auto three = sphere_of({.radius = 4, .unit = unit}, gravity, c.mass, c.places, 0);
    EXPECT_EQ(one.radius, three.radius);
    EXPECT_EQ(one.centre.x, three.centre.x);
    EXPECT_EQ(one.centre.v, three.centre.v);
    EXPECT_TRUE(one.radius > 0);
  }
  set_threads(all);
}
