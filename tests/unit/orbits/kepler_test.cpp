/// Motion on orbits of all kinds against the equations of conics in long double.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "orbits/kepler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace pleiad;
using orbits::kepler_step, orbits::Phase;

namespace {

using Wide = long double;
using Vector = std::array<Wide, 3>;
constexpr double eps = std::numeric_limits<double>::epsilon();

struct WidePhase {
  Vector x{}, v{};
};

Wide dot_of(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// G1, G2, G3 by as many terms of their series as there are where they converge fast, else by their closed
/// forms.
std::array<Wide, 4> functions(Wide b, Wide s) {
  if (std::abs(b) * s * s < 4) {
    std::array<Wide, 4> g{};
    for (int n = 0; n < 4; ++n) {
      Wide term = n == 0 ? 1 : n == 1 ? s : n == 2 ? s * s / 2 : s * s * s / 6;
      for (int k = 1; k < 60; ++k)
        g[std::size_t(n)] += term, term *= -b * s * s / Wide((2 * k + n - 1) * (2 * k + n));
    }
    return g;
  }
  const Wide root = std::sqrt(std::abs(b)), x = root * s;
  const Wide g0 = b > 0 ? std::cos(x) : std::cosh(x), g1 = (b > 0 ? std::sin(x) : std::sinh(x)) / root;
  return {g0, g1, (1 - g0) / b, (s - g1) / b};
}

/// From pericentre and back, by bisection to the last digit.
WidePhase reference(Wide mu, const WidePhase& start, Wide dt) {
  const auto& [x, v] = start;
  const Wide r = std::sqrt(dot_of(x, x)), eta = dot_of(x, v), b = 2 * mu / r - dot_of(v, v);
  const Vector h{x[1] * v[2] - x[2] * v[1], x[2] * v[0] - x[0] * v[2], x[0] * v[1] - x[1] * v[0]};
  const Wide h2 = dot_of(h, h), e = std::sqrt(1 - b * h2 / (mu * mu)), q = h2 / (mu * (1 + e));
  const Wide root = std::sqrt(std::abs(b));
  Wide s0 = eta / mu;
  if (b > 0) s0 = std::atan2(root * eta, mu - b * r) / root;
  else if (b < 0) s0 = std::asinh(root * eta / (mu * e)) / root;
  const auto time = [&](Wide s) {
    const auto g = functions(b, s);
    return q * g[1] + mu * g[3];
  };
  Wide target = time(s0) + dt;
  if (b > 0) {
    const Wide period = 2 * std::numbers::pi_v<Wide> * mu / (b * root);
    target = std::remainder(target, period);
  }
  Wide low = -1, high = 1;
  while (time(low) > target) low *= 2;
  while (time(high) < target) high *= 2;
  for (int k = 0; k < 130; ++k) {
    const Wide middle = (low + high) / 2;
    (time(middle) < target ? low : high) = middle;
  }
  // Position and velocity by Lagrange's functions of the difference.
  const Wide s = (low + high) / 2;
  const auto d = functions(b, s - s0), g = functions(b, s);
  const Wide distance = q + mu * e * g[2];
  const Wide f = 1 - mu * d[2] / r, gg = r * d[1] + eta * d[2];
  WidePhase end;
  for (std::size_t c = 0; c < 3; ++c) {
    end.x[c] = f * x[c] + gg * v[c];
    end.v[c] = -mu * d[1] / (r * distance) * x[c] + (1 - mu * d[2] / distance) * v[c];
  }
  return end;
}

WidePhase wide(const Phase& p) { return {{p.x.x, p.x.y, p.x.z}, {p.v.x, p.v.y, p.v.z}}; }

Wide distance_of(const Vector& a, const Vector& b) {
  const Vector d{a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return std::sqrt(dot_of(d, d));
}

/// An orbit with mu = 1, pericentre distance q and eccentricity e, in a tilted plane, at an angle from
/// pericentre.
Phase on_orbit(double q, double e, double angle) {
  const double p = q * (1 + e), r = p / (1 + e * std::cos(angle)), k = 1 / std::sqrt(p);
  const Vec3<double> one{0.6, 0.48, 0.64}, two{-0.8, 0.36, 0.48};
  return {(r * std::cos(angle)) * one + (r * std::sin(angle)) * two,
          (-k * std::sin(angle)) * one + (k * (e + std::cos(angle))) * two};
}

/// Miss in position and velocity, in units of what changes of the input by its rounding errors do.
std::array<double, 2> roundings(double mu, const Phase& start, double dt) {
  const auto exact = reference(mu, wide(start), dt);
  const auto found = wide(kepler_step(mu, start, dt));
  // One rounding error of the output, and of each number of the input the change of the output by it.
  Wide x = eps * std::sqrt(dot_of(exact.x, exact.x)), v = eps * std::sqrt(dot_of(exact.v, exact.v));
  const Wide length = std::sqrt(dot_of(wide(start).x, wide(start).x)),
             speed = std::sqrt(dot_of(wide(start).v, wide(start).v));
  const auto add = [&](const WidePhase& changed, Wide changed_mu, Wide changed_dt) {
    const auto other = reference(changed_mu, changed, changed_dt);
    x += distance_of(other.x, exact.x), v += distance_of(other.v, exact.v);
  };
  for (std::size_t c = 0; c < 3; ++c) {
    auto changed = wide(start);
    changed.x[c] += eps * length;
    add(changed, mu, dt);
    changed = wide(start);
    changed.v[c] += eps * speed;
    add(changed, mu, dt);
  }
  add(wide(start), mu * (1 + Wide(eps)), dt);
  add(wide(start), mu, dt * (1 + Wide(eps)));
  return {double(distance_of(exact.x, found.x) / x), double(distance_of(exact.v, found.v) / v)};
}

}  // namespace

TEST(KeplerStep, IsExactToRoundingErrorsOnOrbitsOfAllKinds) {
  std::array<double, 2> worst{};
  std::string where;
  std::size_t count = 0;
  for (const double e : {0.0, 1e-12, 1e-6, 0.1, 0.5, 0.9, 0.99, 0.9999, 1 - 1e-8, 1 - 1e-12, 1.0, 1 + 1e-12,
                         1 + 1e-8, 1.0001, 1.1, 2.0, 10.0, 1e4})
    for (const double part : {-0.98, -0.7, -0.3, -1e-3, 0.0, 1e-6, 0.2, 0.5, 0.9, 0.999})
      for (const double turns : {1e-9, 1e-3, 0.03, 0.3, 1.0, 7.0, 100.0, 1e4, -1e-3, -0.3, -7.0, -1e4}) {
        // Angles on the branch of the orbit, times in those of a circle at pericentre.
        const double widest = e < 1 ? std::numbers::pi : std::acos(-1 / e) * 0.999;
        const double dt = turns * 2 * std::numbers::pi;
        const auto start = on_orbit(1, e, part * widest);
        const auto found = roundings(1, start, dt);
        ++count;
        for (std::size_t k = 0; k < 2; ++k)
          if (!(found[k] <= worst[k]))
            worst[k] = found[k], where = fmt::format("e {} part {} turns {}", e, part, turns);
      }
  // Sums of some ten terms.
  EXPECT_LE(worst[0], 20) << where;
  EXPECT_LE(worst[1], 20) << where;
  EXPECT_GE(count, 2000u);
}

TEST(KeplerStep, KeepsAnEllipseForAsLongAsTimesGo) {
  for (const double turns : {1e6, 1e12, 1e15, 1e300}) {
    const auto end = kepler_step(1, on_orbit(1, 0.5, 1), turns);
    const double energy = dot(end.v, end.v) / 2 - 1 / norm(end.x);
    EXPECT_LE(std::abs(energy + 0.25), 1e-15 * 4) << turns;
  }
}

TEST(KeplerStep, ReturnsAfterTheWayBack) {
  const auto start = on_orbit(1, 0.7, 2);
  for (const double dt : {0.01, 3.0, -40.0}) {
    const auto back = kepler_step(1, kepler_step(1, start, dt), -dt);
    // Errors along the orbit grow with the time: two ways.
    EXPECT_LE(norm(back.x - start.x), 1e-14 * (1 + std::abs(dt))) << dt;
    EXPECT_LE(norm(back.v - start.v), 1e-14 * (1 + std::abs(dt))) << dt;
  }
  const auto still = kepler_step(1, start, 0);
  EXPECT_EQ(still.x, start.x);
  EXPECT_EQ(still.v, start.v);
}

// Released at rest at distance 1 with mu = 1: r = (1 + cos u) / 2, t = (u + sin u) / (2 sqrt 2), at the
// centre with u = pi, and back at rest with u = 2 pi.
TEST(KeplerStep, FallsThroughTheCentreAndComesBack) {
  const Phase start{{1, 0, 0}, {}};
  for (const double u : {0.1, 1.0, 3.0, 3.3, 5.0, 6.2}) {
    const auto end = kepler_step(1, start, (u + std::sin(u)) / (2 * std::sqrt(2.0)));
    EXPECT_LE(std::abs(end.x.x - (1 + std::cos(u)) / 2), 1e-14) << u;
    EXPECT_EQ(end.x.y, 0) << u;
  }
  const auto centre = kepler_step(1, start, std::numbers::pi / (2 * std::sqrt(2.0)));
  EXPECT_TRUE(std::isfinite(centre.x.x + centre.v.x));
}

TEST(KeplerStep, WithoutAPullIsAStraightLine) {
  const Phase start{{1, 2, 3}, {-1, 0.5, 0.25}};
  for (const double mu : {0.0, -1.0}) {
    const auto end = kepler_step(mu, start, 4);
    EXPECT_EQ(end.x, (Vec3<double>{-3, 4, 4}));
    EXPECT_EQ(end.v, start.v);
  }
  const auto centre = kepler_step(1, {{}, {1, 0, 0}}, 2);
  EXPECT_EQ(centre.x, (Vec3<double>{2, 0, 0}));
}

TEST(KeplerStep, HasNoScale) {
  // Metres and seconds, kiloparsecs and solar masses, and numbers near the ends of doubles.
  const auto start = on_orbit(1, 0.3, 0.5);
  const auto plain = kepler_step(1, start, 2);
  for (const double length : {0x1p-100, 0x1p37, 0x1p200})
    for (const double time : {0x1p-80, 0x1p25, 0x1p100}) {
      const double speed = length / time;
      const auto end = kepler_step(speed * speed * length, {length * start.x, speed * start.v}, 2 * time);
      EXPECT_LE(norm(end.x * (1 / length) - plain.x), 1e-15 * 4) << length << " " << time;
      EXPECT_LE(norm(end.v * (1 / speed) - plain.v), 1e-15 * 4) << length << " " << time;
    }
}
