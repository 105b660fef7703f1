/// The solvers of Kepler's equation, for one orbit, for vectors of them, and by series, on a matrix of orbits
/// and times against quadruple precision.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "orbits/kepler.hpp"
#include "orbits/many.hpp"
#include "orbits/universal_series.hpp"
#include "unit/orbits/quad_orbit.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::orbits;

namespace {

/// As far off as the arithmetic of a GPU may be.
struct RoughArithmetic {
  static double inverse_root(double x) { return (1 / std::sqrt(x)) * (1 + 0x1p-53); }
  static double reciprocal(double x) { return 1 / x; }
  static double near_reciprocal(double x) { return (1 + 1e-11) / x; }
};

/// The largest error so far in units of its tolerance; what is no number is larger than any.
struct Largest {
  double error = 0;
  std::string where{};
  void take(double x, const std::string& at) {
    if (x <= error || error == std::numeric_limits<double>::infinity()) return;
    error = std::isnan(x) ? std::numeric_limits<double>::infinity() : x, where = at;
  }
};

struct Orbit {
  double e = 0, mu = 1;
  Phase start;
  double period = 0;  ///< of an ellipse with this axis; of a parabola, of a circle at pericentre
  std::string name;
};

/// Starts at pericentre, at apocentre or far out, and between, on both sides; of a = 1, in a tilted plane.
std::vector<Orbit> orbits_of_all_kinds() {
  const Vec3<double> one{0.6, 0.48, 0.64}, two{-0.8, 0.36, 0.48};
  std::vector<Orbit> all;
  for (const double e :
       {0.0, 1e-9, 0.01, 0.3, 0.9, 0.99, 0.9999, 0.9999999, 1.0, 1.0000001, 1.01, 2.0, 100.0})
    for (const double u : {0.0, 1e-3, -0.3, 0.7, -1.5, 2.2, -2.9, 3.14, -6.0}) {
      if (e < 1 && std::abs(u) > 3.2) continue;
      const double mu = all.size() % 2 == 0 ? 1 : 39.476926421373;
      Phase p;
      // Eccentric anomalies; Barker's equation; hyperbolic ones.
      if (e < 1) {
        const double r = 1 - e * std::cos(u), k = std::sqrt(mu) / r, w = std::sqrt((1 - e) * (1 + e));
        p = {(std::cos(u) - e) * one + (w * std::sin(u)) * two,
             (-k * std::sin(u)) * one + (k * w * std::cos(u)) * two};
      } else if (e == 1) {
        const double r = 1 + u * u, k = std::sqrt(2 * mu) / r;
        p = {(1 - u * u) * one + (2 * u) * two, (-k * u) * one + k * two};
      } else {
        const double r = e * std::cosh(u) - 1, k = std::sqrt(mu) / r, w = std::sqrt((e - 1) * (e + 1));
        p = {(e - std::cosh(u)) * one + (w * std::sinh(u)) * two,
             (-k * std::sinh(u)) * one + (k * w * std::cosh(u)) * two};
      }
      all.push_back({e, mu, p, 2 * std::numbers::pi / std::sqrt(mu), fmt::format("e {} u {}", e, u)});
    }
  return all;
}

constexpr std::array turns{1e-12, 1e-8, 1e-4, 1e-3, 0.01, 0.05, 0.1, 0.23,
                           0.37,  0.61, 0.83, 1.0,  11.0, 1e3,  1e6};

/// Changes in a time of so many periods of the first; all have the same mu.
std::vector<Phase> by_vectors(const std::vector<Orbit>& orbits, double turn) {
  const std::size_t n = orbits.size(), size = padded(n);
  std::vector<Phase> changes;
  std::vector<double> mu(size, 1);
  Columns x, v, dx, dv;
  for (auto* columns : {&x, &v, &dx, &dv})
    for (auto& column : *columns) column.assign(size, 0);
  x[0].assign(size, 1);
  for (std::size_t i = 0; i < n; ++i) {
    const auto& p = orbits[i].start;
    mu[i] = orbits[i].mu;
    x[0][i] = p.x.x, x[1][i] = p.x.y, x[2][i] = p.x.z, v[0][i] = p.v.x, v[1][i] = p.v.y, v[2][i] = p.v.z;
  }
  kepler_changes(n, mu, x, v, turn * orbits.front().period, dx, dv);
  for (std::size_t i = 0; i < n; ++i)
    changes.push_back({{dx[0][i], dx[1][i], dx[2][i]}, {dv[0][i], dv[1][i], dv[2][i]}});
  return changes;
}

/// The variable after some steps of Halley's method from the guess of the solvers; mu = 1.
double after_halley(const Phase& start, double dt, int steps) {
  const double r = norm(start.x), eta = dot(start.x, start.v), b = 2 / r - dot(start.v, start.v);
  const double zeta = 1 - b * r, first = dt / r, c = eta / r / 2;
  double s = first * (first * (first * (2 * c * c - zeta / r / 6) - c) + 1);
  for (int k = 0; k < steps; ++k) {
    const auto g = stumpff_series(b, s);
    const double miss = r * s + eta * g.g2 + zeta * g.g3 - dt, distance = r + eta * g.g1 + zeta * g.g2;
    s -= 2 * distance * miss / (2 * distance * distance - miss * (eta * g.g0 + zeta * g.g1));
  }
  return s;
}

test::QuadVector wide(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

}  // namespace

/// Sums of some ten terms, each of which a rounding error of the problem may be: see kepler_step.
TEST(KeplerMatrix, OfAllSolversIsThatOfQuadruplePrecision) {
  const auto all = orbits_of_all_kinds();
  Largest one, many, series;
  std::size_t count = 0, settled = 0;
  for (const double mu : {all[0].mu, all[1].mu}) {
    std::vector<Orbit> alike;
    for (const auto& orbit : all)
      if (orbit.mu == mu) alike.push_back(orbit);
    for (const double sign : {1.0, -1.0})
      for (const double turn : turns) {
        const auto vectors = by_vectors(alike, sign * turn);
        for (std::size_t i = 0; i < alike.size(); ++i, ++count) {
          const auto& [e, own_mu, start, period, name] = alike[i];
          const double dt = sign * turn * period;
          const auto where = fmt::format("{} turns {}", name, sign * turn);
          const auto t = test::tolerance_of(mu, start, dt);
          const auto take = [&](Largest& largest, const Phase& change) {
            largest.take(test::distance_of(wide(change.x), t.exact.x) / t.x, where + " x");
            largest.take(test::distance_of(wide(change.v), t.exact.v) / t.v, where + " v");
          };
          take(one, kepler_change(mu, start, dt));
          take(many, vectors[i]);
          Phase change;
          if (!change_by_series<RoughArithmetic>(mu, start, dt, change)) continue;
          take(series, change), ++settled;
        }
      }
  }
  EXPECT_LE(one.error, 20) << one.where;
  EXPECT_LE(many.error, 20) << many.where;
  EXPECT_LE(series.error, 20) << series.where;
  EXPECT_GE(count, 3000u);
  EXPECT_GE(settled, count / 4);
}

/// On the way inwards to a pericentre of q, times for which Halley's first or second step ends beside the
/// centre while the root is far away. The next step is short there, and must not count as the last.
TEST(KeplerMatrix, StepsThatAreShortAtTheCentreAreNotTheLast) {
  std::size_t count = 0;
  for (const double q : {1e-10, 1e-12, 1e-14})
    for (const double r : {0.3, 0.5, 0.9, 1.5})
      for (const int steps : {0, 1}) {
        // A parabola, whose pericentre is at s = -x v / mu.
        const double across = std::sqrt(2 * q) / r, inwards = -std::sqrt(2 / r - across * across);
        const Phase start{{r, 0, 0}, {inwards, across, 0}};
        for (const double beside : {1e-7, -1e-7, 3e-7, -3e-7, 1e-8}) {
          const auto ahead = [&](double dt) { return after_halley(start, dt, steps) + r * inwards - beside; };
          for (double dt = 0.01; dt < 6; dt *= 1.02) {
            double low = dt, high = dt * 1.02;
            if (!(ahead(low) * ahead(high) < 0 && std::abs(ahead(low)) < 1)) continue;
            for (int k = 0; k < 60; ++k) {
              const double middle = (low + high) / 2;
              (ahead(middle) * ahead(low) > 0 ? low : high) = middle;
            }
            ++count;
            const auto t = test::tolerance_of(1, start, low);
            const auto vector = by_vectors({Orbit{0, 1, start, 1, ""}}, low).front();
            EXPECT_LE(test::distance_of(wide(vector.x), t.exact.x), 20 * t.x) << q << " " << r << " " << low;
            Phase change;
            if (!change_by_series<RoughArithmetic>(1, start, low, change)) continue;
            EXPECT_LE(test::distance_of(wide(change.x), t.exact.x), 20 * t.x) << q << " " << r << " " << low;
          }
        }
      }
  EXPECT_GE(count, 100u);
}

/// They come back at once, and as no numbers.
TEST(KeplerMatrix, WhatIsNoNumberStaysNone) {
  const double none = std::numeric_limits<double>::quiet_NaN(),
               infinite = std::numeric_limits<double>::infinity();
  for (const double bad : {none, infinite}) {
    EXPECT_FALSE(std::isfinite(kepler_step(1, {{bad, 0, 0}, {0, 1, 0}}, 0.1).x.x));
    EXPECT_FALSE(std::isfinite(kepler_step(1, {{1, 0, 0}, {0, bad, 0}}, 0.1).x.y));
    EXPECT_FALSE(std::isfinite(kepler_step(1, {{1, 0, 0}, {0, 1, 0}}, bad).x.y));
  }
  // Too fast for its square.
  EXPECT_EQ(kepler_step(1, {{1, 0, 0}, {0, 1e200, 0}}, 2).x.y, 2e200);
}
