/// The disc of Miyamoto and Nagai.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/field.hpp"

#include <pleiad/potential.hpp>

#include <array>

namespace pleiad::potentials {

struct MiyamotoNagai {
  static constexpr std::array parameters{
      PotentialParameter{"mass", 0, 1e300, "total mass M"},
      PotentialParameter{"scale", 0, 1e300, "radial scale a"},
      PotentialParameter{"height", 1e-300, 1e300, "vertical scale b; the axis of the disc is z"}};
  static constexpr PotentialKind kind{
      "miyamoto-nagai",
      "disc (Miyamoto & Nagai 1975): phi = -G M / sqrt(x^2 + y^2 + (a + sqrt(z^2 + b^2))^2)", parameters};

  template <class T>
  PLEIAD_HD static Field<T> at(const double* p, double G, Vec3<T> x) {
    using std::sqrt;
    const T s = sqrt(x.z * x.z + T(p[2] * p[2])), h = T(p[1]) + s,
            inverse = T(1) / sqrt(x.x * x.x + x.y * x.y + h * h), phi = T(-G * p[0]) * inverse,
            c = phi * inverse * inverse;
    return {{c * x.x, c * x.y, c * x.z * h / s}, phi};
  }
};

}  // namespace pleiad::potentials
