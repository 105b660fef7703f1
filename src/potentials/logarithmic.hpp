/// A halo with a flat curve of circular speeds.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/field.hpp"

#include <pleiad/potential.hpp>

#include <array>

namespace pleiad::potentials {

struct Logarithmic {
  static constexpr std::array parameters{
      PotentialParameter{"speed", 0, 1e150, "circular speed v far from the centre"},
      PotentialParameter{"core", 1e-150, 1e150, "core radius c"},
      PotentialParameter{"p", 1e-3, 1e3, "axis ratio y / x of the equipotentials", false, 1},
      PotentialParameter{"q", 1e-3, 1e3, "axis ratio z / x of the equipotentials", false, 1}};
  static constexpr PotentialKind kind{
      "logarithmic",
      "logarithmic halo (Binney & Tremaine 2008, eq. 2.71): phi = v^2 / 2 ln(c^2 + x^2 + y^2 / p^2 + z^2 / "
      "q^2)",
      parameters};

  static bool axisymmetric(const double* p) { return p[2] == 1; }

  template <class T>
  PLEIAD_HD static Field<T> at(const double* p, double, Vec3<T> x) {
    using std::log;
    const double v2 = p[0] * p[0];
    const Vec3<T> y{x.x, x.y * T(1 / (p[2] * p[2])), x.z * T(1 / (p[3] * p[3]))};
    const T m2 = dot(x, y) + T(p[1] * p[1]);
    return {y * (T(-v2) / m2), T(v2 / 2) * log(m2)};
  }
};

}  // namespace pleiad::potentials
