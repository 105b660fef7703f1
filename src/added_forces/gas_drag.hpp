/// The drag of a gas that moves with one velocity, or turns about a body as a disc does.
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
      PotentialParameter{"vz", -1e100, 1e100, "z of it", false, 0},
      PotentialParameter{
          "rotation", -1e3, 1e3,
          "the gas turns about the source and the z axis, with this share of the circular speed; "
          "below 1 where its pressure carries it",
          false, 0}};
  static constexpr AddedForceKind kind{
      .name = "gas-drag",
      .idea =
          "drag of a gas of velocity u: -(linear + quadratic |v - u|) (v - u) (Adachi, Hayashi & "
          "Nakazawa 1976, Progress of Theoretical Physics 56, 1756); with rotation u is that of a disc about "
          "the source, rotation (G M / R)^(1/2) at the distance R from its axis, and vx, vy, vz are added",
      .parameters = parameters,
      .of_source = false,
      .of_velocities = true};
  static Fault fault(const double* p) {
    const bool sound = p[0] > 0 || p[1] > 0;
    return {sound ? "" : " needs linear or quadratic, its strength: add one of them, > 0"};
  }
  static bool turns_about_source(const double* p) { return p[5] != 0; }

  template <class T>
  PLEIAD_HD static Effect<T> at(const double* p, const Place<T>& place) {
    using std::sqrt;
    auto w = place.v - Vec3<T>{T(p[2]), T(p[3]), T(p[4])};
    // At rest on its axis, where a disc has no speed.
    if (const T R2 = place.r.x * place.r.x + place.r.y * place.r.y; p[5] != 0 && R2 > T(0)) {
      const T rate = T(p[5]) * sqrt(T(place.Gm) / (R2 * sqrt(R2)));
      w = w - Vec3<T>{T(0) - rate * place.r.y, rate * place.r.x, T(0)};
    }
    return {w * (T(-p[0]) - T(p[1]) * sqrt(dot(w, w))), T(0)};
  }
};

}  // namespace pleiad::added
