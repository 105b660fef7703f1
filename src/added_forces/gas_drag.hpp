/// The drag of a gas that moves with one velocity.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "added_forces/effect.hpp"

#include <pleiad/added_force.hpp>

#include <array>
#include <cmath>

namespace pleiad::added {

struct GasDrag {
  static constexpr std::array parameters{
      PotentialParameter{"linear", 0, 1e100, "drag per mass and velocity, 1 / time (Epstein, Stokes)", false,
                         0},
      PotentialParameter{"quadratic", 0, 1e100, "drag per mass and squared velocity, 1 / length", false, 0},
      PotentialParameter{"vx", -1e100, 1e100, "x of the velocity of the gas", false, 0},
      PotentialParameter{"vy", -1e100, 1e100, "y of it", false, 0},
      PotentialParameter{"vz", -1e100, 1e100, "z of it", false, 0}};
  static constexpr AddedForceKind kind{
      .name = "gas-drag",
      .idea =
          "drag of a gas of velocity u: -(linear + quadratic |v - u|) (v - u) (Adachi, Hayashi & "
          "Nakazawa 1976, Progress of Theoretical Physics 56, 1756)",
      .parameters = parameters,
      .of_source = false,
      .of_velocities = true};
  /// Whether there is any drag.
  static bool sound(const double* p) { return p[0] > 0 || p[1] > 0; }

  template <class T>
  PLEIAD_HD static Effect<T> at(const double* p, const Place<T>& place) {
    using std::sqrt;
    const auto w = place.v - Vec3<T>{T(p[2]), T(p[3]), T(p[4])};
    return {w * (T(-p[0]) - T(p[1]) * sqrt(dot(w, w))), T(0)};
  }
};

}  // namespace pleiad::added
