/// A uniform field.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/field.hpp"

#include <pleiad/potential.hpp>

#include <array>

namespace pleiad::potentials {

struct Uniform {
  static constexpr std::array parameters{
      PotentialParameter{"gx", -1e300, 1e300, "acceleration along x", false, 0},
      PotentialParameter{"gy", -1e300, 1e300, "acceleration along y", false, 0},
      PotentialParameter{"gz", -1e300, 1e300, "acceleration along z", false, 0}};
  static constexpr PotentialKind kind{"uniform", "uniform field: phi = -g . x", parameters};

  static bool axisymmetric(const double* p) { return p[0] == 0 && p[1] == 0; }

  template <class T>
  PLEIAD_HD static Field<T> at(const double* p, double, Vec3<T> x) {
    const Vec3<T> g{T(p[0]), T(p[1]), T(p[2])};
    return {g, -dot(g, x)};
  }
};

}  // namespace pleiad::potentials
