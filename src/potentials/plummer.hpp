/// Plummer's sphere.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/field.hpp"

#include <pleiad/potential.hpp>

#include <array>

namespace pleiad::potentials {

struct Plummer {
  static constexpr std::array parameters{PotentialParameter{"mass", 0, 1e300, "total mass M"},
                                         PotentialParameter{"scale", 1e-300, 1e300, "scale length b"}};
  static constexpr PotentialKind kind{
      "plummer", "Plummer sphere (Plummer 1911): phi = -G M / sqrt(r^2 + b^2)", parameters};

  template <class T>
  PLEIAD_HD static Field<T> at(const double* p, double G, Vec3<T> x) {
    using std::sqrt;
    const T inverse = T(1) / sqrt(dot(x, x) + T(p[1] * p[1])), phi = T(-G * p[0]) * inverse;
    return {x * (phi * inverse * inverse), phi};
  }
};

}  // namespace pleiad::potentials
