/// Wisdom-Holman maps: order, what they keep, and the bits of their steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "system.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/orbits.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::physics;

namespace {

constexpr const char* maps[]{"wisdom-holman", "wisdom-holman-jacobi"};

/// A star that moves, and three planets, on periods of 1, 2.8 and 8 times 2 pi.
Snapshot planets(std::size_t particles = 0) {
  Snapshot s;
  s.bodies.add(1, {0.3, -0.2, 0.1}, {0.01, 0.02, -0.01});
  const auto add = [&](double mass, double a, double e, double anomaly) {
    StatedOrbit orbit;
    orbit.semi_major_axis = a, orbit.eccentricity = e, orbit.true_anomaly = anomaly;
    orbit.inclination = 0.05 * a, orbit.node = anomaly;
    add_on_orbit(s, mass, orbit, orbit_centre_named("0"));
  };
  add(1e-4, 1, 0.1, 1), add(3e-4, 2, 0.05, 3), add(1e-4, 4, 0.02, -1);
  for (std::size_t k = 0; k < particles; ++k) add(0, 1.3 + 0.01 * double(k), 0.1, double(k));
  return s;
}

Simulation simulation(const char* map, const Snapshot& s, double dt) {
  return Simulation(s, Gravity{}, fixed(map, dt), in(Precision::f64));
}

std::string refusal(const Gravity& gravity, Method method) {
  try {
    Simulation s(planets(), gravity, method, in(Precision::f64));
  } catch (const UsageError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(WisdomHolman, IsOfSecondOrderInTheEnergy) {
  for (const char* map : maps) {
    std::vector<double> errors;
    for (const int steps : {160, 80, 40}) {
      auto s = simulation(map, planets(), 2 * pi / steps);
      errors.push_back(worst_energy_error(s, static_cast<std::uint64_t>(20 * steps)));
    }
    EXPECT_LE(std::abs(slope(errors) - 2), 0.05) << map << " " << slope(errors);
    // The size of the perturbations, 1e-4, times the square of the step.
    EXPECT_LE(errors[0], 1e-6) << map;
  }
}

// With one planet Jacobi's splitting has nothing to kick: the orbit is exact, with any step.
TEST(WisdomHolman, IsExactForTwoBodiesInJacobiCoordinates) {
  const auto start = snapshot_of(kepler_pair(0.7));
  auto s = simulation("wisdom-holman-jacobi", start, 2 * pi / 3);
  const double before = s.energies().total();
  s.run_towards(1e9, 300);
  // The same three places in each period, and so the same rounding errors of velocities of 2.4: they add up,
  // to some 1e-15 a step in the energy, and along the orbit to 1e-15 n^2 / 2 steps of length 2.
  EXPECT_LE(distance(s.snapshot().bodies, start.bodies), 1e-9);
  EXPECT_LE(std::abs(s.energies().total() / before - 1), 1e-12);
}

TEST(WisdomHolman, KeepsMomentumAndTheMotionOfTheBarycentre) {
  for (const char* map : maps) {
    const auto start = planets();
    auto s = simulation(map, start, 0.1);
    s.run_towards(1e9, 1000);
    const auto before = centre_of_mass(start.bodies), now = centre_of_mass(s.snapshot().bodies);
    EXPECT_LE(norm(now.velocity - before.velocity), 1e-15) << map;
    EXPECT_LE(norm(now.position - before.position - 100 * before.velocity), 1e-13) << map;
    const auto l = s.diagnostics(1).angular_momentum;
    auto first = simulation(map, start, 0.1);
    EXPECT_LE(norm(l - first.diagnostics(1).angular_momentum), 1e-14) << map;
  }
}

TEST(WisdomHolman, GoesBackTheWayItCame) {
  for (const char* map : maps) {
    const auto start = planets();
    auto s = simulation(map, start, 0.1);
    s.run_towards(1e9, 1000);
    s.reverse_velocities();
    s.run_towards(1e9, 1000);
    // Rounding errors of 1000 steps, which grow along the orbits with the steps.
    EXPECT_LE(distance(s.snapshot().bodies, start.bodies), 1e-10) << map;
  }
}

TEST(WisdomHolman, ParticlesWithoutMassDoNotChangeABitOfThePlanets) {
  for (const char* map : maps) {
    auto alone = simulation(map, planets(), 0.1), among = simulation(map, planets(50), 0.1);
    alone.run_towards(1e9, 500), among.run_towards(1e9, 500);
    const auto &a = alone.snapshot().bodies, &b = among.snapshot().bodies;
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a.position(i), b.position(i)) << map << " " << i;
      EXPECT_EQ(a.velocity(i), b.velocity(i)) << map << " " << i;
    }
  }
}

TEST(WisdomHolman, HasTheSameBitsInAnyBatchesAndAfterAResume) {
  for (const char* map : maps) {
    auto whole = simulation(map, planets(3), 0.1);
    whole.run_towards(1e9, 300);
    auto parts = simulation(map, planets(3), 0.1);
    for (int k = 0; k < 100; ++k) {
      parts.run_towards(1e9, 3);
      if (k % 10 == 0) (void)parts.diagnostics(1);
    }
    EXPECT_EQ(parts.snapshot().bodies, whole.snapshot().bodies) << map;
    auto first = simulation(map, planets(3), 0.1);
    first.run_towards(1e9, 120);
    Simulation second(first.snapshot(), first.clock(), Gravity{}, fixed(map, 0.1), in(Precision::f64));
    second.run_towards(1e9, 180);
    EXPECT_EQ(second.snapshot().bodies, whole.snapshot().bodies) << map;
  }
}

// Rounding errors must add up as a random walk (Brouwer's law): those of the energy, without the oscillation
// of the map, which is the same after whole periods of one planet and small where the other's mass is.
TEST(WisdomHolman, RoundingErrorsOfTheEnergyAreARandomWalk) {
  // One planet and Jacobi coordinates: the map is exact, and what is left of the energy is rounding.
  std::vector<double> rms(3);
  constexpr int phases = 16;
  for (int phase = 0; phase < phases; ++phase) {
    Snapshot start;
    start.bodies.add(1, {}, {});
    StatedOrbit orbit;
    orbit.semi_major_axis = 1, orbit.eccentricity = 0.05, orbit.mean_anomaly = 2 * pi * phase / phases;
    add_on_orbit(start, 1e-3, orbit);
    auto s = simulation("wisdom-holman-jacobi", start, 0.3);
    const double before = s.energies().total();
    std::uint64_t made = 0;
    for (std::size_t k = 0; k < rms.size(); ++k) {
      const std::uint64_t to = k == 0 ? 4000 : k == 1 ? 32'000 : 256'000;
      s.run_towards(1e9, to - made), made = to;
      const double error = s.energies().total() / before - 1;
      rms[k] += error * error / phases;
    }
  }
  for (auto& r : rms) r = std::sqrt(r);
  // From 4000 to 256,000 steps: 0.5 for a random walk, 1 for a drift. The rms of 16 is uncertain by a sixth,
  // the power by 0.06.
  const double power = std::log(rms[2] / rms[0]) / std::log(64.0);
  EXPECT_LE(std::abs(power - 0.5), 0.2) << rms[0] << " " << rms[1] << " " << rms[2];
  EXPECT_LE(rms[2], 1e-13);
}

TEST(WisdomHolman, RefusesWhatItsOrbitsDoNotHave) {
  const auto method = fixed("wisdom-holman", 0.1);
  EXPECT_EQ(refusal({}, method), "");
  EXPECT_NE(refusal({.softening = {0.1}}, method).find("without softening"), std::string::npos);
  EXPECT_NE(refusal({.boundary = {.periodic = true, .length = {9, 9, 9}}}, method).find("periodic box"),
            std::string::npos);
  EXPECT_NE(refusal({.potentials = potentials_of_lines("point mass=1")}, method).find("gravity.potentials"),
            std::string::npos);
  auto adaptive = method;
  adaptive.adaptive = true;
  EXPECT_NE(refusal({.softening = {0.1}}, adaptive).find("steps are of one length"), std::string::npos);
  auto s = simulation("wisdom-holman", planets(), 0.1);
  EXPECT_THROW(s.add_force([](const ForceCall&) {}), UsageError);
  EXPECT_THROW(Simulation(planets(), Gravity{}, method, in(Precision::f32)), UsageError);
}
