/// Numbers that tell whether a simulation is healthy.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/snapshot.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pleiad {

inline constexpr std::array lagrangian_fractions{0.1, 0.25, 0.5, 0.75, 0.9};

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
/// The radii.
void add_radii(Diagnostics& diagnostics, const Bodies& bodies);

/// Radii about `centre` that hold the given fractions of the mass.
std::vector<double> lagrangian_radii(const Bodies& bodies, Vec3<double> centre,
                                     std::span<const double> fractions);
/// Centre of the densest part: the centre of mass of ever smaller spheres (each half the mass of the one
/// before, down to 10 % of the bodies).
Vec3<double> density_centre(const Bodies& bodies);

/// Kinetic energy (exact, fixed summation order) and potential by a threaded direct sum in double precision.
Energies direct_energies(const Bodies& bodies, const Gravity& gravity);

}  // namespace pleiad
