/// A homogeneous sphere.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/field.hpp"

#include <pleiad/potential.hpp>

#include <array>

namespace pleiad::potentials {

struct Sphere {
  static constexpr std::array parameters{PotentialParameter{"mass", 0, 1e300, "total mass M"},
                                         PotentialParameter{"radius", 1e-100, 1e100, "radius R"}};
  static constexpr PotentialKind kind{
      "sphere", "homogeneous sphere: phi = -G M (3 R^2 - r^2) / (2 R^3) within R, -G M / r outside",
      parameters};

  template <class T>
  PLEIAD_HD static Field<T> at(const double* p, double G, Vec3<T> x) {
    using std::sqrt;
    const double gm = G * p[0], radius = p[1], cubed = radius * radius * radius;
    const T r2 = dot(x, x);
    if (r2 < T(radius * radius))
      return {x * T(-gm / cubed), (r2 - T(3 * radius * radius)) * T(gm / (2 * cubed))};
    const T inverse = T(1) / sqrt(r2), phi = T(-gm) * inverse;
    return {x * (phi * inverse * inverse), phi};
  }
};

}  // namespace pleiad::potentials
