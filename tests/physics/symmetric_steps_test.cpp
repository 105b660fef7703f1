/// The energy over many eccentric orbits: steps that follow from both of their ends against those that follow
/// from their beginning.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "system.hpp"

#include <pleiad/models.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

struct Orbit {
  double e, softening;
};
/// Equal steps of the eccentric anomaly, `steps` in an orbit: the lighter body has |a| = 3 / (4 r^2).
Method on_orbits(std::string_view integrator, const Orbit& orbit, double steps, bool symmetric) {
  return {.integrator = &integrator_named(integrator),
          .dt = 1e3,
          .adaptive = true,
          .eta = 2 * physics::pi / (steps * std::sqrt(orbit.softening / 0.75)),
          .symmetric_steps = symmetric};
}

/// The mean relative error of the energy in each part of a run from the apocentre.
std::vector<double> means_of_parts(const Orbit& orbit, const Method& method, double orbits, int parts) {
  Simulation s(physics::snapshot_of(physics::kepler_pair(-orbit.e)), {.softening = {orbit.softening}}, method,
               {.precision = Precision::f64, .backend = "cpu", .threads = 1});
  const double before = s.energies().total();
  std::vector<double> means;
  for (int part = 1; part <= parts; ++part) {
    const double until = 2 * physics::pi * orbits * part / parts;
    double sum = 0, count = 0;
    while (s.time() < until) {
      s.make_steps(7);
      sum += s.energies().total() / before - 1, ++count;
    }
    means.push_back(sum / count);
  }
  return means;
}

struct Drift {
  double change, sigma;
};
/// The change over all parts, and how much it may be where neither sign is preferred: changes from part to
/// part that are independent of each other, or undone by later ones, add up to the root of the sum of their
/// squares at most. Those of one sign, of n equal parts, add up to the root of n - 1 times as much.
Drift drift_of(const std::vector<double>& means) {
  double squares = 0;
  for (std::size_t k = 1; k < means.size(); ++k)
    squares += (means[k] - means[k - 1]) * (means[k] - means[k - 1]);
  return {std::abs(means.back() - means.front()), std::sqrt(squares)};
}

}  // namespace

/// Ten thousand orbits. Within each the error is 2e-2 and 7e-2, of second order; of that nothing is left on
/// the mean. With steps that follow from their beginning alone it adds up: the energy changes by more in a
/// hundredth of that time, and always the same way.
TEST(SymmetricSteps, KeepTheEnergyOfEccentricOrbits) {
  struct Case {
    Orbit orbit;
    double steps;
  };
  for (const auto& [orbit, steps] : {Case{{0.9, 1e-3}, 200}, Case{{0.99, 1e-4}, 1000}}) {
    const auto run = [&](bool symmetric, double orbits) {
      return drift_of(means_of_parts(orbit, on_orbits("kdk", orbit, steps, symmetric), orbits, 50));
    };
    const auto symmetric = run(true, 10000), usual = run(false, 100);
    EXPECT_LE(symmetric.change, 3 * symmetric.sigma) << orbit.e;
    EXPECT_LE(symmetric.change, 1e-5) << orbit.e;
    EXPECT_GE(usual.change, 5 * usual.sigma) << orbit.e;
    EXPECT_GE(usual.change, 1e-2) << orbit.e;
  }
}

/// Schemes of higher order, whose errors are smaller by magnitudes and do not add up either.
TEST(SymmetricSteps, KeepTheEnergyByHigherOrders) {
  const Orbit orbit{0.9, 1e-3};
  for (const char* integrator : {"blanes-moan4", "yoshida6"}) {
    const auto run = [&](bool symmetric) {
      return drift_of(means_of_parts(orbit, on_orbits(integrator, orbit, 200, symmetric), 1000, 50));
    };
    const auto symmetric = run(true), usual = run(false);
    EXPECT_LE(symmetric.change, 3 * symmetric.sigma) << integrator;
    EXPECT_LE(symmetric.change, 1e-9) << integrator;
    EXPECT_GE(usual.change, 5 * usual.sigma) << integrator;
    EXPECT_GE(usual.change, 1e-4) << integrator;
  }
}

}  // namespace pleiad
