/// Relativity of one heavy body to first post-Newtonian order.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "added_forces/effect.hpp"

#include <pleiad/added_force.hpp>

#include <array>
#include <cmath>

namespace pleiad::added {

/// The acceleration of a test body, and its energy to the same order, in harmonic coordinates (Einstein,
/// Infeld & Hoffmann 1938, Annals of Mathematics 39, 65; Landau & Lifshitz, The Classical Theory of Fields,
/// section 106, for one of the masses much larger than the other).
struct PostNewtonian {
  static constexpr int light = 0;
  static constexpr std::array parameters{
      PotentialParameter{"c", 1e-100, 1e100, "speed of light (known in physical units)"}};
  static constexpr AddedForceKind kind{
      .name = "post-newtonian",
      .idea =
          "relativity of the source, which is much heavier than the others: G M / (c^2 r^3) ((4 G M / r "
          "- v^2) r + 4 (r . v) v) (Einstein, Infeld & Hoffmann 1938, Annals of Mathematics 39, 65)",
      .parameters = parameters,
      .reacts = true,
      .of_velocities = true,
      .keeps_energy = true};

  template <class T>
  PLEIAD_HD static Effect<T> at(const double* p, const Place<T>& place) {
    using std::sqrt;
    const auto &r = place.r, &v = place.v;
    const T slow = T(1 / (p[light] * p[light])), inverse = T(1) / sqrt(dot(r, r));
    const T potential = T(place.Gm) * inverse, v2 = dot(v, v), rv = dot(r, v);
    return {(r * (T(4) * potential - v2) + v * (T(4) * rv)) * (slow * potential * inverse * inverse),
            slow * (T(0.375) * v2 * v2 + T(1.5) * potential * v2 + T(0.5) * potential * potential)};
  }
};

}  // namespace pleiad::added
