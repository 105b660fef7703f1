/// The pressure of a body's radiation.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "added_forces/effect.hpp"

#include <pleiad/added_force.hpp>

#include <array>
#include <cmath>

namespace pleiad::added {

/// Light that a body scatters takes no momentum from the source, which shines in all directions: there is no
/// reaction.
struct Radiation {
  static constexpr std::array parameters{
      PotentialParameter{"beta", 0, 1e100, "pressure over the gravity of the source"}};
  static constexpr AddedForceKind kind{
      .name = "radiation",
      .idea =
          "radiation pressure of the source: beta G M / r^2 outwards (Burns, Lamy & Soter 1979, Icarus "
          "40, 1)",
      .parameters = parameters,
      .keeps_energy = true,
      .on = ActsOn::massless};

  template <class T>
  PLEIAD_HD static Effect<T> at(const double* p, const Place<T>& place) {
    using std::sqrt;
    const T inverse = T(1) / sqrt(dot(place.r, place.r)), phi = T(p[0] * place.Gm) * inverse;
    return {place.r * (phi * inverse * inverse), phi};
  }
};

}  // namespace pleiad::added
