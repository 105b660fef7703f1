/// The bar of Long and Murali.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/field.hpp"

#include <pleiad/potential.hpp>

#include <array>

namespace pleiad::potentials {

struct Bar {
  static constexpr std::array parameters{
      PotentialParameter{"mass", 0, 1e300, "total mass M"},
      PotentialParameter{"length", 1e-100, 1e100, "half length a of the needle along x"},
      PotentialParameter{"width", 0, 1e100, "scale b of the flattening"},
      PotentialParameter{"height", 1e-100, 1e100, "softening c of the needle; the short axis is z"}};
  static constexpr PotentialKind kind{"bar",
                                      "triaxial bar, a softened needle (Long & Murali 1992): phi = G M / (2 "
                                      "a) ln((x - a + T-) / (x + a + T+)), "
                                      "T+-^2 = (a +- x)^2 + y^2 + (b + sqrt(z^2 + c^2))^2",
                                      parameters};
  static bool axisymmetric(const double*) { return false; }

  /// In forms without cancellation. With S = T+ + T- the potential is -G M / (2 a) ln((S + 2 a) / (S - 2 a)),
  /// and T+ - T- = 4 a x / S. With rho^2 = y^2 + h^2, h = b + sqrt(z^2 + c^2), the acceleration across the
  /// bar has the factor Q = (S^2 - 4 x^2) / rho^2, of which S^2 - 4 x^2 = 2 (T+ T- - e), e = x^2 - a^2 -
  /// rho^2; where e > 0 that is 8 x^2 rho^2 / (T+ T- + e).
  template <class T>
  PLEIAD_HD static Field<T> at(const double* p, double G, Vec3<T> x) {
    using std::log1p;
    using std::sqrt;
    const double gm = G * p[0];
    const T a(p[1]), s = sqrt(x.z * x.z + T(p[3] * p[3])), h = T(p[2]) + s, rho2 = x.y * x.y + h * h,
                     ahead = sqrt((a + x.x) * (a + x.x) + rho2), behind = sqrt((a - x.x) * (a - x.x) + rho2),
                     sum = ahead + behind, product = ahead * behind, e = x.x * x.x - a * a - rho2,
                     q = e > T(0) ? T(8) * x.x * x.x / (product + e) : T(2) * (product - e) / rho2,
                     c = T(-gm) / (product * sum), across = c * q * T(0.5);
    return {{T(2) * c * x.x, across * x.y, across * x.z * h / s},
            T(-gm / (2 * p[1])) * log1p(T(4 * p[1]) / (sum - T(2 * p[1])))};
  }
};

}  // namespace pleiad::potentials
