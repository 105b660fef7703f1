/// Henon's isochrone.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/field.hpp"

#include <pleiad/potential.hpp>

#include <array>

namespace pleiad::potentials {

struct Isochrone {
  static constexpr std::array parameters{PotentialParameter{"mass", 0, 1e300, "total mass M"},
                                         PotentialParameter{"scale", 1e-300, 1e300, "scale length b"}};
  static constexpr PotentialKind kind{
      "isochrone", "isochrone sphere (Henon 1959): phi = -G M / (b + sqrt(b^2 + r^2))", parameters};

  template <class T>
  PLEIAD_HD static Field<T> at(const double* p, double G, Vec3<T> x) {
    using std::sqrt;
    const T s = sqrt(dot(x, x) + T(p[1] * p[1])), inverse = T(1) / (T(p[1]) + s),
            phi = T(-G * p[0]) * inverse;
    return {x * (phi * inverse / s), phi};
  }
};

}  // namespace pleiad::potentials
