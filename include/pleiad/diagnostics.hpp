/// Numbers that tell whether a simulation is healthy.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/radii.hpp>
#include <pleiad/snapshot.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace pleiad {

/// One row of the diagnostics table. Radii are about the centre of mass of the innermost half (a density
/// centre), by mass.
struct Diagnostics {
  double time = 0;
  std::uint64_t step = 0;
  Energies energies;
  double energy_error = 0;  ///< (E - E0) / |E0|, or E - E0 when E0 is 0
  Vec3<double> momentum{}, angular_momentum{};
  CentreOfMass centre;
  double virial_ratio = 0;  ///< T / |W|
  std::array<double, lagrangian_fractions.size()> lagrangian_radii{};
};

/// All of it but the radii.
Diagnostics diagnose(const Totals& totals, double time, std::uint64_t step, double reference_energy);
/// The radii, of bodies on the host; an engine finds those of its own (Engine::radii).
void add_radii(Diagnostics& diagnostics, const Bodies& bodies);

/// Kinetic energy (exact, fixed summation order) and potential by a threaded direct sum in double precision.
Energies direct_energies(const Bodies& bodies, const Gravity& gravity);

}  // namespace pleiad
