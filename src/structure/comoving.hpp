/// Comoving bodies as their analyses see them: the scale factor and the expansion in the units of a snapshot.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosmology/cosmology.hpp"

#include <pleiad/files.hpp>
#include <pleiad/snapshot.hpp>

#include <optional>
#include <string>
#include <vector>

namespace pleiad::structure {

/// The universe of a snapshot at one time. Lengths are comoving and per h, masses per h.
struct Comoving {
  cosmology::Cosmology universe{};
  double a = 1;
  double hubble = 0;  ///< H0 in the units of the snapshot: 100 km/s/Mpc in units per h
  /// What the expansion adds to a peculiar velocity for each unit of comoving length: a H(a).
  double flow() const;
  /// The critical density at a, as mass per comoving volume: 3 H(a)^2 a^3 / (8 pi G).
  double critical_density(double G) const;
};

/// The universe of a snapshot whose file states it; empty where it states none. H0 follows from the units, or
/// in units without a physical scale from the density of the bodies, which are then all of the matter.
/// InputError where the stated densities are not possible, or where they need a box that is not there.
std::optional<Comoving> comoving_of(const Snapshot& snapshot, const std::optional<ComovingUniverse>& stated);

/// Mass of all bodies over the volume of their periodic box.
double mean_density(const Snapshot& snapshot);

/// A megaparsec in a unit of length; empty where it has no physical scale.
std::optional<double> megaparsec_in(const Units& units);
/// The unit of mass in solar masses, 1e-10 of the galactic unit.
double solar_masses_in(const Units& units);

/// The same densities as the functions of the folder take them.
cosmology::Cosmology cosmology_of(const ComovingUniverse& universe);

/// What a table says of the universe, "key: value": scale_factor, redshift, universe.
std::vector<std::string> words_of(const Comoving& comoving);

}  // namespace pleiad::structure
