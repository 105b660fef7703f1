/// Motion on orbits in short steps by series, for a GPU: a few dozen operations that most bodies need in each
/// step, and for the others the word that change_on_orbit has to take over.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "orbits/kepler.hpp"
#include "orbits/stumpff.hpp"

#include <cmath>

namespace pleiad::orbits {

/// z / D, rounded twice at most, from the reciprocal as a sum of two doubles: a rounded factor alone would
/// err alike in each step, and the energy would drift.
struct Divisor {
  double high, low;
  PLEIAD_HD double of(double z) const {
    using std::fma;
    return fma(z, high, z * low);
  }
};

/// stumpff_series() in fewer operations: Horner's form for the terms that matter little.
PLEIAD_HD inline Stumpff<double> short_series(double b, double s) {
  using std::fma;
  constexpr Divisor by_6{0x1.5555555555555p-3, 0x1.5555555555555p-57};
  constexpr Divisor by_12{0x1.5555555555555p-4, 0x1.5555555555555p-58};
  constexpr Divisor by_20{0x1.999999999999ap-5, -0x1.999999999999ap-59};
  constexpr Divisor by_30{0x1.1111111111111p-5, 0x1.1111111111111p-61};
  constexpr Divisor by_42{0x1.8618618618618p-6, 0x1.8618618618618p-60};
  const double s2 = s * s, z = b * s2;
  // 1 - z / (8 9) (1 - z / (10 11) (...)), and for even powers from 7 8 on.
  constexpr double o1 = 1.0 / 72, o2 = o1 / 110, o3 = o2 / 156, o4 = o3 / 210, o5 = o4 / 272, o6 = o5 / 342;
  constexpr double e1 = 1.0 / 56, e2 = e1 / 90, e3 = e2 / 132, e4 = e3 / 182, e5 = e4 / 240, e6 = e5 / 306;
  double odd = fma(-z, o6, o5), even = fma(-z, e6, e5);
  odd = fma(-z, odd, o4), even = fma(-z, even, e4);
  odd = fma(-z, odd, o3), even = fma(-z, even, e3);
  odd = fma(-z, odd, o2), even = fma(-z, even, e2);
  odd = fma(-z, odd, o1), even = fma(-z, even, e1);
  odd = fma(-z, odd, 1.0), even = fma(-z, even, 1.0);
  odd = fma(-by_42.of(z), odd, 1.0), even = fma(-by_30.of(z), even, 1.0);
  odd = fma(-by_20.of(z), odd, 1.0), even = fma(-by_12.of(z), even, 1.0);
  const double g2 = s2 * 0.5 * even, g3 = by_6.of(s * s2) * odd;
  return {fma(-b, g2, 1.0), fma(-b, g3, s), g2, g3};
}

/// The change of the state in a time dt, of either sign, by at most three steps of Halley's method from a
/// guess of third order. False: the orbit needs more, and the change is not usable. `Arithmetic` has
/// inverse_root(x), reciprocal(x), and near_reciprocal(x), which needs 1e-11 alone.
template <class Arithmetic>
PLEIAD_HD inline bool change_by_series(double mu, const Phase& start, double dt, Phase& change) {
  using std::abs, std::fma;
  const auto [x, v] = start;
  const auto product = [](const Vec3<double>& a, const Vec3<double>& c) {
    return fma(a.z, c.z, fma(a.y, c.y, a.x * c.x));
  };
  const double r2 = product(x, x), per_r = Arithmetic::inverse_root(r2), r = r2 * per_r, eta = product(x, v);
  const double b = fma(mu + mu, per_r, -product(v, v)), zeta = fma(-b, r, mu);
  // t = r s + eta s^2 / 2 + zeta s^3 / 6 + ..., solved for s.
  const double first = dt * per_r, c = eta * per_r * 0.5;
  const double second = fma(c + c, c, zeta * per_r * (-1.0 / 6));
  double s = first * fma(first, fma(first, second, -c), 1.0), step = 0;
  Stumpff<double> g{};
  bool settled = false;
  for (int k = 0; k < 3 && !settled; ++k) {
    g = short_series(b, s);
    const double miss = fma(r, s, fma(eta, g.g2, fma(zeta, g.g3, -dt)));
    const double distance = fma(eta, g.g1, fma(zeta, g.g2, r)), slope = fma(eta, g.g0, zeta * g.g1);
    // miss / (r - miss r' / (2 r)) = 2 miss r / (2 r^2 - miss r')
    const double twice = distance + distance;
    step = miss * twice * Arithmetic::near_reciprocal(fma(-miss, slope, twice * distance));
    const double near = settled_step * abs(s);
    settled = abs(miss) <= near * abs(distance) && abs(step) <= near;
    s -= step;
  }
  // The functions at s, from those before the last step, which was short: Taylor's series.
  const double half = 0.5 * step;
  const double g3 = fma(-step, fma(-half, g.g1, g.g2), g.g3), g2 = fma(-step, fma(-half, g.g0, g.g1), g.g2);
  const double g1 = fma(-b, g3, s), distance = fma(eta, g1, fma(zeta, g2, r));
  const double per_distance = Arithmetic::reciprocal(distance), mu_g2 = mu * g2;
  const double f = -(mu_g2 * per_r), time = fma(-mu, g3, dt);
  const double df = -(mu * g1 * per_r * per_distance), dg = -(mu_g2 * per_distance);
  change.x = {fma(f, x.x, time * v.x), fma(f, x.y, time * v.y), fma(f, x.z, time * v.z)};
  change.v = {fma(df, x.x, dg * v.x), fma(df, x.y, dg * v.y), fma(df, x.z, dg * v.z)};
  return settled && abs(b * (s * s)) <= largest_series_argument && distance > 0;
}

}  // namespace pleiad::orbits
