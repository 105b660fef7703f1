/// Rounding in few-body runs: the Pythagorean problem to t = 70, where encounters have magnified an error of
/// the start a hundred million times, against the same scheme in long double with the same steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "system.hpp"

#include <pleiad/checkpoint.hpp>

#include <array>
#include <limits>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::physics;

namespace {

using Wide = long double;
using Coordinates = std::array<Wide, 9>;
constexpr std::array<Wide, 3> masses{3, 4, 5};

/// Hermite's scheme for three bodies, each coordinate a sum of two long doubles.
class Reference {
 public:
  explicit Reference(Wide displaced = 0) : x_{1 + displaced, 3, 0, -2, -1, 0, 1, -1, 0} { pulls(a_, j_); }

  /// As Simulation does from the second step on; the first is given.
  void run_until(Wide end, Wide first, Wide eta, Wide longest) {
    Wide time = 0, next = first;
    while (time < end) {
      const Wide wanted = std::min(next, longest), left = end - time;
      const Wide dt = left <= wanted ? left : left < 2 * wanted ? left / 2 : wanted;
      time = dt == left ? end : time + dt;
      next = step(dt, eta);
    }
  }
  Vec3<double> position(std::size_t body) const {
    return {double(x_[3 * body]), double(x_[3 * body + 1]), double(x_[3 * body + 2])};
  }

 private:
  static void add(Wide& high, Wide& low, Wide increment) {
    const Wide part = increment + low, all = high + part, rest = all - high;
    low = (high - (all - rest)) + (part - rest);
    high = all;
  }
  void pulls(Coordinates& a, Coordinates& j) const {
    a = {}, j = {};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        if (i == k) continue;
        std::array<Wide, 3> d, u;
        Wide r2 = 0, along = 0;
        for (std::size_t c = 0; c < 3; ++c) {
          const std::size_t p = 3 * i + c, q = 3 * k + c;
          d[c] = x_[q] - x_[p] + (x_low_[q] - x_low_[p]), u[c] = v_[q] - v_[p] + (v_low_[q] - v_low_[p]);
          r2 += d[c] * d[c], along += d[c] * u[c];
        }
        const Wide f = masses[k] / (r2 * std::sqrt(r2));
        for (std::size_t c = 0; c < 3; ++c)
          a[3 * i + c] += f * d[c], j[3 * i + c] += f * (u[c] - 3 * along / r2 * d[c]);
      }
  }
  /// One step; the next one's length by Aarseth's criterion.
  Wide step(Wide dt, Wide eta) {
    const Coordinates x = x_, v = v_, x_low = x_low_, v_low = v_low_;
    Coordinates a1, j1;
    for (std::size_t i = 0; i < 9; ++i) {
      add(x_[i], x_low_[i], dt * (v[i] + dt * (a_[i] / 2 + dt * j_[i] / 6)) + dt * v_low[i]);
      add(v_[i], v_low_[i], dt * (a_[i] + dt * j_[i] / 2));
    }
    pulls(a1, j1);
    x_ = x, v_ = v, x_low_ = x_low, v_low_ = v_low;
    for (std::size_t i = 0; i < 9; ++i) {
      const Wide dv = dt / 2 * (a_[i] + a1[i]) + dt * dt / 12 * (j_[i] - j1[i]);
      add(x_[i], x_low_[i], dt * (v[i] + dv / 2) + dt * dt / 12 * (a_[i] - a1[i]) + dt * v_low[i]);
      add(v_[i], v_low_[i], dv);
    }
    pulls(a1, j1);
    Wide least = std::numeric_limits<Wide>::infinity();
    for (std::size_t body = 0; body < 3; ++body) {
      Wide a = 0, j = 0, s = 0, c = 0;  // squares
      for (std::size_t i = 3 * body; i < 3 * body + 3; ++i) {
        const Wide snap = (-6 * (a_[i] - a1[i]) - dt * (4 * j_[i] + 2 * j1[i])) / (dt * dt),
                   crackle = (12 * (a_[i] - a1[i]) + 6 * dt * (j_[i] + j1[i])) / (dt * dt * dt);
        a += a1[i] * a1[i], j += j1[i] * j1[i], c += crackle * crackle;
        s += (snap + dt * crackle) * (snap + dt * crackle);
      }
      least = std::min(least, std::sqrt(eta * (std::sqrt(a * s) + j) / (std::sqrt(j * c) + s)));
    }
    a_ = a1, j_ = j1;
    return least;
  }

  Coordinates x_, v_{}, x_low_{}, v_low_{}, a_{}, j_{};
};

Snapshot pythagorean() {
  Bodies b;
  for (std::size_t i = 0; i < 3; ++i) b.add(double(masses[i]), Reference().position(i), {});
  return snapshot_of(b);
}

Method adaptive(double eta) {
  Method method = fixed("hermite4", 0.01);
  method.adaptive = true, method.eta = eta;
  return method;
}

double farthest(const Bodies& b, const Reference& reference) {
  double worst = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double off = norm(b.position(i) - reference.position(i));
    worst = off <= worst ? worst : off;
  }
  return worst;
}

}  // namespace

TEST(Rounding, DoesNotDecideThePythagoreanProblemAtSeventy) {
  constexpr double eta = 1e-5, end = 70;
  Simulation s(pythagorean(), Gravity{}, adaptive(eta), in(Precision::f64));
  s.run_towards(end, 1);
  const double first = s.time();
  s.run_until(end);
  Reference reference, displaced(1e-12L);
  reference.run_until(end, first, eta, 0.01L), displaced.run_until(end, first, eta, 0.01L);
  // How much a displacement at the start has grown by the end: about 1e8.
  double growth = 0;
  for (std::size_t i = 0; i < 3; ++i)
    growth = std::max(growth, norm(displaced.position(i) - reference.position(i)) / 1e-12);
  EXPECT_GE(growth, 1e7);
  // With sums of two doubles only the forces round, by some 2^-53 of each pull: over 400,000 steps, in which
  // encounters turn velocities of up to a hundred again and again, as much as 500 roundings of a number of
  // order one at the start. Plain doubles add up as many roundings as there are steps, with errors of order
  // one.
  EXPECT_LE(farthest(s.snapshot().bodies, reference), 500 * 0x1p-53 * growth);
  Simulation mixed(pythagorean(), Gravity{}, adaptive(eta), in(Precision::mixed));
  mixed.run_until(end);
  EXPECT_LE(farthest(mixed.snapshot().bodies, reference), 500 * 0x1p-53 * growth);
}

TEST(Rounding, OfHermitesStateIsCarriedThroughACheckpoint) {
  const auto method = adaptive(1e-4);
  Simulation whole(pythagorean(), Gravity{}, method, in(Precision::f64));
  whole.run_until(20);
  Simulation before(pythagorean(), Gravity{}, method, in(Precision::f64));
  EXPECT_FALSE(before.run_towards(20, 5000));
  Checkpoint saved;
  saved.snapshot = before.snapshot();
  EXPECT_EQ(saved.snapshot.bodies.low.size(), 3u);
  const auto read = decode(encode(saved), "memory");
  EXPECT_EQ(read.snapshot.bodies, saved.snapshot.bodies);
  EXPECT_TRUE(read.extra.empty());
  Simulation after(read.snapshot, before.clock(), Gravity{}, method, in(Precision::f64));
  after.run_until(20);
  EXPECT_EQ(after.snapshot().bodies, whole.snapshot().bodies);
  // Without the low parts it is another run: the test above would not see them lost.
  auto without = read.snapshot;
  without.bodies.low.clear();
  Simulation other(without, before.clock(), Gravity{}, method, in(Precision::f64));
  other.run_until(20);
  EXPECT_NE(state_hash(other.snapshot().bodies), state_hash(whole.snapshot().bodies));
}

TEST(Rounding, OfOtherIntegratorsKeepsNoLowParts) {
  auto start = pythagorean();
  start.bodies.low.assign(3, {1e-17, 0, 0, 0, 0, 0});
  Simulation s(start, Gravity{.softening = {0.1}}, fixed("kdk", 0.01), in(Precision::f64));
  s.run_until(0.1);
  EXPECT_TRUE(s.snapshot().bodies.low.empty());
}
