/// Properties of groups: masses, centres, velocities, and spheres of a mean density about the centres.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "structure/comoving.hpp"
#include "structure/groups.hpp"

#include <pleiad/snapshot.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pleiad::structure {

/// The sphere about a centre whose mean density has fallen to a threshold: mass and radius; 0 if the
/// innermost bodies are less dense.
struct Sphere {
  double mass = 0, radius = 0;
};

/// One group, in the units of the snapshot. Positions in a periodic box are in [0, length). Of comoving
/// bodies lengths are comoving and per h, masses per h, and velocities physical: inside a group the peculiar
/// ones with the expansion of the space between the bodies.
struct GroupProperties {
  std::uint64_t id = 0;  ///< the smallest id of the members
  std::size_t members = 0;
  std::array<std::size_t, 6> of_type{};  ///< members of each type
  std::array<double, 6> mass_of_type{};
  double mass = 0;
  Vec3<double> centre{};            ///< the density centre of the members, see density_centre()
  Vec3<double> centre_of_mass{};    ///< of the members
  Vec3<double> velocity{};          ///< of the centre of mass
  double velocity_dispersion = 0;   ///< of one component: sqrt(sum m |v - velocity|^2 / (3 M))
  double extent = 0;                ///< largest distance of a member from the centre
  Vec3<double> angular_momentum{};  ///< about the centre, per mass, relative to `velocity`; physical
  double circular_velocity = 0;     ///< largest sqrt(G M(r) / r) of the members, from the tenth on; physical
  double circular_radius = 0;       ///< where that is
  std::vector<Sphere> spheres{};    ///< one for each density asked for
};

/// Computes the properties of all groups. The spheres hold all bodies of the snapshot, members or not.
/// `densities`: their mean densities, in mass / length^3, comoving where the bodies are. `comoving`: of
/// comoving bodies; empty: they are in static space. The bits do not depend on the number of threads.
std::vector<GroupProperties> properties_of(const Groups& groups, const Snapshot& snapshot,
                                           std::span<const double> densities,
                                           const std::optional<Comoving>& comoving = std::nullopt);

/// The sphere within which the mean density has fallen to `density`: outwards from the centre, where it first
/// falls from above to below it, with the mass of the bodies within and the radius at which this mass has
/// that mean density. `radii` and `masses`: of bodies in ascending order of their distance. The radius is 0
/// if no mean density is above, and beyond the last body if the last one is.
Sphere sphere_of(std::span<const double> radii, std::span<const double> masses, double density);

}  // namespace pleiad::structure
