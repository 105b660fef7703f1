/// The integrator of a regularised group: exact output times, the same bits after a checkpoint, what it
/// refuses.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "system.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/error.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::physics;

namespace {

Method chain(double dt, double eta = 0) {
  Method method = fixed("ar-chain", dt);
  if (eta > 0) method.adaptive = true, method.eta = eta;
  return method;
}

Snapshot pythagorean_triple() {
  Bodies b;
  b.add(3, {1, 3, 0}, {});
  b.add(4, {-2, -1, 0}, {});
  b.add(5, {1, -1, 0}, {});
  return snapshot_of(b);
}

std::string refusal(const Bodies& bodies, const Gravity& gravity, Precision precision = Precision::f64) {
  try {
    Simulation s(snapshot_of(bodies), gravity, chain(0.5), in(precision));
    s.run_until(0.5);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

// The positions in quadruple precision of gauss_radau_test.cpp: errors grow by 1e8 until t = 70.
TEST(ArChain, FollowsThePythagoreanProblemToItsEnd) {
  Simulation s(pythagorean_triple(), Gravity{}, chain(0.5), in(Precision::f64));
  const double before = s.energies().total();
  const auto miss = [&](double time, Vec3<double> exact) {
    s.run_until(time);
    EXPECT_EQ(s.time(), time);
    const double off = norm(s.snapshot().bodies.position(0) - exact);
    return std::isfinite(off) ? off : INFINITY;
  };
  EXPECT_LE(miss(30, {0.85634049889731612, 2.28709366369625, 0}), 1e-11);
  EXPECT_LE(miss(50, {-2.7014614092655247, -3.797222682722448, 0}), 1e-6);
  EXPECT_LE(miss(70, {6.9334635998109869, 20.261804305951713, 0}), 1e-3);
  EXPECT_LE(std::abs(s.energies().total() / before - 1), 1e-12);
}

// A period, of which the refined digits are 16, misses its start by what 1e-8 of the period moves the bodies:
// the digits of the period are those of half a unit of 1e-8, at speeds of 1.3.
TEST(ArChain, ClosesTheFigureEight) {
  const auto b = figure_eight(true);
  Simulation s(snapshot_of(b), Gravity{}, chain(1), in(Precision::f64));
  s.run_until(figure_eight_period);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_LE(norm(s.snapshot().bodies.position(i) - b.position(i)), 1.3e-8) << i;
}

// Steps and outputs of any length, with the same orbit: errors of a period are 1e-15, and grow with its
// square.
TEST(ArChain, HasTheSameOrbitInStepsOfAnyLength) {
  const auto start = kepler_pair(0.99);
  for (const double eta : {0.0, 0.02})
    for (const double dt : {0.01, 1.0, 100.0}) {
      Simulation s(snapshot_of(start), Gravity{}, chain(dt, eta), in(Precision::f64));
      const double before = s.energies().total();
      s.run_until(0.123);
      EXPECT_EQ(s.time(), 0.123);
      s.run_until(40.5 * pi);
      EXPECT_EQ(s.time(), 40.5 * pi);
      EXPECT_LE(std::abs(s.energies().total() / before - 1), 2e-12) << dt;
      // A quarter of a period after pericentre e = 0.99: E - e sin E = pi / 2, by Newton.
      double anomaly = pi / 2;
      for (int k = 0; k < 20; ++k)
        anomaly -= (anomaly - 0.99 * std::sin(anomaly) - pi / 2) / (1 - 0.99 * std::cos(anomaly));
      const Vec3<double> exact{std::cos(anomaly) - 0.99, std::sqrt(1 - 0.99 * 0.99) * std::sin(anomaly), 0};
      EXPECT_LE(norm(separation(s.snapshot().bodies) - exact), 1e-10) << dt;
    }
}

TEST(ArChain, GoesOnFromACheckpointWithTheSameBits) {
  for (const double eta : {0.0, 0.1}) {
    const auto method = chain(1.0 / 8, eta);
    Simulation whole(pythagorean_triple(), Gravity{}, method, in(Precision::f64));
    whole.run_until(20);
    Simulation before(pythagorean_triple(), Gravity{}, method, in(Precision::f64));
    EXPECT_FALSE(before.run_towards(before.moment_at(20), 100));
    Checkpoint saved;
    saved.snapshot = before.snapshot();
    EXPECT_EQ(saved.snapshot.bodies.low.size(), 3u);
    const auto read = decode(encode(saved), "memory");
    Simulation after(read.snapshot, before.clock(), Gravity{}, method, in(Precision::f64));
    after.run_until(20);
    EXPECT_EQ(after.snapshot().bodies, whole.snapshot().bodies);
    EXPECT_EQ(after.evaluations(), whole.evaluations() - before.evaluations());
  }
}

// A looser eta takes fewer evaluations, with larger errors.
TEST(ArChain, TakesTheAccuracyOfAdaptiveSteps) {
  std::uint64_t evaluations = 0;
  for (const double eta : {0.02, 0.3}) {
    Simulation s(pythagorean_triple(), Gravity{}, chain(10, eta), in(Precision::f64));
    const double before = s.energies().total();
    s.run_until(20);
    EXPECT_LE(std::abs(s.energies().total() / before - 1), eta < 0.1 ? 1e-12 : 1e-4);
    if (evaluations > 0) {
      EXPECT_LE(s.evaluations(), evaluations * 3 / 4);
    }
    evaluations = s.evaluations();
  }
}

TEST(ArChain, MovesOneBodyAndACloud) {
  Bodies one;
  one.add(2, {1, 0, 0}, {0, 0.5, 0});
  Simulation free(snapshot_of(one), Gravity{}, chain(0.5), in(Precision::f64));
  free.run_until(3.25);
  EXPECT_EQ(free.snapshot().bodies.position(0), (Vec3<double>{1, 1.625, 0}));
  Bodies many;
  for (int i = 0; i < 64; ++i) {
    const double a = 0.7 * i, r = 0.2 + 0.01 * i;
    many.add(1.0 / 64, {r * std::cos(a), r * std::sin(a), 0.3 * std::sin(3 * a)},
             {-0.5 * std::sin(2 * a), 0.5 * std::cos(a), 0.1 * std::cos(5 * a)});
  }
  Simulation cloud(snapshot_of(many), Gravity{}, chain(0.125), in(Precision::f64));
  const double before = cloud.energies().total();
  cloud.run_until(0.25);
  EXPECT_LE(std::abs(cloud.energies().total() / before - 1), 1e-12);
}

TEST(ArChain, SaysWhatItDoesNotTake) {
  const auto pair = kepler_pair(0.5);
  EXPECT_EQ(refusal(pair, {}), "");
  EXPECT_NE(refusal(pair, {.softening = {0.1}}).find("without softening"), std::string::npos);
  EXPECT_NE(
      refusal(pair, {.boundary = {.periodic = true, .length = {9, 9, 9}}}).find("without a periodic box"),
      std::string::npos);
  EXPECT_NE(refusal(pair, {}, Precision::mixed).find("engine.precision = \"f64\""), std::string::npos);
  auto particle = pair;
  particle.add(0, {3, 0, 0}, {});
  EXPECT_NE(refusal(particle, {}).find("takes no test particles"), std::string::npos);
  Bodies many;
  for (int i = 0; i < 65; ++i) many.add(1, {double(i), 0, 0}, {});
  EXPECT_NE(refusal(many, {}).find("takes at most 64 bodies, not 65"), std::string::npos);
}
