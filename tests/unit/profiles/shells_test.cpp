/// Profiles in shells against closed forms of spheres in equilibrium.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "profiles/profiles.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/rng.hpp>

#include <cmath>
#include <numbers>
#include <numeric>

#include <gtest/gtest.h>

using namespace pleiad;
using profiles::Bins;
using profiles::Choice;
using profiles::Columns;
using profiles::frame_of;
using profiles::phase_space;
using profiles::radial_profile;

namespace {

constexpr double pi = std::numbers::pi;
/// Standard errors allowed: a normal deviate exceeds 5 with the probability 6e-7; no test looks at 1000.
constexpr double sigmas = 5;
const Choice at_rest{.centre = Vec3<double>{}, .velocity = Vec3<double>{}, .axis = Vec3<double>{0, 0, 1}};

Snapshot sphere(const char* name, double n) { return model(name, {{"n", n}}, 7); }

/// Density in every shell against the mass of a closed form in it. A shell has a binomial number of bodies,
/// whose variance is at most its mean.
void expect_densities(const Columns& c, double n, double (*mass)(double)) {
  for (std::size_t k = 0; k < c.rows(); ++k) {
    const double low = c["radius_low"][k], high = c["radius_high"][k];
    const double volume = 4 * pi / 3 * (high * high * high - low * low * low);
    const double part = mass(high) - mass(low);
    EXPECT_LE(std::abs(c["density"][k] - part / volume), sigmas * std::sqrt(part / n) / volume)
        << "shell " << k;
    // The stated error is that of the bodies found: sqrt(bodies) of mass 1 / n.
    EXPECT_LE(std::abs(c["density_error"][k] - std::sqrt(c["bodies"][k]) / n / volume),
              1e-12 * c["density_error"][k]);
    const double inside = mass(c["radius"][k]);
    EXPECT_LE(std::abs(c["enclosed_mass"][k] - inside), sigmas * std::sqrt(inside * (1 - inside) / n)) << k;
  }
}

/// Dispersions of an isotropic sphere, between the extremes of its variance in each shell. The variance of n
/// draws with a kurtosis of at most 3, that of a normal distribution, has the standard error sqrt(2 / n) of
/// itself: the speeds of these spheres are bounded, so that their kurtosis is lower. Two components together
/// have sqrt(1 / n).
void expect_isotropic(const Columns& c, double (*variance)(double)) {
  for (std::size_t k = 0; k < c.rows(); ++k) {
    const double n = c["bodies"][k];
    if (n < 50) continue;
    double most = 0, least = 1e300;
    for (int j = 0; j <= 20; ++j) {
      const double r = std::lerp(c["radius_low"][k], c["radius_high"][k], j / 20.0);
      most = std::max(most, variance(r)), least = std::min(least, variance(r));
    }
    const double radial = std::pow(c["radial_dispersion"][k], 2),
                 tangential = std::pow(c["tangential_dispersion"][k], 2);
    // (n - 1) / n: the variance about the mean of the sample.
    EXPECT_LE(radial, most * (1 + sigmas * std::sqrt(2 / n))) << k;
    EXPECT_GE(radial, least * (1 - 1 / n - sigmas * std::sqrt(2 / n))) << k;
    EXPECT_LE(tangential, most * (1 + sigmas * std::sqrt(1 / n))) << k;
    EXPECT_GE(tangential, least * (1 - 1 / n - sigmas * std::sqrt(1 / n))) << k;
    EXPECT_LE(std::abs(c["anisotropy"][k]), sigmas * 1.5 * std::sqrt(3 / n)) << k;
    EXPECT_LE(std::abs(c["radial_velocity"][k]), sigmas * std::sqrt(most / n)) << k;
    EXPECT_LE(std::abs(c["azimuthal_velocity"][k]), sigmas * std::sqrt(most / n)) << k;
  }
}

constexpr double a = 3 * pi / 16;  // Plummer's radius in Henon's units
double plummer_mass(double r) { return std::pow(1 + a * a / (r * r), -1.5); }
double plummer_variance(double r) { return 1 / (6 * std::sqrt(r * r + a * a)); }

double hernquist_mass(double r) { return r * r / ((r + 1) * (r + 1)); }
/// Hernquist (ApJ 356, 359, 1990), eq. 10, G = M = a = 1.
double hernquist_variance(double r) {
  return r * std::pow(r + 1, 3) * std::log((r + 1) / r) -
         r / (r + 1) * (25 + 52 * r + 42 * r * r + 12 * r * r * r) / 12;
}

double sum(const std::vector<double>& column) { return std::accumulate(column.begin(), column.end(), 0.0); }

}  // namespace

TEST(Profiles, OfAPlummerSphereAreItsClosedForm) {
  const auto c = radial_profile(sphere("plummer", 40000), at_rest, {.count = 24, .low = 0.1, .high = 6});
  ASSERT_EQ(c.rows(), 24U);
  EXPECT_NEAR(c["radius_high"].back(), 6, 1e-15);
  expect_densities(c, 40000, plummer_mass);
  expect_isotropic(c, plummer_variance);
}

TEST(Profiles, OfAHernquistSphereAreItsClosedForm) {
  const auto s = model("hernquist", {{"n", 40000}, {"cut", 0}}, 7);
  const auto c = radial_profile(s, at_rest, {.count = 20, .low = 0.05, .high = 10});
  expect_densities(c, 40000, hernquist_mass);
  expect_isotropic(c, hernquist_variance);
}

// rho ~ r^-2: equal numbers of bodies in equal intervals of radius, a constant dispersion.
TEST(Profiles, OfAnIsothermalSphereHaveOneDispersion) {
  constexpr int n = 30000;
  Snapshot s;
  Random random(5, 0);
  for (int i = 0; i < n; ++i) {
    const double r = random.uniform();
    const auto direction = random.direction();
    s.bodies.add(1.0 / n, r * direction, {random.normal(), random.normal(), random.normal()});
  }
  const auto c = radial_profile(s, at_rest, {.count = 10, .logarithmic = false, .low = 0, .high = 1});
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_LE(std::abs(c["mass"][k] - 0.1), sigmas * std::sqrt(0.1 / n)) << k;
    const double bodies = c["bodies"][k];
    EXPECT_LE(std::abs(std::pow(c["radial_dispersion"][k], 2) - 1),
              1 / bodies + sigmas * std::sqrt(2 / bodies));
    EXPECT_LE(std::abs(std::pow(c["tangential_dispersion"][k], 2) - 1),
              1 / bodies + sigmas * std::sqrt(1 / bodies));
    EXPECT_NEAR(c["radius"][k], 0.05 + 0.1 * double(k), 1e-14) << "the middle of a linear bin";
  }
}

TEST(Profiles, FindTheCentreAndItsVelocity) {
  auto s = sphere("plummer", 20000);
  const auto here = radial_profile(s, at_rest, {.count = 12, .low = 0.3, .high = 4});
  const Vec3<double> place{100, -50, 7}, speed{3, 0, -11};
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    s.bodies.x[i] += place.x, s.bodies.y[i] += place.y, s.bodies.z[i] += place.z;
    s.bodies.vx[i] += speed.x, s.bodies.vy[i] += speed.y, s.bodies.vz[i] += speed.z;
  }
  const auto frame = frame_of(s, {});
  // Means over a tenth of the bodies, which lie within 0.31 and have one-dimensional dispersions below 0.54:
  // 5 standard errors are 5 * 0.31 / sqrt 2000 = 0.035 and 5 * 0.54 / sqrt 2000 = 0.06, in each component.
  EXPECT_LE(norm(frame.centre - place), std::sqrt(3) * 0.035);
  EXPECT_LE(norm(frame.velocity - speed), std::sqrt(3) * 0.06);
  const auto there = radial_profile(s, {}, {.count = 12, .low = 0.3, .high = 4});
  for (std::size_t k = 0; k < 12; ++k) {
    const double low = here["radius_low"][k], high = here["radius_high"][k];
    // Moving the centre by d moves bodies over an edge from a layer of thickness d at most.
    const double d = norm(frame.centre - place);
    const double moved =
        plummer_mass(high + d) - plummer_mass(high - d) + plummer_mass(low + d) - plummer_mass(low - d);
    EXPECT_LE(std::abs(there["mass"][k] - here["mass"][k]), moved + sigmas * std::sqrt(moved / 20000)) << k;
  }
}

TEST(Profiles, AreOfTheChosenTypesOnly) {
  Snapshot s;
  for (int i = 0; i < 100; ++i) s.bodies.add(1, {1.0 + i, 0, 0}, {0, 1, 0}, i % 2 ? Type::disc : Type::halo);
  const Bins bins{.count = 4, .logarithmic = false, .low = 0, .high = 200};
  auto choice = at_rest;
  EXPECT_EQ(sum(radial_profile(s, choice, bins)["mass"]), 100);
  choice.types = {Type::disc};
  EXPECT_EQ(sum(radial_profile(s, choice, bins)["mass"]), 50);
  choice.types = {Type::disc, Type::halo};
  EXPECT_EQ(sum(radial_profile(s, choice, bins)["mass"]), 100);
  choice.types = {Type::star};
  EXPECT_THROW(radial_profile(s, choice, bins), InputError);
}

TEST(Profiles, LookThroughTheSidesOfAPeriodicBox) {
  Snapshot s;
  s.boundary = {.periodic = true, .length = {10, 10, 10}};
  s.bodies.add(1, {9.5, 0, 0}, {1, 0, 0});
  s.bodies.add(1, {0.5, 0, 0}, {1, 0, 0});
  const auto c = radial_profile(s, at_rest, {.count = 1, .logarithmic = false, .low = 0, .high = 1});
  EXPECT_EQ(c["bodies"][0], 2);
  EXPECT_EQ(c["radial_velocity"][0], 0) << "one approaches, one recedes";
}

TEST(Profiles, OfEmptyShellsHaveNoVelocities) {
  Snapshot s;
  s.bodies.add(1, {1, 0, 0}, {0, 0, 0});
  s.bodies.add(1, {3, 0, 0}, {0, 0, 0});
  const auto c = radial_profile(s, at_rest, {.count = 3, .logarithmic = false, .low = 0, .high = 3});
  EXPECT_EQ(c["bodies"], (std::vector<double>{0, 1, 1})) << "the last edge belongs to the last shell";
  EXPECT_TRUE(std::isnan(c["radial_velocity"][0]));
  EXPECT_TRUE(std::isnan(c["radial_dispersion"][1])) << "one body has no dispersion";
  EXPECT_EQ(c["density"][0], 0);
}

TEST(Profiles, ChooseTheirBinsByTheBodies) {
  const auto s = sphere("plummer", 5000);
  const auto log = radial_profile(s, {}, {});
  EXPECT_EQ(log.rows(), 32U);
  // 10 bodies, a 500th, lie within the first edge, 0.5 % beyond the last.
  EXPECT_NEAR(sum(log["bodies"]), 5000 * 0.995 - 9, 1);
  const auto linear = radial_profile(s, {}, {.count = 20, .logarithmic = false});
  EXPECT_EQ(linear["radius_low"][0], 0);
  EXPECT_NEAR(sum(linear["bodies"]), 4750, 1);
  for (const double few : {1.0, 2.0, 9.0, 30.0}) {
    Snapshot some;
    for (int i = 0; i < few; ++i) some.bodies.add(1, {i + 1.0, 0, 0}, {});
    for (const bool logarithmic : {true, false})
      EXPECT_NO_THROW(radial_profile(some, at_rest, {.logarithmic = logarithmic})) << few;
  }
  Snapshot one;
  one.bodies.add(1, {0, 0, 0}, {});
  EXPECT_THROW(radial_profile(one, at_rest, {}), InputError);
  EXPECT_THROW(radial_profile(s, {}, {.low = 2, .high = 1}), UsageError);
  EXPECT_THROW(radial_profile(s, {}, {.count = 0}), UsageError);
}

TEST(PhaseSpace, HasTheMassOfTheShells) {
  const auto s = sphere("plummer", 3000);
  const Bins bins{.count = 10, .logarithmic = false, .low = 0, .high = 3};
  const auto shells = radial_profile(s, {}, bins);
  const auto cells = phase_space(s, {}, bins, 16, 100);
  ASSERT_EQ(cells.rows(), 160U);
  for (std::size_t k = 0; k < 10; ++k) {
    double mass = 0;
    for (std::size_t j = 0; j < 16; ++j) mass += cells["mass"][16 * k + j];
    EXPECT_NEAR(mass, shells["mass"][k], 1e-12) << "sums of at most 3000 numbers in another order";
    EXPECT_EQ(cells["radius"][16 * k + 3], shells["radius"][k]);
  }
  // By themselves the cells leave out the fastest 0.2 % of the bodies, and reach 5 % further.
  EXPECT_GE(sum(phase_space(s, {}, bins, 16, 0)["bodies"]), 0.997 * sum(shells["bodies"]));
  // 3000 / 5 cells.
  EXPECT_EQ(phase_space(s, {}, {.count = 0, .logarithmic = false}, 0, 0).rows(), 24U * 24U);
  Snapshot two;
  two.bodies.add(2, {1, 0, 0}, {-3, 9, 9});
  two.bodies.add(1, {0, 2, 0}, {9, 1, 9});
  const auto c = phase_space(two, at_rest, {.count = 2, .logarithmic = false, .low = 0, .high = 2}, 4, 4);
  EXPECT_EQ(c["mass"], (std::vector<double>{0, 0, 0, 0, 2, 0, 1, 0}))
      << "v_r = -3 and 1, both in the second bin";
}
