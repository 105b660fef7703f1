/// Diagnostics of a simulation: energies, momenta, virial ratio, radii.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/radii.hpp>
#include <pleiad/snapshot.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace pleiad {

/// One row of the diagnostics table, in the units of the snapshot; energies include G. Angular momentum is
/// about the origin. Lagrangian radii are by mass, about the density centre (see density_centre).
struct Diagnostics {
  double time = 0;
  std::uint64_t step = 0;
  Energies energies;
  /// (E - E0) / energy_scale of the start, of the conserved energy. In external potentials that change
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
/// The part of T + |W| up to which an energy may be the rounding of its parts: 2^-20. T and W of coordinates
/// in single precision, whose rounding is 2^-24 or less, have errors of up to 4 x 2^-24 each (a square of a
/// velocity and its mass; a distance and two masses), and so have the pairs of `f32` and `mixed`; twice that.
inline constexpr double least_energy_part = 0x1p-20;
/// Returns what errors of an energy E0 are relative to: |E0|; or the sum of its parts where |E0| is not more
/// than `least_energy_part` of it, as on a parabola. Its parts are T, |W|, and what else E0 counts, such as
/// omega L_z. `at_start`: T and W with which E0 was found.
double energy_scale(double energy, const Energies& at_start);
/// Returns change / scale; the change itself where the scale is 0.
double energy_error(double change, double scale);
/// Makes a row from totals, without the radii, which stay 0. The energy error is that of conserved_energy,
/// relative to `scale`, which is energy_scale of the start; empty: that of `reference_energy` and the present
/// T and W.
Diagnostics diagnose(const Totals& totals, double time, std::uint64_t step, double reference_energy,
                     double omega = 0, std::optional<double> scale = {});
/// Computes the Lagrangian radii of bodies on the host. For bodies in an engine use Engine::radii.
void add_radii(Diagnostics& diagnostics, const Bodies& bodies);

/// Computes kinetic and potential energy, external potentials included, by a threaded direct sum, O(N^2).
/// Double precision, fixed order of summation. `time` is that of the bodies, for potentials that depend on
/// it.
Energies direct_energies(const Bodies& bodies, const Gravity& gravity, double time = 0);

}  // namespace pleiad
