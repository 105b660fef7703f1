/// Individual steps on a GPU: against those of the CPU, the same bits for any grid and any launches, sums
/// that do not fit, and steps that shrink.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/steps/individual_bodies.hpp"
#include "sizes.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

struct Settings {
  double dt = 1.0 / 16, eta = 0.02, eps = 0;
  unsigned grid = 0;
  std::uint64_t most_blocks = 4096;
};

struct Found {
  Bodies bodies;
  cuda::IndividualProgress progress;
};
Found on_gpu(const Bodies& start, const Settings& settings, std::uint64_t steps) {
  cuda::IndividualBodies bodies(
      start, {.eps = settings.eps, .grid = settings.grid, .most_blocks = settings.most_blocks});
  Found found{.bodies = start, .progress = {}};
  found.progress = bodies.advance(settings.dt, settings.eta, steps);
  bodies.copy_to_host(found.bodies);
  return found;
}
struct OnCpu {
  Bodies bodies;
  std::uint64_t blocks = 0;
};
OnCpu on_cpu(const Bodies& start, const Settings& settings, std::uint64_t steps) {
  const auto* integrator = &integrator_named("hermite4-block");
  Snapshot s;
  s.bodies = start;
  Simulation sim(s, {.softening = {settings.eps}},
                 Method{.integrator = integrator, .dt = settings.dt, .eta = settings.eta},
                 EngineOptions{.precision = Precision::f64, .backend = "cpu", .integrator = integrator});
  sim.make_steps(steps);
  // One evaluation is that of the start.
  return {sim.snapshot().bodies, sim.evaluations() - 1};
}
Bodies sphere(std::size_t n) {
  return make_model("plummer", std::vector<std::string>{"n=" + std::to_string(n)}, 4).bodies;
}
bool same_bits(const Bodies& a, const Bodies& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.vx == b.vx && a.vy == b.vy && a.vz == b.vz &&
         a.low == b.low && a.series == b.series;
}
double distance(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (const double d = norm(a.position(i) - b.position(i)); !(d <= largest)) largest = d;
  return largest;
}

}  // namespace

/// Both round sums differently, 1e-13 of an acceleration by the units of integers, which some dozens of steps
/// of close pairs may multiply by a hundred. The blocks are the same unless a step is within that of a limit.
TEST(IndividualSteps, AreThoseOfTheCpu) {
  for (const double eps : {0.0, 0.05})
    for (const std::size_t n : {2U, 3U, 40U, 100U}) {
      auto start = sphere(n);
      if (n == 40)
        for (std::size_t i = 0; i < n; i += 3) start.mass[i] = 0;
      const Settings settings{.dt = 1.0 / 32, .eps = eps};
      const auto found = on_gpu(start, settings, 2);
      const auto expected = on_cpu(start, settings, 2);
      EXPECT_LE(distance(found.bodies, expected.bodies), 1e-11) << n << " " << eps;
      EXPECT_EQ(found.progress.blocks, expected.blocks) << n << " " << eps;
      EXPECT_GE(found.progress.moves, found.progress.blocks);
    }
}

/// Blocks that own some, one group, or nothing, and launches that end anywhere.
TEST(IndividualSteps, HaveTheSameBitsForAnyGridAndLaunches) {
  const auto start = sphere(90);
  const Settings settings{.dt = 1.0 / 64};
  const auto one = on_gpu(start, {.dt = 1.0 / 64, .grid = 1}, 2);
  for (const unsigned grid : {0U, 2U, 3U, 6U, 8U}) {
    auto other = settings;
    other.grid = grid;
    const auto found = on_gpu(start, other, 2);
    EXPECT_TRUE(same_bits(found.bodies, one.bodies)) << grid;
    EXPECT_EQ(found.progress.moves, one.progress.moves) << grid;
  }
  auto short_launches = settings;
  short_launches.most_blocks = 3;
  const auto found = on_gpu(start, short_launches, 2);
  EXPECT_TRUE(same_bits(found.bodies, one.bodies));
  EXPECT_EQ(found.progress.blocks, one.progress.blocks);
}

/// A light body is between two heavy ones where their pulls cancel, for a moment: its first unit is that of
/// no acceleration.
TEST(IndividualSteps, MakeSumsAgainThatDoNotFit) {
  Bodies b;
  b.add(1, {1, 0, 0}, {0, 0.6, 0});
  b.add(1, {-1, 0, 0}, {0, -0.4, 0});
  b.add(1e-3, {0, 0, 0}, {0, 0, 0});
  const Settings settings{.dt = 1.0 / 4};
  const auto found = on_gpu(b, settings, 4);
  EXPECT_GE(found.progress.redone, 1U);
  EXPECT_LE(distance(found.bodies, on_cpu(b, settings, 4).bodies), 1e-10);
  auto other = settings;
  other.grid = 1;
  EXPECT_TRUE(same_bits(on_gpu(b, other, 4).bodies, found.bodies));
}

TEST(IndividualSteps, EndWhereAStepHasShrunk) {
  Bodies b;
  b.add(0.5, {0.5, 0, 0}, {0, 0, 0});
  b.add(0.5, {-0.5, 0, 0}, {0, 0, 0});
  cuda::IndividualBodies bodies(b, {});
  EXPECT_THROW(bodies.advance(1, 0.02, 2), NumericalError);
}

}  // namespace pleiad
