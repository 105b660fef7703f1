/// A point mass, softened on request.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/field.hpp"

#include <pleiad/potential.hpp>

#include <array>

namespace pleiad::potentials {

struct Point {
  static constexpr std::array parameters{
      PotentialParameter{"mass", 0, 1e300, "mass M"},
      PotentialParameter{"softening", 0, 1e300, "Plummer softening length e", false, 0}};
  static constexpr PotentialKind kind{"point", "point mass: phi = -G M / sqrt(r^2 + e^2)", parameters};

  /// Without softening the field at the centre itself is 0, as between two bodies at one place.
  template <class T>
  PLEIAD_HD static Field<T> at(const double* p, double G, Vec3<T> x) {
    using std::sqrt;
    const T r2 = dot(x, x) + T(p[1] * p[1]);
    if (r2 == T(0)) return {};
    const T inverse = T(1) / sqrt(r2), phi = T(-G * p[0]) * inverse;
    return {x * (phi * inverse * inverse), phi};
  }
};

}  // namespace pleiad::potentials
