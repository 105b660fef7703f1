/// Symplectic correctors of Wisdom-Holman maps: their coefficients, what they leave of the energy error, and
/// the bits of their steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "integrate/corrector.hpp"

#include "core/larger.hpp"
#include "system.hpp"

#include <pleiad/error.hpp>
#include <pleiad/orbits.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::physics;

namespace {

constexpr const char* corrected_maps[]{"wisdom-holman", "wisdom-holman-jacobi"};

/// A star at rest at first and three planets, of so many times 1e-4, 3e-4 and 1e-4 of its mass.
Snapshot light_planets(double masses, std::size_t particles = 0) {
  Snapshot s;
  s.bodies.add(1, {}, {});
  const auto add = [&](double mass, double a, double e, double anomaly) {
    StatedOrbit orbit;
    orbit.semi_major_axis = a, orbit.eccentricity = e, orbit.true_anomaly = anomaly;
    orbit.inclination = 0.05 * a, orbit.node = anomaly;
    add_on_orbit(s, mass, orbit, orbit_centre_named("0"));
  };
  add(1e-4 * masses, 1, 0.05, 1), add(3e-4 * masses, 2, 0.05, 3), add(1e-4 * masses, 4, 0.02, -1);
  for (std::size_t k = 0; k < particles; ++k) add(0, 1.3 + 0.01 * double(k), 0.1, double(k));
  return s;
}

Method corrected(const char* map, double dt, int order) {
  auto method = fixed(map, dt);
  method.corrector = order;
  return method;
}

Simulation corrected_run(const char* map, const Snapshot& s, double dt, int order) {
  return Simulation(s, Gravity{}, corrected(map, dt, order), in(Precision::f64));
}

/// The largest energy error over 30 periods of the inner planet, by a look at every step.
double amplitude(const char* map, double masses, int steps, int order) {
  auto s = corrected_run(map, light_planets(masses), 2 * pi / steps, order);
  return worst_energy_error(s, static_cast<std::uint64_t>(30 * steps));
}

}  // namespace

// The sum over the kicks is 1 / x - coth(x / 2) / 2 up to the first term that n pairs leave, x^order.
TEST(Corrector, KicksKeepTheOrderConditions) {
  for (const int order : {3, 5, 7, 11}) {
    std::vector<double> errors;
    for (const long double x : {0.5L, 1.0L}) {
      long double sum = 0;
      for (const auto& kick : corrector::kicks(order)) sum += kick.length * std::exp(kick.at * x);
      errors.push_back(std::abs(double(sum - (1 / x - 1 / std::tanh(x / 2) / 2))));
    }
    // The next term is a hundredth of x^2 of it.
    EXPECT_LE(std::abs(std::log2(errors[1] / errors[0]) - order), 0.1) << order;
  }
}

// The error of the map is of the first order of the masses, relative to energies that have it too; that of a
// corrected one of the second.
TEST(Corrector, LeavesAnErrorOfTheSecondOrderOfTheMasses) {
  for (const char* map : corrected_maps) {
    std::vector<double> ratios;
    for (const double masses : {3.0, 0.3})
      ratios.push_back(amplitude(map, masses, 40, 11) / amplitude(map, masses, 40, 0));
    std::cout << map << ": corrected over not, masses of 1e-3: " << ratios[0] << ", of 1e-4: " << ratios[1]
              << "\n";
    EXPECT_LE(ratios[0], 0.02) << map;
    // A tenth of the masses: a tenth.
    EXPECT_LE(ratios[1], 0.15 * ratios[0]) << map;
    EXPECT_GE(ratios[1], 0.05 * ratios[0]) << map;
  }
}

// Of masses so small that their squares do not count, what a corrector leaves is of its order + 1 in the
// step.
TEST(Corrector, LeavesAnErrorOfItsOrderInTheStep) {
  for (const char* map : corrected_maps)
    for (const int order : {3, 5}) {
      std::vector<double> errors;
      for (const int steps : {32, 24}) errors.push_back(amplitude(map, 1e-4, steps, order));
      const double power = std::log(errors[1] / errors[0]) / std::log(32.0 / 24);
      std::cout << map << " " << order << ": " << errors[0] << " " << errors[1] << ", power " << power
                << "\n";
      EXPECT_LE(std::abs(power - (order + 1)), 0.4) << map << " " << order;
    }
}

TEST(Corrector, HasTheSameBitsWhoeverLooksAndAfterAResume) {
  for (const char* map : corrected_maps) {
    auto whole = corrected_run(map, light_planets(1, 3), 0.1, 7);
    whole.run_towards(1e9, 300);
    const auto end = whole.snapshot().bodies;
    auto looked_at = corrected_run(map, light_planets(1, 3), 0.1, 7);
    for (int k = 0; k < 100; ++k) {
      looked_at.run_towards(1e9, 3);
      if (k % 3 == 0) (void)looked_at.diagnostics(1);
      if (k % 7 == 0)
        looked_at.at_moment(looked_at.moment_at(looked_at.time() + 0.04),
                            [&] { (void)looked_at.snapshot(); });
    }
    EXPECT_EQ(looked_at.snapshot().bodies, end) << map;
    auto first = corrected_run(map, light_planets(1, 3), 0.1, 7);
    first.run_towards(1e9, 120);
    Simulation second(first.snapshot(), first.clock(), Gravity{}, corrected(map, 0.1, 7), in(Precision::f64));
    second.run_towards(1e9, 180);
    EXPECT_EQ(second.snapshot().bodies, end) << map;
  }
}

// A time between two steps is met by a shortened step, which has a corrector of its own.
TEST(Corrector, KeepsTheEnergyBetweenTwoSteps) {
  for (const char* map : corrected_maps) {
    auto s = corrected_run(map, light_planets(1), 2 * pi / 40, 11);
    const double plain = amplitude(map, 1, 40, 0);
    s.run_towards(1e9, 100);
    double worst = 0;
    for (int k = 1; k < 10; ++k)
      s.at_moment(s.moment_at(s.time() + 0.016 * k),
                  [&] { take_larger(worst, std::abs(s.diagnostics().energy_error)); });
    EXPECT_LE(worst, 0.02 * plain) << map;
    EXPECT_LE(std::abs(s.diagnostics().energy_error), 0.02 * plain) << map;
  }
}

TEST(Corrector, GoesBackTheWayItCame) {
  for (const char* map : corrected_maps) {
    const auto start = light_planets(1);
    auto s = corrected_run(map, start, 0.1, 11);
    s.run_towards(1e9, 1000);
    s.reverse_velocities();
    s.run_towards(1e9, 1000);
    // Kicks of a corrector commute up to the squares of the pulls: of 3e-4 times a tenth of a step of 0.1
    // that is 1e-11, which grows along the orbits for a time of 200.
    EXPECT_LE(distance(s.snapshot().bodies, start.bodies), 1e-8) << map;
  }
}

TEST(Corrector, ParticlesWithoutMassDoNotChangeABitOfThePlanets) {
  for (const char* map : corrected_maps) {
    auto alone = corrected_run(map, light_planets(1), 0.1, 5);
    auto among = corrected_run(map, light_planets(1, 50), 0.1, 5);
    alone.run_towards(1e9, 200), among.run_towards(1e9, 200);
    const auto &a = alone.snapshot().bodies, &b = among.snapshot().bodies;
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a.position(i), b.position(i)) << map << " " << i;
  }
}

// What is kept beside the bodies belongs to one map and one state: everything else begins from the bodies.
TEST(Corrector, WhatIsKeptIsNoSeriesOfAnotherScheme) {
  auto first = corrected_run("wisdom-holman", light_planets(1), 0.1, 7);
  first.run_towards(1e9, 50);
  auto kept = first.snapshot();
  ASSERT_FALSE(kept.bodies.series.empty());
  auto bare = kept;
  bare.bodies.series.clear();
  for (const auto& method :
       {fixed("gauss-radau", 0.05), fixed("hermite6", 0.05), corrected("wisdom-holman", 0.05, 7),
        corrected("wisdom-holman-jacobi", 0.1, 5)}) {
    Simulation one(kept, Gravity{}, method, in(Precision::f64)),
        other(bare, Gravity{}, method, in(Precision::f64));
    one.run_towards(1e9, 5), other.run_towards(1e9, 5);
    EXPECT_EQ(one.snapshot().bodies, other.snapshot().bodies) << method.integrator->name;
  }
  // Of bodies that were moved it is not the state of the map any more.
  kept.bodies.x[1] += 1e-3, bare.bodies.x[1] += 1e-3;
  const auto method = corrected("wisdom-holman", 0.1, 7);
  Simulation one(kept, Gravity{}, method, in(Precision::f64)),
      other(bare, Gravity{}, method, in(Precision::f64));
  one.run_towards(1e9, 5), other.run_towards(1e9, 5);
  EXPECT_EQ(one.snapshot().bodies, other.snapshot().bodies);
}

TEST(Corrector, IsRefusedWhereThereIsNone) {
  const auto refusal = [](const char* map, int order) -> std::string {
    try {
      (void)corrected_run(map, light_planets(1), 0.1, order);
    } catch (const UsageError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("wisdom-holman", 7), "");
  EXPECT_NE(refusal("wisdom-holman", 4).find("orders 3, 5, 7 and 11"), std::string::npos);
  EXPECT_NE(refusal("wisdom-holman-hybrid", 7).find("not for wisdom-holman-hybrid"), std::string::npos);
  EXPECT_NE(refusal("kdk", 3).find("not for kdk"), std::string::npos);
}
