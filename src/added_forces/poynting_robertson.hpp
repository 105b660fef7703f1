/// The drag of a body's radiation.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "added_forces/effect.hpp"

#include <pleiad/added_force.hpp>

#include <array>
#include <cmath>

namespace pleiad::added {

struct PoyntingRobertson {
  static constexpr int light = 1;
  static constexpr std::array parameters{
      PotentialParameter{"beta", 0, 1e100, "radiation pressure over the gravity of the source"},
      PotentialParameter{"c", 1e-100, 1e100, "speed of light (known in physical units)"}};
  static constexpr AddedForceKind kind{
      .name = "poynting-robertson",
      .idea =
          "drag of the radiation of the source, without its pressure: -beta G M / (c r^2) ((v . r) r / "
          "r^2 + v), to first order in v / c (Burns, Lamy & Soter 1979, Icarus 40, 1)",
      .parameters = parameters,
      .of_velocities = true,
      .on = ActsOn::massless};

  template <class T>
  PLEIAD_HD static Effect<T> at(const double* p, const Place<T>& place) {
    const T inverse2 = T(1) / dot(place.r, place.r), strength = T(p[0] * place.Gm / p[light]) * inverse2;
    return {(place.r * (dot(place.v, place.r) * inverse2) + place.v) * (T(0) - strength), T(0)};
  }
};

}  // namespace pleiad::added
