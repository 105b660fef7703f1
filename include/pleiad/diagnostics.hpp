/// Diagnostics of a simulation: energies, momenta, virial ratio, radii.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/radii.hpp>
#include <pleiad/snapshot.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace pleiad {

/// One row of the diagnostics table, in the units of the snapshot; energies include G. Angular momentum is
/// about the origin. Lagrangian radii are by mass, about the density centre (see density_centre).
struct Diagnostics {
  double time = 0;
  std::uint64_t step = 0;
  Energies energies;
  /// (E - E0) / |E0|, or E - E0 when E0 is 0, of the conserved energy. In external potentials that change
  /// with time, but for those that rotate together, it is a change, not an error.
  double energy_error = 0;
  Vec3<double> momentum{}, angular_momentum{};
  CentreOfMass centre;
  double virial_ratio = 0;  ///< of the bodies themselves: see virial_ratio()
  std::array<double, lagrangian_fractions.size()> lagrangian_radii{};
};

/// Returns T / |W|, with the kinetic energy T relative to the centre of mass and the potential energy W of
/// the pairs of bodies, without external potentials; 0 if W is 0.
double virial_ratio(const Energies& energies, const CentreOfMass& centre);
/// Returns the energy that the bodies keep: the total energy, or, in external potentials that rotate with the
/// pattern speed `omega` (pattern_speed_of), the Jacobi energy, which is less by omega L_z.
double conserved_energy(const Totals& totals, double omega);
/// Makes a row from totals, without the radii, which stay 0. The energy error is that of conserved_energy,
/// relative to `reference_energy`.
Diagnostics diagnose(const Totals& totals, double time, std::uint64_t step, double reference_energy,
                     double omega = 0);
/// Computes the Lagrangian radii of bodies on the host. For bodies in an engine use Engine::radii.
void add_radii(Diagnostics& diagnostics, const Bodies& bodies);

/// Computes kinetic and potential energy, external potentials included, by a threaded direct sum, O(N^2).
/// Double precision, fixed order of summation. `time` is that of the bodies, for potentials that depend on
/// it.
Energies direct_energies(const Bodies& bodies, const Gravity& gravity, double time = 0);

}  // namespace pleiad
