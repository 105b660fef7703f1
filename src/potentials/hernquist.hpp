/// Hernquist's sphere.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/field.hpp"

#include <pleiad/potential.hpp>

#include <array>

namespace pleiad::potentials {

struct Hernquist {
  static constexpr std::array parameters{PotentialParameter{"mass", 0, 1e300, "total mass M"},
                                         PotentialParameter{"scale", 1e-300, 1e300, "scale length a"}};
  static constexpr PotentialKind kind{"hernquist", "Hernquist sphere (Hernquist 1990): phi = -G M / (r + a)",
                                      parameters};

  /// The acceleration has no direction at the centre; there it is 0.
  template <class T>
  PLEIAD_HD static Field<T> at(const double* p, double G, Vec3<T> x) {
    using std::sqrt;
    const T r = sqrt(dot(x, x)), inverse = T(1) / (r + T(p[1])), phi = T(-G * p[0]) * inverse;
    if (r == T(0)) return {{}, phi};
    return {x * (phi * inverse / r), phi};
  }
};

}  // namespace pleiad::potentials
