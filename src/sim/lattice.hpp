/// The lattice of a simulation: its units, and bodies on it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capabilities/capabilities.hpp"
#include "ranks/communicator.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/simulation.hpp>

namespace pleiad {

/// What decides whether the steps of a method can be made on a lattice.
LatticeFacts lattice_facts_of(const Method& method, const Gravity& gravity);

/// UsageError for units that are not powers of two.
void check(const LatticeUnits& units);

/// Units for these bodies. Coordinates up to the largest present one are as fine as doubles are there, and
/// may grow 512-fold; velocities likewise, from the largest one or sqrt(G M / r) of the whole system.
/// Collective; the units depend on neither the order of the bodies nor the number of ranks.
LatticeUnits lattice_for(const Bodies& own, const Gravity& gravity, double dt, ranks::Communicator& ranks);

/// Moves each body to the nearest state of the lattice. UsageError on all ranks where one is beyond its end.
void put_on(const LatticeUnits& units, Bodies& own, ranks::Communicator& ranks);

}  // namespace pleiad
