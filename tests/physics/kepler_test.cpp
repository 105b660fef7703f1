/// Two bodies, whose motion is known: P1 to P5.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"
#include "system.hpp"

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::physics;

namespace {

/// P1: leapfrog on a circle is exact in n: x_n = R cos(n phi), sin(phi/2) = Omega dt / 2, when started with
/// v0 = R sin(phi)/dt.
void exact_circle(Precision precision, double radius_bound, double angle_bound) {
  const double omega = std::sqrt(2.0), dt = 2 * pi / (1000 * omega), phi = 2 * std::asin(omega * dt / 2),
               v = std::sin(phi) / dt;
  Bodies b;
  b.add(1, {-0.5, 0, 0}, {0, -v / 2, 0});
  b.add(1, {0.5, 0, 0}, {0, v / 2, 0});
  Simulation s(snapshot_of(b), Gravity{}, fixed("kdk", dt), in(precision));
  double radius_error = 0, angle_error = 0, angle = 0;
  for (int n = 1; n <= 10000; ++n) {
    s.run_towards(1e9, 1);
    const auto d = separation(s.snapshot().bodies);
    take_larger(radius_error, std::abs(norm(d) - 1));
    angle = std::remainder(std::atan2(d.y, d.x) - n * phi, 2 * pi);
    take_larger(angle_error, std::abs(angle));
  }
  EXPECT_LE(radius_error, radius_bound);
  EXPECT_LE(angle_error, angle_bound);
}

struct Errors {
  double energy = 0, precession = 0, angular_momentum = 0;
};

/// Ten orbits of the pair with eccentricity e.
Errors orbits(std::string_view integrator, double e, int steps_per_orbit) {
  const auto b = kepler_pair(e);
  Simulation s(snapshot_of(b), Gravity{}, fixed(integrator, 2 * pi / steps_per_orbit), in(Precision::f64));
  const auto eccentricity_angle = [](const Bodies& c) {
    const auto r = separation(c), v = relative_velocity(c);
    const auto ev = cross(v, cross(r, v)) - r * (1 / norm(r));
    return std::atan2(ev.y, ev.x);
  };
  const double l0 = cross(separation(b), relative_velocity(b)).z, w0 = eccentricity_angle(b);
  Errors errors;
  errors.energy = worst_energy_error(s, static_cast<std::uint64_t>(10 * steps_per_orbit));
  const auto& end = s.snapshot().bodies;
  errors.precession = (eccentricity_angle(end) - w0) / 10;
  errors.angular_momentum = std::abs(cross(separation(end), relative_velocity(end)).z / l0 - 1);
  return errors;
}

}  // namespace

// 1e4 steps: rounding of a few 1e-16 per step in the radius is bounded by the discrete invariant; the angle
// adds up as a random walk.
TEST(Circle, IsExactInTheDiscreteSenseForLeapfrog) { exact_circle(Precision::f64, 1e-12, 1e-11); }
TEST(Circle, IsExactInMixedPrecisionToThePairsRounding) {
  exact_circle(Precision::mixed, 1e-12 * 0x1p29, 1e-11 * 0x1p29);
}
// Single precision has 29 bits less: the same bounds times 2^29.
TEST(Circle, IsExactInSinglePrecision) { exact_circle(Precision::f32, 1e-12 * 0x1p29, 1e-11 * 0x1p29); }

TEST(Kepler, EnergyErrorFallsWithTheOrder) {
  std::vector<double> leapfrog, fourth;
  for (const int steps : {1024, 512, 256, 128, 64}) {
    leapfrog.push_back(orbits("kdk", 0.5, steps).energy);
    fourth.push_back(orbits("forest-ruth", 0.5, steps).energy);
  }
  EXPECT_LE(std::abs(slope(leapfrog) - 2), 0.05) << slope(leapfrog);
  // The fourth order is asymptotic only from 256 steps per orbit on.
  EXPECT_LE(std::abs(slope({fourth.begin(), fourth.begin() + 3}) - 4), 0.10)
      << slope({fourth.begin(), fourth.begin() + 3});
  // Values of an independent program: 2 % is its last digit.
  EXPECT_LE(std::abs(leapfrog[2] / 1.64e-3 - 1), 0.02) << leapfrog[2];
  EXPECT_LE(std::abs(fourth[2] / 7.54e-6 - 1), 0.02) << fourth[2];
}

TEST(Kepler, SixthOrderFallsWithTheSixthPower) {
  std::vector<double> sixth;
  for (const int steps : {512, 256, 128}) sixth.push_back(orbits("yoshida6", 0.5, steps).energy);
  EXPECT_LE(std::abs(slope(sixth) - 6), 0.3) << slope(sixth);
}

// 2e-13 is left of the error by rounding: the eighth order is seen between 1e-6 and 1e-11.
TEST(Kepler, BlanesMoanAndKahanLiFallWithTheirOrders) {
  std::vector<double> fourth, eighth;
  for (const int steps : {512, 256, 128}) fourth.push_back(orbits("blanes-moan4", 0.5, steps).energy);
  for (const int steps : {160, 113, 80}) eighth.push_back(orbits("kahan-li8", 0.5, steps).energy);
  EXPECT_LE(std::abs(slope(fourth) - 4), 0.1) << slope(fourth);
  // Each of these steps is sqrt 2 times the one before.
  EXPECT_LE(std::abs(2 * slope(eighth) - 8), 0.4) << 2 * slope(eighth) << ", " << eighth[0];
  // Of 768 evaluations an orbit: Blanes and Moan's, and Forest and Ruth's, which has errors hundreds of times
  // as large with three evaluations a step.
  const double best = orbits("blanes-moan4", 0.5, 128).energy, other = orbits("forest-ruth", 0.5, 256).energy;
  EXPECT_LE(best, other / 10) << best << " and " << other;
}

TEST(Kepler, HermiteFallsWithTheFourthPower) {
  std::vector<double> errors;
  // Not symplectic: the error grows with time, by dt^5 per step, so dt^4 over a fixed time.
  for (const int steps : {1024, 512, 256}) errors.push_back(orbits("hermite4", 0.5, steps).energy);
  EXPECT_LE(std::abs(slope(errors) - 4), 0.7) << slope(errors);
  EXPECT_LE(errors[0], 1e-6);
}

/// As above, by dt^6, where rounding errors of 2560 steps are far below.
TEST(Kepler, HermiteOfTheSixthOrderFallsWithTheSixthPower) {
  std::vector<double> errors;
  for (const int steps : {256, 128, 64}) errors.push_back(orbits("hermite6", 0.5, steps).energy);
  EXPECT_LE(std::abs(slope(errors) - 6), 0.7) << slope(errors);
  EXPECT_LE(errors[0], 0.01 * orbits("hermite4", 0.5, 256).energy);
}

TEST(Kepler, PrecessionHasTheKnownRateAndSign) {
  const auto leapfrog = orbits("kdk", 0.5, 256), fourth = orbits("forest-ruth", 0.5, 256);
  EXPECT_LE(std::abs(leapfrog.precession / -2.23e-3 - 1), 0.03) << leapfrog.precession;
  EXPECT_LE(std::abs(fourth.precession / 5.40e-5 - 1), 0.03) << fourth.precession;
  EXPECT_LE(leapfrog.angular_momentum, 1e-13);
  EXPECT_LE(fourth.angular_momentum, 1e-13);
}

TEST(Kepler, HighEccentricityHasTheKnownErrors) {
  EXPECT_LE(std::abs(orbits("kdk", 0.9, 4096).energy / 5.9e-3 - 1), 0.02);
  EXPECT_LE(std::abs(orbits("forest-ruth", 0.9, 4096).energy / 8.7e-6 - 1), 0.02);
}

// P5: released at rest at distance 1 with GM = 1: r = (1 + cos u)/2, t = (u + sin u)/(2 sqrt 2), collision at
// u = pi.
TEST(Infall, FollowsTheCycloid) {
  const double collision = pi / (2 * std::sqrt(2.0)), end = 0.9 * collision;
  double u = 2;
  for (int k = 0; k < 60; ++k) u -= (u + std::sin(u) - 2 * std::sqrt(2.0) * end) / (1 + std::cos(u));
  Bodies b;
  b.add(0.5, {-0.5, 0, 0}, {});
  b.add(0.5, {0.5, 0, 0}, {});
  Simulation s(snapshot_of(b), Gravity{}, fixed("yoshida6", end / 4096), in(Precision::f64));
  s.run_until(end);
  const double r = norm(separation(s.snapshot().bodies)), exact = (1 + std::cos(u)) / 2;
  EXPECT_LE(std::abs(r / exact - 1), 1e-6) << r << " vs " << exact;
}
