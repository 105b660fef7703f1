/// The sphere that the stars of a cluster are drawn from, cut at a tidal radius, with the scales that give it
/// the asked half-mass radius.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/draw.hpp"

#include <functional>

namespace pleiad {

/// A profile in Henon units of the whole sphere (G = 1, mass 1) of which the part within a radius is taken.
struct ClusterProfile {
  std::function<Phase(Random&)> draw;   ///< a body of that part
  std::function<double(double)> depth;  ///< of the potential at a radius, up to a constant
  double fraction = 1;                  ///< that part of the mass
  double half_mass_radius = 0;          ///< of that part
  double virial_ratio = 0.5;            ///< T/|W| of that part
};

/// `cut`: the tidal radius in half-mass radii of what is within; 0: none, which leaves 99.9 % of Plummer's
/// mass. UsageError if no part of the sphere has that ratio, which is 2^(1/3) at least.
ClusterProfile plummer_profile(double cut);
ClusterProfile king_profile(double central, double cut);

}  // namespace pleiad
