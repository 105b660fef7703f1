/// Gauss-Radau against a solution in quadruple precision, its order, and the bits of its steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "integrate/radau.hpp"
#include "system.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/error.hpp>

#include <array>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::physics;

namespace {

Method adaptive(double eta = 0.02) {
  Method method = fixed("gauss-radau", 10);
  method.adaptive = true, method.eta = eta;
  return method;
}

Snapshot pythagorean_triple() {
  Bodies b;
  b.add(3, {1, 3, 0}, {});
  b.add(4, {-2, -1, 0}, {});
  b.add(5, {1, -1, 0}, {});
  return snapshot_of(b);
}

/// The largest distance of a body from its start after one period, without what a period that is too long or
/// too short adds to all positions and velocities.
double closure(Simulation& s, const Bodies& start) {
  const auto& end = s.snapshot().bodies;
  double along = 0, squared = 0;
  for (std::size_t i = 0; i < start.size(); ++i) {
    along += dot(end.position(i) - start.position(i), start.velocity(i));
    squared += dot(start.velocity(i), start.velocity(i));
  }
  double worst = 0;
  for (std::size_t i = 0; i < start.size(); ++i) {
    const double off = norm(end.position(i) - start.position(i) - along / squared * start.velocity(i));
    worst = off <= worst ? worst : off;
  }
  return worst;
}

}  // namespace

// Radau's nodes integrate polynomials of degree 14 exactly, with weights that follow from them: the moments
// of s^n, n = 0 ... 14, over [0, 1] are 1 / (n + 1). Fewer than 15 conditions would not fix seven nodes.
TEST(Radau, NodesIntegrateWithTheOrderOfTheScheme) {
  const auto& c = radau::constants();
  for (std::size_t n = 1; n <= 14; ++n) {
    // The polynomial of degree 7 through s^n at the nodes, in Newton's form and then in powers.
    std::array<long double, radau::order> g{}, b{};
    for (std::size_t k = 0; k < radau::order; ++k) {
      g[k] = std::pow((long double)c.node[k], (long double)n) * c.inverse[k][0];
      for (std::size_t m = 0; m < k; ++m) g[k] = (g[k] - g[m]) * c.inverse[k][m + 1];
      for (std::size_t m = 0; m <= k; ++m) b[m] += c.power[k][m] * g[k];
    }
    long double integral = 0;
    for (std::size_t k = 0; k < radau::order; ++k) integral += b[k] / (long double)(k + 2);
    // Coefficients of up to a hundred, from constants in double precision.
    EXPECT_LE(std::abs(double(integral - 1 / (long double)(n + 1))), 100 * 0x1p-53) << n;
    // And back from powers to Newton's form, by sums in which terms of a thousand cancel.
    for (std::size_t k = 0; k < radau::order; ++k) {
      long double back = 0;
      for (std::size_t m = k; m < radau::order; ++m) back += c.newton[m][k] * b[m];
      EXPECT_LE(std::abs(double(back - g[k])), 1000 * 0x1p-53) << n << " " << k;
    }
  }
}

// Positions of the first body from the same problem in quadruple precision, by this scheme with steps for
// relative errors of 1e-18 and 1e-20, which agree in all digits given here. Encounters multiply an error of
// the start by 1e8 until t = 70.
TEST(GaussRadau, FollowsThePythagoreanProblemToItsEnd) {
  Simulation s(pythagorean_triple(), Gravity{}, adaptive(), in(Precision::f64));
  const double before = s.energies().total();
  const auto miss = [&](double time, Vec3<double> exact) {
    s.run_until(time);
    EXPECT_EQ(s.time(), time);
    const double off = norm(s.snapshot().bodies.position(0) - exact);
    return std::isfinite(off) ? off : INFINITY;
  };
  EXPECT_LE(miss(30, {0.85634049889731612, 2.28709366369625, 0}), 1e-10);
  EXPECT_LE(miss(50, {-2.7014614092655247, -3.797222682722448, 0}), 1e-6);
  EXPECT_LE(miss(70, {6.9334635990118869, 20.261804305951713, 0}), 1e-3);
  EXPECT_LE(std::abs(s.energies().total() / before - 1), 1e-12);
  // 22 evaluations a step, and 5380 steps.
  EXPECT_LE(s.evaluations(), 120'000u);
}

// The refined values have 16 digits.
TEST(GaussRadau, ClosesTheFigureEight) {
  const auto b = figure_eight(true);
  Simulation s(snapshot_of(b), Gravity{}, adaptive(), in(Precision::f64));
  s.run_until(figure_eight_period);
  EXPECT_LE(closure(s, b), 1e-11);
}

TEST(GaussRadau, KeepsEnergyAndAnEccentricOrbitForAHundredTurns) {
  const auto start = snapshot_of(kepler_pair(0.9));
  Simulation s(start, Gravity{}, adaptive(), in(Precision::f64));
  const double before = s.energies().total();
  s.run_until(200 * pi);
  const auto& end = s.snapshot().bodies;
  // The period 2 pi is that of a double: it is off by 1e-15 of 628, at speeds of 4. A random walk of ten
  // thousand roundings of the period does not reach ten times that.
  const auto off = separation(end) - separation(start.bodies);
  EXPECT_LE(norm(off), 1e-10) << norm(off);
  EXPECT_LE(std::abs(s.energies().total() / before - 1), 1e-13);
}

// Steps of one length: the error of ten orbits falls with the fifteenth power, until rounding errors are
// reached.
// Steps of one length: bodies miss their start after ten periods by an amount that falls with the fifteenth
// power, until rounding errors are reached.
TEST(GaussRadau, FallsWithTheFifteenthPower) {
  const auto miss = [](int steps) {
    const auto b = kepler_pair(0.3);
    Simulation s(snapshot_of(b), Gravity{}, fixed("gauss-radau", 2 * pi / steps), in(Precision::f64));
    s.run_towards(1e9, static_cast<std::uint64_t>(10 * steps));
    return norm(separation(s.snapshot().bodies) - separation(b));
  };
  const double coarse = miss(14), fine = miss(20), power = std::log(coarse / fine) / std::log(20.0 / 14);
  EXPECT_LE(std::abs(power - 15), 1) << coarse << " " << fine;
  EXPECT_LE(fine, 1e-12);
}

TEST(GaussRadau, MakesAStepThatIsTooLongInParts) {
  // The first step that is asked for is as long as the period, which this orbit passes its pericentre in.
  Method method = adaptive();
  method.dt = 1;
  Simulation s(snapshot_of(kepler_pair(0.99)), Gravity{}, method, in(Precision::f64));
  Clock clock = s.clock();
  clock.next_dt = 3;
  Simulation forced(s.snapshot(), clock, Gravity{}, method, in(Precision::f64));
  const double before = forced.energies().total();
  forced.run_towards(1, 1);
  EXPECT_LE(forced.step(), 1u);
  EXPECT_EQ(forced.time(), 1.0);
  EXPECT_LE(std::abs(forced.energies().total() / before - 1), 1e-11);
}

TEST(GaussRadau, RefusesToGoOnWhereBodiesMeet) {
  Bodies b;
  b.add(0.5, {-0.5, 0, 0}, {});
  b.add(0.5, {0.5, 0, 0}, {});
  Simulation s(snapshot_of(b), Gravity{}, adaptive(), in(Precision::f64));
  EXPECT_THROW(s.run_until(10), NumericalError);
}

TEST(GaussRadau, GoesOnFromACheckpointWithTheSameBits) {
  for (const bool adapts : {true, false}) {
    auto method = adaptive();
    if (!adapts) method.adaptive = false, method.dt = 1.0 / 128;
    Simulation whole(pythagorean_triple(), Gravity{}, method, in(Precision::f64));
    whole.run_until(5);
    Simulation before(pythagorean_triple(), Gravity{}, method, in(Precision::f64));
    EXPECT_FALSE(before.run_towards(before.moment_at(5), 100));
    Checkpoint saved;
    saved.snapshot = before.snapshot();
    EXPECT_EQ(saved.snapshot.bodies.series.size(), 3u);
    const auto read = decode(encode(saved), "memory");
    EXPECT_EQ(read.snapshot.bodies, saved.snapshot.bodies);
    EXPECT_TRUE(read.extra.empty());
    Simulation after(read.snapshot, before.clock(), Gravity{}, method, in(Precision::f64));
    after.run_until(5);
    EXPECT_EQ(after.snapshot().bodies, whole.snapshot().bodies);
    EXPECT_EQ(after.evaluations(), whole.evaluations() - before.evaluations());
    // Without the series of the last step there are more iterations: the test above would not see it lost.
    auto without = read.snapshot;
    without.bodies.series.clear();
    Simulation other(without, before.clock(), Gravity{}, method, in(Precision::f64));
    other.run_until(5);
    EXPECT_GT(other.evaluations(), after.evaluations());
  }
}

/// A pull towards the plane z = 0 that grows with time.
TEST(GaussRadau, SeesAForceOfTheUserAtEachTime) {
  Bodies b;
  b.add(1, {0, 0, 0}, {});
  b.add(0, {1000, 0, 0}, {0, 0, 0});
  Simulation s(snapshot_of(b), {.G = 1e-30}, fixed("gauss-radau", 0.5), in(Precision::f64));
  s.add_force([](const ForceCall& call) {
    auto* a = static_cast<Vec4<double>*>(call.accelerations);
    for (std::size_t i = 0; i < call.n; ++i) a[i].z = std::pow(call.time, 5);
  });
  s.run_until(2);
  // A polynomial of degree 7 is integrated without errors but rounding: z = t^7 / 42.
  EXPECT_LE(std::abs(s.snapshot().bodies.z[1] / (128.0 / 42) - 1), 1e-14);
}
