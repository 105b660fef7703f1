/// The energy of runs with block time steps, against shared steps of the same cost.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"

#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

/// A Plummer cluster of an eighth of the mass, fifty times smaller, on a circle in a Hernquist halo.
Snapshot cluster_in_halo() {
  auto s = model("hernquist", {{"n", 875}, {"mass", 0.875}, {"cut", 10}});
  const auto cluster = model("plummer", {{"n", 125}}, 2).bodies;
  const double length = 1.0 / 30, velocity = std::sqrt(0.125 / length);
  for (std::size_t i = 0; i < cluster.size(); ++i)
    s.bodies.add(0.125 * cluster.mass[i], length * cluster.position(i) + Vec3<double>{1, 0, 0},
                 velocity * cluster.velocity(i) + Vec3<double>{0, std::sqrt(0.875 / 4), 0});
  for (std::size_t i = 0; i < s.bodies.size(); ++i) s.bodies.id[i] = i;
  return s;
}

struct StepCost {
  double error = 0, pairs = 0;
};
/// The worst of some rows, and the pairs of all evaluations for steps.
StepCost cost_of(const Snapshot& start, double eps, double end, const Method& method) {
  Simulation run(start, {.softening = {eps}}, method,
                 {.precision = Precision::f64, .backend = "cpu", .integrator = method.integrator});
  (void)run.reference_energy();
  const auto before = run.evaluations();
  std::uint64_t looks = 0;
  StepCost cost;
  for (int row = 1; row <= 8; ++row) {
    run.run_until(end * row / 8);
    const auto made = run.evaluations();
    take_larger(cost.error, std::abs(run.diagnostics().energy_error));
    looks += run.evaluations() - made;
  }
  cost.pairs = double(run.evaluations() - before - looks) * run.describe().interactions_per_evaluation;
  return cost;
}

}  // namespace

/// The shortest block step is more than four times shorter than the shared step of equal cost, since few
/// bodies need it. Errors grow with the square of a step, and those of block steps come from all levels
/// alike: 16 times, of which a quarter is asked for, since the worst of eight rows scatters by some.
TEST(BlockSteps, LoseLessEnergyThanSharedStepsOfEqualCost) {
  struct Scene {
    std::string_view name;
    Snapshot start;
    double eps, end;
  };
  for (const auto& [name, start, eps, end] : {Scene{"cusp", model("hernquist", {{"n", 1000}}), 0.004, 2},
                                              Scene{"cluster in a halo", cluster_in_halo(), 0.002, 0.5}}) {
    const auto blocks =
        cost_of(start, eps, end, {.integrator = &integrator_named("block-kdk"), .dt = 1.0 / 8, .eta = 0.04});
    StepCost shared;
    // The longest of all steps that cost at least as much.
    for (double dt = 1.0 / 8; shared.pairs < blocks.pairs; dt /= 2)
      shared = cost_of(start, eps, end, {.integrator = &integrator_named("kdk"), .dt = dt});
    EXPECT_LE(blocks.error, shared.error / 4) << name << ": " << blocks.pairs << ", " << shared.pairs;
    EXPECT_GT(blocks.error, 0) << name;
  }
}

/// Two hundred orbits of an eccentric binary in a cluster, about which its levels change by four each time.
/// Steps that follow from both of their ends lose less than a tenth of the energy that the others lose, for
/// less work: those make the binary tighter, and its steps shorter.
TEST(BlockSteps, FromBothEndsKeepTheEnergyOfAnEccentricBinary) {
  auto s = model("plummer", {{"n", 30}}, 3);
  const double m = 0.05, a = 0.02, e = 0.9, r = a * (1 + e), v = std::sqrt(2 * m / a * (1 - e) / (1 + e));
  for (auto& mass : s.bodies.mass) mass *= 0.9;
  for (const double way : {1.0, -1.0}) s.bodies.add(m, {way * r / 2, 0, 0}, {0, way * v / 2, 0});
  for (std::size_t i = 0; i < s.bodies.size(); ++i) s.bodies.id[i] = i;
  Method method{.integrator = &integrator_named("block-kdk"), .dt = 1.0 / 64, .eta = 0.005};
  const double end = 11.25;  // of some 200 periods
  const auto usual = cost_of(s, 1e-3, end, method);
  method.symmetric_steps = true;
  const auto symmetric = cost_of(s, 1e-3, end, method);
  EXPECT_LE(symmetric.error, usual.error / 10);
  EXPECT_LE(symmetric.pairs, usual.pairs);
  EXPECT_GT(symmetric.error, 0);
}

/// A planet about a star in a cluster of stars without softening: by pairs both have the planet's step, so
/// the orbit keeps its energy to that of a leapfrog with some 2 pi / eta steps a period, (eta / 2 pi)^2 times
/// ten.
TEST(BlockSteps, FollowLightBodiesAboutHeavyOnes) {
  auto s = model("plummer", {{"n", 60}});
  auto& b = s.bodies;
  const double a = 1e-3, m = b.mass[7];
  b.add(1e-9, b.position(7) + Vec3<double>{a, 0, 0}, b.velocity(7) + Vec3<double>{0, std::sqrt(m / a), 0});
  b.id.back() = 60;
  const double eta = 0.03;
  Simulation run(
      s, Gravity{}, {.integrator = &integrator_named("block-kdk"), .dt = 1.0 / 64, .eta = eta},
      {.precision = Precision::f64, .backend = "cpu", .integrator = &integrator_named("block-kdk")});
  double worst = 0;
  for (int k = 1; k <= 20; ++k) {
    run.make_steps(1);
    const auto& now = run.snapshot().bodies;
    const auto x = now.position(60) - now.position(7), v = now.velocity(60) - now.velocity(7);
    const double energy = dot(v, v) / 2 - m / norm(x);
    take_larger(worst, std::abs(energy / (-m / (2 * a)) - 1));
  }
  EXPECT_LE(worst, 10 * std::pow(eta / 6.28, 2));
}

}  // namespace pleiad
