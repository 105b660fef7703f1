/// Relativity as a potential: the pericentre advances as it should, and the mean motion is not right.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "added_forces/effect.hpp"

#include <pleiad/added_force.hpp>

#include <array>

namespace pleiad::added {

struct GrPotential {
  static constexpr int light = 0;
  static constexpr std::array parameters{
      PotentialParameter{"c", 1e-100, 1e100, "speed of light (known in physical units)"}};
  static constexpr AddedForceKind kind{
      .name = "gr-potential",
      .idea =
          "relativity of the source as a potential, -3 (G M / (c r))^2 (Nobili & Roxburgh 1986, IAU "
          "Symposium 114, 105)",
      .parameters = parameters,
      .reacts = true,
      .keeps_energy = true};

  template <class T>
  PLEIAD_HD static Effect<T> at(const double* p, const Place<T>& place) {
    const T square = T(place.Gm * place.Gm / (p[light] * p[light])), r2 = dot(place.r, place.r);
    return {place.r * (T(-6) * square / (r2 * r2)), T(-3) * square / r2};
  }
};

}  // namespace pleiad::added
