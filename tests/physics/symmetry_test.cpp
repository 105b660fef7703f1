/// Symmetries of the law: time reversal (P8), Galilean shift, scale and axes (P9), momentum (P10).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"
#include "system.hpp"

#include <pleiad/kernel/direct.hpp>
#include <pleiad/models.hpp>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::physics;

namespace {

/// n steps forward, velocities reversed, n steps back: the distance from the start.
double there_and_back(const Bodies& b, std::string_view integrator, double dt, std::uint64_t steps,
                      Precision precision) {
  Simulation s(snapshot_of(b), Gravity{}, fixed(integrator, dt), in(precision));
  s.run_towards(1e9, steps);
  s.reverse_velocities();
  s.run_towards(1e9, steps);
  return distance(s.snapshot().bodies, b);
}

Snapshot plummer(const std::string& n) {
  const std::vector<std::string> settings{"n=" + n};
  return make_model("plummer", settings, 5);
}

/// Ten thousandths of a crossing time of a small cluster.
Bodies advanced(Bodies b, const Gravity& g, Precision precision = Precision::f64) {
  Simulation s(snapshot_of(std::move(b)), g, fixed("kdk", 1.0 / 256), in(precision));
  s.run_until(0.25);
  return s.snapshot().bodies;
}

}  // namespace

// Rounding of 1e-16 per step, amplified by the orbit's own shear: bounds of the validation catalogue.
TEST(TimeReversal, TakesTheFigureEightBack) {
  EXPECT_LE(there_and_back(figure_eight(false), "kdk", figure_eight_period / 1024, 10 * 1024, Precision::f64),
            1e-10);
  EXPECT_LE(there_and_back(figure_eight(false), "forest-ruth", figure_eight_period / 1024, 10 * 1024,
                           Precision::f64),
            1e-10);
  EXPECT_LE(there_and_back(figure_eight(false), "dkd", figure_eight_period / 1024, 10 * 1024, Precision::f64),
            1e-10);
}
TEST(TimeReversal, TakesItBackWithSchemesOfManyStages) {
  for (const auto* name : {"blanes-moan4", "kahan-li8"})
    EXPECT_LE(there_and_back(figure_eight(false), name, figure_eight_period / 256, 10 * 256, Precision::f64),
              1e-10)
        << name;
}
TEST(TimeReversal, TakesAKeplerOrbitBack) {
  EXPECT_LE(there_and_back(kepler_pair(0.5), "kdk", 2 * pi / 256, 25600, Precision::f64), 1e-9);
}
/// On a lattice nothing is left: n steps there and n steps back end at the bits of the start.
void expect_no_bit_lost(const std::string& n, const std::string& kernel, std::uint64_t steps) {
  auto method = fixed("kdk", 1.0 / 256);
  method.lattice = LatticeUnits{};
  EngineOptions engine = in(Precision::mixed);
  engine.method = force_method_of(kernel);
  Simulation s(plummer(n), {.softening = {0.01}}, method, engine);
  const auto start = s.snapshot().bodies;
  s.run_towards(1e9, steps);
  EXPECT_GT(distance(s.snapshot().bodies, start), 0.1);
  s.reverse_velocities();
  s.run_towards(1e9, steps);
  s.reverse_velocities();
  const auto& end = s.snapshot().bodies;
  for (const auto axis : {&Bodies::x, &Bodies::y, &Bodies::z, &Bodies::vx, &Bodies::vy, &Bodies::vz})
    EXPECT_TRUE(end.*axis == start.*axis) << kernel;
  EXPECT_TRUE(end.low == start.low) << kernel;
}
TEST(TimeReversal, TakesAChaoticClusterBackOnALattice) {
  expect_no_bit_lost("256", "cpu/symmetric", 10'000);
  expect_no_bit_lost("1000", "cpu/fmm order=3 theta=0.6", 1000);
}
TEST(TimeReversalOfMany, LosesNoBitByDirectSums) { expect_no_bit_lost("4096", "cpu/symmetric", 1000); }
TEST(TimeReversalOfMany, LosesNoBitByATree) { expect_no_bit_lost("4096", "cpu/fmm order=3 theta=0.6", 1000); }

TEST(TimeReversal, WorksInSinglePrecision) {
  EXPECT_LE(there_and_back(figure_eight(false), "kdk", figure_eight_period / 1024, 10 * 1024, Precision::f32),
            1e-2);
}

TEST(Galilean, AShiftOfPlaceAndVelocityChangesNothing) {
  const auto b = plummer("256").bodies;
  auto shifted = b;
  const Vec3<double> place{3, -2, 1}, velocity{0.5, 0.25, -1};
  for (std::size_t i = 0; i < b.size(); ++i) {
    shifted.x[i] += place.x, shifted.y[i] += place.y, shifted.z[i] += place.z;
    shifted.vx[i] += velocity.x, shifted.vy[i] += velocity.y, shifted.vz[i] += velocity.z;
  }
  const Gravity g{.softening = {0.05}};
  const auto one = advanced(b, g), two = advanced(shifted, g);
  double worst = 0, scale = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    take_larger(worst, norm(two.position(i) - (one.position(i) + place + velocity * 0.25)));
    scale = std::max(scale, norm(one.position(i)));
  }
  EXPECT_LE(worst, 1e-11 * scale);
}

TEST(Scaling, MassesTimesAPowerOfTwoGiveTheSameBits) {
  for (const auto precision : {Precision::f32, Precision::f64, Precision::mixed}) {
    const auto b = plummer("200").bodies;
    auto heavy = b;
    for (auto& m : heavy.mass) m *= 0x1p10;
    const auto one = advanced(b, {.G = 1, .softening = {0.05}}, precision);
    const auto two = advanced(heavy, {.G = 0x1p-10, .softening = {0.05}}, precision);
    EXPECT_EQ(one.x, two.x) << name_of(precision);
    EXPECT_EQ(one.vz, two.vz) << name_of(precision);
  }
}

TEST(Axes, SwappingThemSwapsTheResult) {
  const auto b = plummer("200").bodies;
  auto swapped = b;
  std::swap(swapped.x, swapped.y);
  std::swap(swapped.vx, swapped.vy);
  const Gravity g{.softening = {0.05}};
  auto two = advanced(swapped, g);
  std::swap(two.x, two.y);
  // Only the order of three additions differs: rounding, grown over a quarter of a time unit.
  EXPECT_LE(distance(advanced(b, g), two), 1e-12);
}

TEST(Momentum, SymmetricPairsConserveItToRounding) {
  const auto start = plummer("512");
  EngineOptions engine = in(Precision::f64);
  engine.method = force_method_of("cpu/symmetric");
  Simulation s(start, {.softening = {0.02}}, fixed("kdk", 1.0 / 1024), engine);
  const auto total = [](const Bodies& b) {
    Vec3<double> p{};
    double size = 0;
    for (std::size_t i = 0; i < b.size(); ++i)
      p += b.mass[i] * b.velocity(i), size += b.mass[i] * norm(b.velocity(i));
    return std::pair{p, size};
  };
  const auto [before, size] = total(s.snapshot().bodies);
  s.run_towards(1e9, 1000);
  const auto [after, ignored] = total(s.snapshot().bodies);
  // A kick rounds each velocity by 1e-16 of itself, in random directions: sqrt(1000 steps) / sqrt(512 bodies)
  // * 1e-16 = 1.4e-16.
  EXPECT_LE(norm(after - before), 1e-15 * size) << norm(after - before) / size;
}
