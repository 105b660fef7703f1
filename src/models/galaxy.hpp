/// A disc galaxy: exponential disc, halo and bulge in the common potential; two of them make an encounter.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/disc.hpp"

#include <array>
#include <string>

namespace pleiad {

/// Parameters of a galaxy in galactic units: kpc, 1e10 solar masses, km/s.
struct GalaxyShape {
  DiscShape disc;
  double bulge_mass = 0, bulge_scale = 0.6, halo_mass = 0, halo_scale = 0, halo_outer = 4, halo_cut = 0;
  double disc_share =
      0.4;  ///< part of the bodies that is disc; a bulge body has a disc body's mass, all others are halo
  double mass() const { return disc.mass + bulge_mass + halo_mass; }
  /// A galaxy with `ratio` times the mass and the same surface density: lengths grow with its square root.
  GalaxyShape scaled(double ratio) const;
};

/// The parameters that galaxy and encounter share; each model's list starts with its own.
inline constexpr std::array<ModelParameter, 11> galaxy_parameters{{
    {"disc_mass", 2, 1e-9, 1e6, "mass of the stellar disc, 1e10 Msun"},
    {"disc_scale", 2.5, 1e-3, 1e3, "scale length of the exponential disc, kpc"},
    {"disc_height", 0.5, 1e-4, 1e2, "scale height z0 of its sech^2(z/z0) layer, kpc"},
    {"toomre_q", 1.5, 0.5, 5, "minimum of Toomre's Q: below 1 the disc fragments, above 1.5 it stays smooth"},
    {"bulge_mass", 0.4, 0, 1e6, "mass of the bulge (Hernquist), 1e10 Msun; 0: none"},
    {"bulge_scale", 0.6, 1e-3, 1e3, "scale radius of the bulge, kpc"},
    {"halo_mass", 15, 1e-6, 1e8, "mass of the dark halo, 1e10 Msun"},
    {"halo_scale", 7, 1e-2, 1e4, "scale radius of the halo, kpc"},
    {"halo_outer", 4, 3, 5, "outer slope of the halo's density: 4 Hernquist, 3 NFW"},
    {"halo_cut", 35, 1e-1, 1e5, "radius where the halo's density is cut by sech(r / cut), kpc"},
    {"disc_share", 0.3, 0.05, 0.9,
     "fraction of the bodies in the disc; bulge bodies have the mass of disc bodies, the rest is halo"},
}};

GalaxyShape galaxy_shape(const ModelRequest& request);

/// n bodies around the origin without momentum, the disc turning counterclockwise in the xy plane; types
/// halo, disc, bulge. Galaxies of different names share no draws.
Bodies draw_galaxy(const GalaxyShape& shape, std::size_t n, std::uint64_t seed, const std::string& name);

/// A snapshot in galactic units with their G.
Snapshot galactic_snapshot(Bodies bodies);

}  // namespace pleiad
