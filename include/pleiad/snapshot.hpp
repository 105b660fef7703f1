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

/// Energies of all bodies, G included; `potential` counts each pair once.
struct Energies {
  double kinetic = 0, potential = 0;
  double total() const { return kinetic + potential; }
};

/// Sums over all bodies, in double precision and in an order that depends only on the number of
/// bodies.
struct Totals {
  Energies energies{};
  CentreOfMass centre{};
  Vec3<double> momentum{}, angular_momentum{};  ///< the latter about the origin
  double largest_acceleration = 0;
  bool finite = true;  ///< all positions and velocities
};

/// Accelerations and potentials are optional: empty, or one entry per body (G included).
struct Snapshot {
  double time = 0;
  std::uint64_t step = 0;
  Bodies bodies;
  Units units;
  double G = 1;
  Boundary boundary;
  std::vector<double> ax, ay, az, potential;
};

}  // namespace pleiad
