/// A snapshot: the bodies at one time.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/units.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace pleiad {

/// Energies of all bodies, in mass velocity^2, G included; `potential` counts each pair once.
struct Energies {
  double kinetic = 0, potential = 0;
  double external = 0;  ///< the part of `potential` that external potentials and added forces have
  double total() const { return kinetic + potential; }
  /// The potential energy of the pairs of bodies.
  double mutual() const { return potential - external; }
};

/// Sums over all bodies, in double precision and in an order that depends only on the number of bodies. They
/// are in the units of the bodies; energies and accelerations include G.
struct Totals {
  Energies energies{};
  CentreOfMass centre{};
  Vec3<double> momentum{}, angular_momentum{};  ///< the latter about the origin
  double largest_acceleration = 0;              ///< largest |a| of mutual gravity
  bool finite = true;                           ///< all positions and velocities are finite
};

/// The bodies at one time. All quantities are in `units`; times in length / velocity.
struct Snapshot {
  double time = 0;
  std::uint64_t step = 0;  ///< steps since the start
  Bodies bodies;
  Units units;
  double G = 1;  ///< gravitational constant in `units`
  Boundary boundary;
  /// Accelerations, and potentials (energy per mass), G included. Each array is empty or has one entry for
  /// each body.
  std::vector<double> ax, ay, az, potential;
};

}  // namespace pleiad
