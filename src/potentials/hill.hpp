/// The tidal field about a circular orbit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/field.hpp"

#include <pleiad/potential.hpp>

#include <array>

namespace pleiad::potentials {

struct Hill {
  static constexpr std::array parameters{
      PotentialParameter{"rate", -1e100, 1e100, "angular speed w of the circular orbit about z"},
      PotentialParameter{"kappa", 1e-100, 1e100, "epicyclic frequency k: w about a point mass"},
      PotentialParameter{"nu", 0, 1e100, "vertical frequency n: w about a point mass"}};
  static constexpr PotentialKind kind{"hill",
                                      "tidal field of a circular orbit, in the frame that moves along with "
                                      "it, x outwards and y forwards (Hill 1878; Binney & Tremaine 2008): "
                                      "phi = (k^2 - 4 w^2) x^2 / 2 + n^2 z^2 / 2, and the Coriolis force",
                                      parameters};
  static bool axisymmetric(const double*) { return false; }

  template <class T>
  PLEIAD_HD static Field<T> at(const double* p, double, Vec3<T> x) {
    const T radial(p[1] * p[1] - 4 * p[0] * p[0]), vertical(p[2] * p[2]);
    return {{-radial * x.x, T(0), -vertical * x.z}, T(0.5) * (radial * x.x * x.x + vertical * x.z * x.z)};
  }
};

}  // namespace pleiad::potentials
