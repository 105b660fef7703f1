/// Individual steps on a GPU: against those of the CPU, the same bits for any grid and any launches, sums
/// that do not fit, and steps that shrink.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"
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
  bool in_floats = false;
};

struct Found {
  Bodies bodies;
  cuda::IndividualProgress progress;
};
Found on_gpu(const Bodies& start, const Settings& settings, std::uint64_t steps) {
  cuda::IndividualBodies bodies(start, {.eps = settings.eps,
                                        .in_floats = settings.in_floats,
                                        .grid = settings.grid,
                                        .most_blocks = settings.most_blocks});
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
  for (std::size_t i = 0; i < a.size(); ++i) take_larger(largest, norm(a.position(i) - b.position(i)));
  return largest;
}
/// The largest sum of the lengths of the pulls on a body.
double largest_pulls(const Bodies& b, double eps) {
  double largest = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < b.size(); ++k)
      if (const auto d = b.position(k) - b.position(i); k != i)
        sum += b.mass[k] * norm(d) / std::pow(dot(d, d) + eps * eps, 1.5);
    take_larger(largest, sum);
  }
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

/// A pull in floats has some roundings of 2^-24, and those that are sums of 16 as many: 2^-22 of the pulls
/// altogether. In the time t that moves a body by t^2 / 2 times as much, which close pairs multiply by ten.
/// What is a sixteenth of the whole or more is in doubles: a close pair stays on its orbit.
TEST(IndividualSteps, InFloatsAreThoseInDoubles) {
  for (const double eps : {0.0, 0.05})
    for (const std::size_t n : {2U, 3U, 40U, 60U, 100U}) {
      auto start = sphere(n);
      if (n == 40)
        for (std::size_t i = 0; i < n; i += 3) start.mass[i] = 0;
      if (n == 100) start.mass[7] = 1, start.mass[8] = 1e-9;
      if (n == 60) {  // a pair whose orbit is short
        const double a = 1e-3, v = std::sqrt((start.mass[3] + start.mass[4]) / a) / 2;
        for (const std::size_t i : {3U, 4U}) {
          const double sign = i == 3 ? 1 : -1;
          start.x[i] = start.x[3] - (i == 4 ? a : 0), start.y[i] = start.y[3], start.z[i] = start.z[3];
          start.vx[i] = 0, start.vy[i] = sign * v, start.vz[i] = 0;
        }
      }
      const double time = n == 60 ? 1.0 / 256 : 1.0 / 16;
      Settings settings{.dt = time / 2, .eps = eps};
      const auto expected = on_gpu(start, settings, 2);
      settings.in_floats = true;
      const auto found = on_gpu(start, settings, 2);
      const double pulls = largest_pulls(start, eps) - (n == 60 && eps == 0 ? start.mass[3] / 1e-6 : 0);
      EXPECT_LE(distance(found.bodies, expected.bodies), 10 * time * time / 2 * 0x1p-22 * pulls)
          << n << " " << eps;
      EXPECT_TRUE(n < 40 || !same_bits(found.bodies, expected.bodies)) << n << " " << eps;
    }
}

/// Units of floats follow the bodies: in others that are powers of two all numbers are the same.
TEST(IndividualSteps, InFloatsTakeAnyUnits) {
  const auto start = sphere(60);
  const auto found = on_gpu(start, {.dt = 1.0 / 32, .in_floats = true}, 2);
  for (const int sign : {1, -1}) {
    const double length = std::ldexp(1, sign * 60), time = std::ldexp(1, sign * 40);
    auto scaled = start, expected = found.bodies;
    for (auto* b : {&scaled, &expected})
      for (std::size_t i = 0; i < b->size(); ++i) {
        for (auto* x : {&b->x, &b->y, &b->z}) (*x)[i] *= length;
        for (auto* v : {&b->vx, &b->vy, &b->vz}) (*v)[i] *= length / time;
        b->mass[i] *= length * length * length / (time * time);
      }
    const auto other = on_gpu(scaled, {.dt = time / 32, .in_floats = true}, 2).bodies;
    EXPECT_TRUE(other.x == expected.x && other.y == expected.y && other.z == expected.z) << sign;
    EXPECT_TRUE(other.vx == expected.vx && other.vy == expected.vy && other.vz == expected.vz) << sign;
  }
}

/// Far from the origin and fast the differences are as exact: positions have 2^-48 of their size, velocities
/// are relative to the mean.
TEST(IndividualSteps, InFloatsFollowBodiesThatAreFarAndFast) {
  const auto start = sphere(100);
  const Vec3<double> place{1024, -512, 2048}, velocity{16384, 32768, -65536};
  auto moved = start;
  for (std::size_t i = 0; i < start.size(); ++i) {
    moved.x[i] += place.x, moved.y[i] += place.y, moved.z[i] += place.z;
    moved.vx[i] += velocity.x, moved.vy[i] += velocity.y, moved.vz[i] += velocity.z;
  }
  constexpr double time = 1.0 / 16;
  const Settings settings{.dt = time / 2, .in_floats = true};
  auto back = on_gpu(moved, settings, 2).bodies;
  for (std::size_t i = 0; i < start.size(); ++i) {
    const auto by = place + velocity * time;
    back.x[i] -= by.x, back.y[i] -= by.y, back.z[i] -= by.z;
  }
  EXPECT_LE(distance(back, on_gpu(start, settings, 2).bodies),
            10 * time * time / 2 * 0x1p-22 * largest_pulls(start, 0));
}

/// Blocks that own some, one group, or nothing, and launches that end anywhere; and a run that goes on.
TEST(IndividualSteps, HaveTheSameBitsForAnyGridAndLaunches) {
  const auto start = sphere(90);
  for (const bool in_floats : {false, true}) {
    const Settings settings{.dt = 1.0 / 64, .in_floats = in_floats};
    const auto one = on_gpu(start, {.dt = 1.0 / 64, .grid = 1, .in_floats = in_floats}, 2);
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
    EXPECT_TRUE(same_bits(on_gpu(on_gpu(start, settings, 1).bodies, settings, 1).bodies, one.bodies));
  }
}

/// Threads have two bodies, and more are active than the table of places has: 1024 and more at once. Bodies
/// at rest, so that all have the same step at first.
TEST(IndividualSteps, HaveTheSameBitsOfManyAtOnce) {
  auto start = sphere(1100);
  const Settings settings{.dt = 1.0 / 256, .eps = 0.5, .grid = 2, .in_floats = true};
  const auto found = on_gpu(start, settings, 1),
             one = on_gpu(start, {.dt = 1.0 / 256, .eps = 0.5, .grid = 3, .in_floats = true}, 1);
  EXPECT_GE(found.progress.moves, found.progress.blocks * 1024);
  EXPECT_TRUE(same_bits(found.bodies, one.bodies));
  EXPECT_LE(distance(found.bodies, on_gpu(start, {.dt = 1.0 / 256, .eps = 0.5}, 1).bodies),
            0x1p-16 / 2 * 0x1p-22 * 10 * largest_pulls(start, 0.5));
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
