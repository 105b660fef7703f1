/// Kepler's equation and the conic it belongs to.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/kepler.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

namespace pleiad {
namespace {

/// E - e sin E = M by Newton's method from a start that converges for every e < 1 (Danby 1988).
double eccentric_anomaly(double m, double e) {
  m = std::remainder(m, 2 * std::numbers::pi);
  double x = m + std::copysign(0.85 * e, m);
  for (int k = 0; k < 60; ++k) {
    const double step = (x - e * std::sin(x) - m) / (1 - e * std::cos(x));
    x -= step;
    if (std::abs(step) < 1e-15) break;
  }
  return x;
}

/// e sinh H - H = M: convex for H > 0, so Newton's method from above never overshoots.
double hyperbolic_anomaly(double m, double e) {
  const double target = std::abs(m);
  double x = std::asinh(target / e) + std::cbrt(6 * target);
  for (int k = 0; k < 200; ++k) {
    const double step = (e * std::sinh(x) - x - target) / (e * std::cosh(x) - 1);
    x -= step;
    if (std::abs(step) <= 1e-15 * (1 + x)) break;
  }
  return std::copysign(x, m);
}

}  // namespace

Vec3<double> oriented(Vec3<double> v, double node, double inclination, double argument) {
  const auto turn = [](double& a, double& b, double angle) {
    const double c = std::cos(angle), s = std::sin(angle), old = a;
    a = c * old - s * b, b = s * old + c * b;
  };
  turn(v.x, v.y, argument);
  turn(v.y, v.z, inclination);
  turn(v.x, v.y, node);
  return v;
}

Phase state_of(const Elements& o, double mu) {
  const double rate = std::sqrt(mu / (o.a * o.a * o.a));
  Phase s;
  if (o.e < 1) {
    const double x = eccentric_anomaly(o.mean_anomaly, o.e), b = std::sqrt((1 - o.e) * (1 + o.e));
    const double speed = o.a * rate / (1 - o.e * std::cos(x));
    s = {{o.a * (std::cos(x) - o.e), o.a * b * std::sin(x), 0},
         {-speed * std::sin(x), speed * b * std::cos(x), 0}};
  } else {
    const double x = hyperbolic_anomaly(o.mean_anomaly, o.e), b = std::sqrt((o.e - 1) * (o.e + 1));
    const double speed = o.a * rate / (o.e * std::cosh(x) - 1);
    s = {{o.a * (o.e - std::cosh(x)), o.a * b * std::sinh(x), 0},
         {-speed * std::sinh(x), speed * b * std::cosh(x), 0}};
  }
  return {oriented(s.position, o.node, o.inclination, o.argument),
          oriented(s.velocity, o.node, o.inclination, o.argument)};
}

Phase state_on_conic(double pericentre, double e, double true_anomaly, double mu) {
  const double p = pericentre * (1 + e), c = std::cos(true_anomaly), s = std::sin(true_anomaly);
  const double r = p / (1 + e * c), speed = std::sqrt(mu / p);
  return {{r * c, r * s, 0}, {-speed * s, speed * (e + c), 0}};
}

Phase approach(std::string_view model, double q, double e, double d, double mu) {
  const double farthest = e < 1 ? q * (1 + e) / (1 - e) : std::numeric_limits<double>::infinity();
  if (!(d >= q && d <= farthest))
    throw UsageError(
        fmt::format("model '{}': separation = {:g} is not on the orbit; with pericentre = {:g} and "
                    "eccentricity = {:g} it must be from {:g} to {:g}",
                    model, d, q, e, q, farthest));
  const double cosine = e > 0 ? std::clamp((q * (1 + e) / d - 1) / e, -1.0, 1.0) : 1;
  return state_on_conic(q, e, -std::acos(cosine), mu);
}

}  // namespace pleiad
