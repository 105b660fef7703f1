/// Adaptive steps: chosen anew at each step, at most dt, and shared out so that requested times are met
/// exactly.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/error.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

constexpr double eps = 1e-3;

/// Two bodies at the apocentre of an orbit of eccentricity 0.8: semi-major axis 1, period 2 pi, G M = 1.
Simulation orbit(double dt, double eta) {
  Snapshot s;
  const double speed = std::sqrt(0.2 / 1.8);
  s.bodies.add(0.5, {-0.9, 0, 0}, {0, -speed / 2, 0});
  s.bodies.add(0.5, {0.9, 0, 0}, {0, speed / 2, 0});
  return {s,
          {.softening = {eps}},
          {.integrator = &integrator_named("kdk"), .dt = dt, .adaptive = true, .eta = eta},
          {.precision = Precision::f64}};
}

/// The lengths of the steps up to a time.
std::vector<double> steps_to(Simulation& s, double time) {
  std::vector<double> lengths;
  for (bool there = false; !there && lengths.size() < 100000;) {
    const double before = s.time();
    there = s.run_towards(time, 1);
    lengths.push_back(s.time() - before);
  }
  return lengths;
}

}  // namespace

TEST(AdaptiveStep, FollowsTheAccelerationThroughAnOrbit) {
  auto s = orbit(1, 0.02);
  const auto lengths = steps_to(s, 6.25);
  const auto [shortest, longest] = std::ranges::minmax(lengths);
  // eta sqrt(eps / |a|), and of each body |a| = 0.5 / r^2 at r = 1.8 and 0.2, softened by 1e-3: to 1e-4. No
  // step falls on the pericentre itself; the shortest is that at most a few steps beside it.
  EXPECT_LE(std::abs(longest / (0.02 * std::sqrt(eps * 2) * 1.8) - 1), 1e-3);
  EXPECT_LE(std::abs(shortest / (0.02 * std::sqrt(eps * 2) * 0.2) - 1), 0.05);
}

TEST(AdaptiveStep, IsNeverLongerThanDt) {
  auto s = orbit(1e-3, 1);
  for (const double length : steps_to(s, 0.05)) EXPECT_LE(length, 1e-3 * (1 + 1e-10));
}

TEST(AdaptiveStep, MeetsEveryTimeAndMakesNoTinySteps) {
  auto s = orbit(1, 0.02);
  // Not whole numbers of steps, which are 1.6e-3 there.
  for (int k = 1; k <= 200; ++k) {
    const double time = 0.00371 * k;
    const auto lengths = steps_to(s, time);
    EXPECT_EQ(s.time(), time);
    EXPECT_EQ(lengths.size(), 3u) << k;
    // The last two share what is left of less than two steps, more than one: each is at least half a step.
    const auto [shortest, longest] = std::ranges::minmax(lengths);
    EXPECT_GE(shortest, 0.49 * longest) << k;
  }
}

TEST(AdaptiveStep, ThatShrinksToNothingIsToldAndEnds) {
  Snapshot s;
  s.time = 1;
  s.bodies.add(1, {0, 0, 0}, {});
  s.bodies.add(1, {1e-12, 0, 0}, {});
  Simulation run(s, {.softening = {1e-12}},
                 {.integrator = &integrator_named("kdk"), .dt = 1, .adaptive = true},
                 {.precision = Precision::f64});
  EXPECT_THROW(run.run_towards(2, 5), NumericalError);
}

TEST(AdaptiveStep, HasAnAccuracyUpToOne) {
  EXPECT_NO_THROW(orbit(1, 1));
  for (const double eta : {0.0, -0.1, 1.0000001, 2.0, double(NAN)})
    EXPECT_THROW(orbit(1, eta), UsageError) << eta;
}

/// A step of 0.3 to 1, then to 1.5: four of 0.25 and two of 0.25.
TEST(EqualSteps, ShareTheTimeToWhatIsRequested) {
  Method method{
      .integrator = &integrator_named("blanes-moan4"), .dt = 0.3, .adaptive = true, .equal_steps = true};
  Simulation s(orbit(1, 0.02).snapshot(), {}, method, {.precision = Precision::f64});
  for (const double time : {1.0, 1.5}) {
    for (const double length : steps_to(s, time)) EXPECT_NEAR(length, 0.25, 1e-15);
    EXPECT_EQ(s.time(), time);
  }
  EXPECT_EQ(s.step(), 6U);
  // A step that fits is not halved by the rounding of times.
  method.dt = 0.1;
  Simulation fits(orbit(1, 0.02).snapshot(), {}, method, {.precision = Precision::f64});
  EXPECT_EQ(steps_to(fits, 0.3).size(), 3U);
  method.adaptive = false;
  EXPECT_THROW(check(method, {}), UsageError);
  method.adaptive = true, method.integrator = &integrator_named("hermite4");
  EXPECT_THROW(check(method, {}), UsageError);
}
