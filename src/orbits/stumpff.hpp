/// The functions G0 to G3 of universal variables, which are sines, cosines, their hyperbolic forms or powers,
/// depending on the energy of an orbit (Stumpff 1959; Danby 1988, Fundamentals of Celestial Mechanics, 6.9).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cmath>

namespace pleiad::orbits {

/// G_n(s) = s^n (1/n! - b s^2/(n+2)! + (b s^2)^2/(n+4)! - ...), with b = mu / a of an orbit; dG_(n+1)/ds is
/// G_n, G0 = 1 - b G2 and G1 = s - b G3. On an ellipse G1 = sin(sqrt(b) s) / sqrt(b).
template <class Real>
struct Stumpff {
  Real g0, g1, g2, g3;
};

/// Below this |b s^2| the series below have the accuracy of a double: the first term that they leave out is
/// 38 / (20! / 2) of the first one.
inline constexpr double largest_series_argument = 1.5;

/// A step of Halley's method to the root of t(s) = dt is the last one if both it and Newton's step from the
/// same place, (t - dt) / r, are at most this part of s. What it leaves is of the third order: of the time
/// 1e-18 of the terms mu s^3 and r s, below their rounding. Neither of the two suffices. Near the centre,
/// where r is small, Halley's step is short even if the root is far away, and where r' is large it may be
/// long even if Newton's is short.
inline constexpr double settled_step = 1e-6;

/// By series; |b| s^2 at most largest_series_argument.
template <class Real>
PLEIAD_HD Stumpff<Real> stumpff_series(Real b, Real s) {
  const Real s2 = s * s, z = b * s2;
  const auto less = [z](Real rest, int denominator) { return 1 - z * rest / Real(denominator); };
  // Horner's form of 6 G3 / s^3 and 2 G2 / s^2.
  const Real odd = less(
      less(less(less(less(less(less(less(Real(1), 18 * 19), 16 * 17), 14 * 15), 12 * 13), 10 * 11), 8 * 9),
           6 * 7),
      4 * 5);
  const Real even = less(
      less(less(less(less(less(less(less(Real(1), 17 * 18), 15 * 16), 13 * 14), 11 * 12), 9 * 10), 7 * 8),
           5 * 6),
      3 * 4);
  const Real g3 = s * s2 * odd / 6, g2 = s2 * even / 2;
  return {1 - b * g2, s - b * g3, g2, g3};
}

/// For all arguments; infinite where numbers are too large.
template <class Real>
PLEIAD_HD Stumpff<Real> stumpff(Real b, Real s) {
  using std::abs, std::cos, std::cosh, std::sin, std::sinh, std::sqrt;
  if (abs(b) * s * s <= Real(largest_series_argument)) return stumpff_series(b, s);
  const Real root = sqrt(abs(b)), half = root * s / 2;
  // 1 - cos x = 2 sin^2(x/2), without a loss where x is near a whole turn.
  const Real sine = b > 0 ? sin(half) : sinh(half), cosine = b > 0 ? cos(half) : cosh(half);
  const Real g2 = 2 * sine * sine / abs(b), g1 = 2 * sine * cosine / root;
  return {1 - b * g2, g1, g2, (s - g1) / b};
}

}  // namespace pleiad::orbits
