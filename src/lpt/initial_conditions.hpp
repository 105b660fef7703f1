/// Bodies of a young universe: a lattice, displaced by Lagrangian perturbation theory.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosmology/cosmology.hpp"
#include "lpt/linear_power.hpp"
#include "lpt/modes.hpp"

#include <pleiad/snapshot.hpp>

#include <cstddef>
#include <string>

namespace pleiad::lpt {

struct Request {
  cosmology::Cosmology universe{};
  LinearPower power{};   ///< of today
  double box = 0;        ///< side, Mpc/h
  std::size_t n = 0;     ///< bodies along each side, 3 to 4096
  double redshift = 49;  ///< >= 0
  int order = 2;         ///< 1: Zel'dovich, 2: 2LPT
  FieldOptions field{};
};

struct InitialConditions {
  /// Comoving bodies of one mass, in kpc/h, 1e10 Msun/h and km/s, in a periodic box; time is the scale
  /// factor, velocities are peculiar: a dx/dt. Body (i n + j) n + k comes from the place (i, j, k) box / n of
  /// the lattice, and its id is one more.
  Snapshot snapshot;
  cosmology::Growth growth{};       ///< at the time of the snapshot
  double scale_back = 0;            ///< D1 over that of today
  double rms_density = 0;           ///< of the linear field of the lattice, at that time
  double rms_displacement = 0;      ///< in units of box / n
  double largest_displacement = 0;  ///< the same, along an axis
};

/// Makes the bodies. UsageError for a request that makes no sense, such as a spectrum that does not have the
/// scales of the box; ResourceError if this machine has too little memory. The same bits for any number of
/// threads.
InitialConditions initial_conditions(const Request& request);

/// Bytes that this needs at most at one time.
double bytes_needed(std::size_t n, int order);

}  // namespace pleiad::lpt
