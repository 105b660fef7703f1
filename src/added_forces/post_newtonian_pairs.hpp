/// Relativity of each pair of bodies within a regularised group.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "added_forces/effect.hpp"

#include <pleiad/added_force.hpp>

#include <array>

namespace pleiad::added {

/// The substeps of groups have its terms (src/regular/post_newtonian.hpp); bodies by themselves feel none.
struct PostNewtonianPairs {
  static constexpr bool between_pairs = true;
  static constexpr int light = 0, first = 1, second = 2, radiation = 3, average = 4;
  static constexpr std::array parameters{
      PotentialParameter{"c", 1e-100, 1e100, "speed of light (known in physical units)"},
      PotentialParameter{"pn1", 0, 1, "terms of order 1, which turn the pericentre: 1 or 0", false, 1},
      PotentialParameter{"pn2", 0, 1, "terms of order 2: 1 or 0", false, 1},
      PotentialParameter{"pn25", 0, 1, "terms of order 2.5, gravitational radiation: 1 or 0", false, 1},
      PotentialParameter{"average", 0, 1e-3,
                         "pairs alone whose pericentre advances by a smaller share of a turn in an orbit: "
                         "their Kepler orbits "
                         "turn at this rate",
                         false, 1e-6}};
  static constexpr AddedForceKind kind{
      .name = "post-newtonian-pairs",
      .idea =
          "relativity of each pair of a regularised group, of any two masses: the post-Newtonian terms of "
          "order 1, 2 and 2.5 in harmonic coordinates (Kidder 1995, Physical Review D 52, 821; Blanchet "
          "2014, Living Reviews in Relativity 17, 2), by auxiliary velocities (Hellstroem & Mikkola 2010, "
          "CeMDA "
          "106, 143)",
      .parameters = parameters,
      .of_source = false,
      .of_velocities = true};

  static Fault fault(const double* p) {
    for (const int k : {first, second, radiation})
      if (p[k] != 0 && p[k] != 1) return {"must be 1 or 0", k};
    if (p[first] == 0 && p[second] == 0 && p[radiation] == 0)
      return {" has no terms: leave out one of pn1=0, pn2=0 and pn25=0"};
    return {};
  }

  template <class T>
  PLEIAD_HD static Effect<T> at(const double*, const Place<T>&) {
    return {};  // of one body by itself
  }
};

}  // namespace pleiad::added
