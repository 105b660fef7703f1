/// Motion on an orbit in quadruple precision: the reference of the solvers.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "orbits/kepler.hpp"

#include <array>
#include <cfloat>
#include <cmath>

namespace pleiad::orbits::test {

#if LDBL_MANT_DIG == 113
using Quad = long double;
#else
__extension__ using Quad = __float128;
#endif

inline Quad magnitude(Quad x) { return x < 0 ? -x : x; }
inline Quad root_of(Quad x) {
  if (!(x > 0)) return 0;
  Quad y = std::sqrt(static_cast<double>(x));
  for (int k = 0; k < 2; ++k) y = (y + x / y) / 2;
  return y;
}

using QuadVector = std::array<Quad, 3>;
inline Quad product(const QuadVector& a, const QuadVector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// What a solver is given.
struct QuadProblem {
  Quad mu = 1, dt = 0;
  QuadVector x{}, v{};
};
struct QuadChange {
  QuadVector x{}, v{};
};

/// G0 to G3: by series for a part of the argument, and then by its doubles, without a difference that
/// cancels.
inline std::array<Quad, 4> quad_functions(Quad b, Quad s) {
  int doublings = 0;
  while (magnitude(b) * s * s > Quad(0.25)) s /= 2, ++doublings;
  std::array<Quad, 4> g{};
  for (int n = 0; n < 4; ++n) {
    Quad term = n == 0 ? Quad(1) : n == 1 ? s : n == 2 ? s * s / 2 : s * s * s / 6;
    for (int k = 1; k < 16; ++k)
      g[std::size_t(n)] += term, term *= -b * s * s / Quad((2 * k + n - 1) * (2 * k + n));
  }
  for (int k = 0; k < doublings; ++k)
    g = {2 * g[0] * g[0] - 1, 2 * g[0] * g[1], 2 * g[1] * g[1], 2 * (g[3] + g[1] * g[2])};
  return g;
}

/// The change of the state, by Newton's method between bounds.
inline QuadChange quad_change(const QuadProblem& p) {
  const Quad r = root_of(product(p.x, p.x)), eta = product(p.x, p.v), b = 2 * p.mu / r - product(p.v, p.v);
  Quad dt = p.dt;
  if (b > 0) {
    // pi as a sum of three doubles.
    const Quad pi = Quad(3.14159265358979311600e+00) + Quad(1.22464679914735320717e-16) +
                    Quad(-2.99476980971833966619e-33);
    const Quad period = 2 * pi * p.mu / (b * root_of(b));
    // Whole turns, rounded twice, so that their number may exceed that of a double.
    for (int k = 0; k < 2; ++k) dt -= period * Quad(std::nearbyint(static_cast<double>(dt / period)));
  }
  struct Value {
    std::array<Quad, 4> g;
    Quad miss, distance;
  };
  const auto at = [&](Quad s) {
    const auto g = quad_functions(b, s);
    return Value{g, r * g[1] + eta * g[2] + p.mu * g[3] - dt, r * g[0] + eta * g[1] + p.mu * g[2]};
  };
  Quad low = 0, high = dt / r;
  const Quad sign = dt < 0 ? -1 : 1;
  while (sign * at(high).miss < 0) low = high, high *= 2;
  Quad s = high, last = high - low, before_last = last;
  Value now{};
  for (int k = 0; k < 1000; ++k) {
    now = at(s);
    if (now.miss == 0) break;
    (sign * now.miss < 0 ? low : high) = s;
    Quad next = s - now.miss / now.distance;
    const bool slow = !(2 * magnitude(next - s) <= magnitude(before_last));
    if (slow || !(sign * (next - low) > 0 && sign * (high - next) > 0)) next = (low + high) / 2;
    before_last = last, last = next - s;
    const bool settled = magnitude(last) <= Quad(0x1p-108) * magnitude(s);
    s = next;
    if (settled) break;
  }
  now = at(s);
  const auto& g = now.g;
  QuadChange change;
  for (std::size_t c = 0; c < 3; ++c) {
    change.x[c] = -p.mu * g[2] / r * p.x[c] + (r * g[1] + eta * g[2]) * p.v[c];
    change.v[c] = -p.mu * g[1] / (r * now.distance) * p.x[c] - p.mu * g[2] / now.distance * p.v[c];
  }
  return change;
}

inline double distance_of(const QuadVector& a, const QuadVector& b) {
  const QuadVector d{a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return static_cast<double>(root_of(product(d, d)));
}

/// How far a change may be off: what it differs by if each number of the problem is off by its rounding, and
/// the rounding of the change itself.
struct Tolerance {
  QuadChange exact;
  double x = 0, v = 0;
};
inline Tolerance tolerance_of(double mu, const Phase& start, double dt) {
  const QuadProblem problem{mu, dt, {start.x.x, start.x.y, start.x.z}, {start.v.x, start.v.y, start.v.z}};
  constexpr double eps = 0x1p-52;
  Tolerance t{.exact = quad_change(problem)};
  t.x = eps * static_cast<double>(root_of(product(t.exact.x, t.exact.x)));
  t.v = eps * static_cast<double>(root_of(product(t.exact.v, t.exact.v)));
  const auto add = [&](const QuadProblem& changed) {
    const auto other = quad_change(changed);
    t.x += distance_of(other.x, t.exact.x), t.v += distance_of(other.v, t.exact.v);
  };
  const Quad length = root_of(product(problem.x, problem.x)), speed = root_of(product(problem.v, problem.v));
  for (std::size_t c = 0; c < 3; ++c) {
    auto changed = problem;
    changed.x[c] += Quad(eps) * length;
    add(changed);
    changed = problem;
    changed.v[c] += Quad(eps) * speed;
    add(changed);
  }
  auto changed = problem;
  changed.mu *= 1 + Quad(eps);
  add(changed);
  changed = problem;
  changed.dt *= 1 + Quad(eps);
  add(changed);
  return t;
}

}  // namespace pleiad::orbits::test
