/// Three bodies: the figure-eight (P6) and the Pythagorean problem (P7).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "system.hpp"

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::physics;

namespace {

/// The largest component of a position's distance from its start after one period.
double closure(std::string_view integrator, int steps, bool refined) {
  const auto b = figure_eight(refined);
  Simulation s(snapshot_of(b), Gravity{}, fixed(integrator, figure_eight_period / steps), in(Precision::f64));
  s.run_towards(1e9, static_cast<std::uint64_t>(steps));
  const auto& end = s.snapshot().bodies;
  double worst = 0;
  for (std::size_t i = 0; i < 3; ++i)
    worst = std::max({worst, std::abs(end.x[i] - b.x[i]), std::abs(end.y[i] - b.y[i])});
  return std::isfinite(end.x[0] + end.y[0]) ? worst : INFINITY;
}

Snapshot pythagorean() {
  Bodies b;
  b.add(3, {1, 3, 0}, {});
  b.add(4, {-2, -1, 0}, {});
  b.add(5, {1, -1, 0}, {});
  return snapshot_of(b);
}

}  // namespace

TEST(FigureEight, HasItsEnergyAndNoAngularMomentum) {
  Simulation s(snapshot_of(figure_eight(false)), Gravity{}, fixed("kdk", 0.01), in(Precision::f64));
  EXPECT_LE(std::abs(s.energies().total() + 1.2871419918), 5e-11);  // half of the last digit given
  EXPECT_LE(norm(s.diagnostics(1).angular_momentum), 1e-8);         // 8-digit initial values
}

TEST(FigureEight, ClosesAsTheSecondOrderPredicts) {
  const double coarse = closure("kdk", 1024, false);
  EXPECT_LE(std::abs(coarse / 6.1e-5 - 1), 0.01) << coarse;
  EXPECT_LE(
      std::abs(slope({closure("kdk", 2048, true), closure("kdk", 1024, true), closure("kdk", 512, true)}) -
               2),
      0.1);
}

TEST(FigureEight, KeepsItsEnergy) {
  Simulation leapfrog(snapshot_of(figure_eight(false)), Gravity{}, fixed("kdk", figure_eight_period / 1024),
                      in(Precision::f64));
  const double second = worst_energy_error(leapfrog, 1024);
  EXPECT_LE(std::abs(second / 2.25e-5 - 1), 0.05) << second;
  Simulation fourth_order(snapshot_of(figure_eight(false)), Gravity{},
                          fixed("forest-ruth", figure_eight_period / 1024), in(Precision::f64));
  const double fourth = worst_energy_error(fourth_order, 1024);
  EXPECT_LE(fourth, 1.5e-9) << fourth;
}

// The period is given to nine digits: bodies at speed <= 1.3 miss their start by up to 1.3 * 5e-9; the gate
// is on top of that.
TEST(FigureEight, ClosesWithRefinedValues) {
  const double period = 6.32591398, miss = 1.3 * 5e-9;
  EXPECT_LE(closure("yoshida6", 4096, true), miss + 1e-11) << period;
}

TEST(Pythagorean, HermiteWithAdaptiveStepsFindsThePublishedPositions) {
  Method method = fixed("hermite4", 0.01);
  method.adaptive = true;
  method.eta = 1e-4;
  Simulation s(pythagorean(), Gravity{}, method, in(Precision::f64));
  const double before = s.energies().total();
  EXPECT_LE(std::abs(before + 12.8166667), 5e-8);
  s.run_until(20);
  EXPECT_EQ(s.time(), 20.0);
  // The energy error of 1e-9 moves the bodies by about as much; encounters amplify it tenfold by t = 20 and a
  // hundredfold by t = 30.
  const auto at20 = s.snapshot().bodies.position(0);
  EXPECT_LE(norm(at20 - Vec3<double>{3.004292637, 0.511925235, 0}), 1e-7) << at20.x << " " << at20.y;
  s.run_until(30);
  const auto at30 = s.snapshot().bodies.position(0);
  EXPECT_LE(norm(at30 - Vec3<double>{0.856340499, 2.287093664, 0}), 1e-6) << at30.x << " " << at30.y;
  EXPECT_LE(std::abs(s.energies().total() / before - 1), 1e-8);
}

TEST(Pythagorean, LeavesABinaryAndAnEscaper) {
  Method method = fixed("hermite4", 0.01);
  method.adaptive = true;
  method.eta = 1e-4;
  Simulation s(pythagorean(), Gravity{}, method, in(Precision::f64));
  s.run_until(70);
  const auto& b = s.snapshot().bodies;
  // The pair of masses 4 and 5 is bound and close; the body of mass 3 is far away and leaves.
  EXPECT_LE(norm(b.position(1) - b.position(2)), 2);
  EXPECT_GE(norm(b.position(0)), 5);
  EXPECT_GE(dot(b.position(0), b.velocity(0)), 0);
}

// P7: at dt = 1e-4 the closest encounters are not resolved: the energy is lost by orders of magnitude, and
// diagnostics must show it.
TEST(Pythagorean, FixedStepLeapfrogFailsVisibly) {
  Simulation s(pythagorean(), Gravity{}, fixed("kdk", 1e-3), in(Precision::f64));
  const double before = s.energies().total();
  double worst = 0;
  for (double t = 1; t <= 20; ++t) {
    s.run_until(t);
    worst = std::max(worst, std::abs(s.diagnostics(before).energy_error));
  }
  EXPECT_GE(worst, 0.5);
}
