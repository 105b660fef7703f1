/// The halo of Navarro, Frenk and White.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/field.hpp"

#include <pleiad/potential.hpp>

#include <array>

namespace pleiad::potentials {

struct Nfw {
  static constexpr std::array parameters{
      PotentialParameter{"mass", 0, 1e300, "characteristic mass M = 4 pi rho_s r_s^3"},
      PotentialParameter{"scale", 1e-300, 1e300, "scale radius r_s"}};
  static constexpr PotentialKind kind{
      "nfw", "NFW halo (Navarro, Frenk & White 1997): phi = -G M ln(1 + r / r_s) / r", parameters};

  /// With u = r / r_s the mass within r is M (ln(1 + u) - u / (1 + u)). Near the centre its terms cancel:
  /// below u = 0.03 the series u^2 sum_k (-u)^k (k + 1) / (k + 2) is used, whose twelve terms are exact to
  /// 1e-17.
  template <class T>
  PLEIAD_HD static Field<T> at(const double* p, double G, Vec3<T> x) {
    using std::log1p;
    using std::sqrt;
    const double gm = G * p[0], scale = p[1];
    const T r = sqrt(dot(x, x)), u = r / T(scale);
    // Both divided by powers of u that they vanish with.
    T mass(0), logarithm(0);
    if (u < T(0.03)) {
      for (int k = 11; k >= 0; --k) {
        mass = T((k + 1.0) / (k + 2.0)) - u * mass;
        logarithm = T(1.0 / (k + 1.0)) - u * logarithm;
      }
    } else {
      logarithm = log1p(u) / u;
      mass = (log1p(u) - u / (T(1) + u)) / (u * u);
    }
    const T phi = T(-gm / scale) * logarithm;
    if (r == T(0)) return {{}, phi};
    return {x * (T(-gm / (scale * scale)) * mass / r), phi};
  }
};

}  // namespace pleiad::potentials
