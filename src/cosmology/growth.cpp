/// Linear growth of first and second order, by its differential equations.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cosmology/cosmology.hpp"
#include "cosmology/neutrinos.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

namespace pleiad::cosmology {
namespace {

/// Where the equations are started: curvature is then 1e-12 of matter, or less.
constexpr double first_a = 1e-12;

/// g1 = D1 / S and g2 = D2 / (a S) with S = a + (2/3) omega_r / omega_m, which change slowly, and their
/// derivatives with respect to ln a: g1, g1', g2, g2'. omega_r has all neutrinos here, as where the equations
/// are started. In a universe of matter and radiation g1 is 1; g2 is
/// -1 while radiation dominates, -3/7 while matter does.
using State = std::array<double, 4>;

/// The offset of S.
double offset(const Cosmology& c) { return 2.0 / 3 * (c.omega_r + neutrino_radiation(c)) / c.omega_m; }

/// The equations of growth with u = a / S, d ln S / d ln a = u and p = d ln (a S) / d ln a = 1 + u:
/// g1'' = -(2 u + 2 + H'/H) g1' - ((3 + H'/H) u - 3/2 Omega_m) g1,
/// g2'' = -(2 p + 2 + H'/H) g2' - (p^2 + p' + (2 + H'/H) p - 3/2 Omega_m) g2 - 3/2 Omega_m g1^2 / u.
State rate(const Cosmology& c, double offset, double log_a, const State& s) {
  const double a = std::exp(log_a), slope = expansion_slope(c, a), source = 1.5 * matter_fraction(c, a);
  const double u = a / (a + offset), p = 1 + u, p_rate = u * (1 - u);
  return {s[1], -(2 * u + 2 + slope) * s[1] - ((3 + slope) * u - source) * s[0], s[3],
          -(2 * p + 2 + slope) * s[3] - (p * p + p_rate + (2 + slope) * p - source) * s[2] -
              source * s[0] * s[0] / u};
}

State moved(const State& from, const State& by, double h) {
  State to = from;
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += h * by[k];
  return to;
}

/// A step of the classical scheme of Runge and Kutta.
State stepped(const Cosmology& c, double offset, double log_a, const State& s, double h) {
  const auto k1 = rate(c, offset, log_a, s), k2 = rate(c, offset, log_a + h / 2, moved(s, k1, h / 2)),
             k3 = rate(c, offset, log_a + h / 2, moved(s, k2, h / 2)),
             k4 = rate(c, offset, log_a + h, moved(s, k3, h));
  State to = s;
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += h / 6 * (k1[k] + 2 * k2[k] + 2 * k3[k] + k4[k]);
  return to;
}

}  // namespace

Growth growth(const Cosmology& c, double a) {
  if (!(a >= 1e-8 && std::isfinite(a)))
    throw UsageError(fmt::format("linear growth is known from a = 1e-8 on, not at a = {}", a));
  const double begin = std::log(first_a), length = std::log(a) - begin;
  // The scheme's error in an e-fold is about h^4 / 120 of what changes: 5e-12, and little changes.
  const int steps = int(std::ceil(length / 0.005));
  const double h = length / steps;
  const double early = offset(c);
  State s{1, 0, early > 0 ? -1 : -3.0 / 7, 0};
  for (int k = 0; k < steps; ++k) s = stepped(c, early, begin + k * h, s, h);
  const double S = a + early, u = a / S;
  return {.D1 = S * s[0], .f1 = u + s[1] / s[0], .D2 = a * S * s[2], .f2 = 1 + u + s[3] / s[2]};
}

double scale_back(const Cosmology& c, double a) { return growth(c, a).D1 / growth(c, 1).D1; }

}  // namespace pleiad::cosmology
