/// The sphere through which bodies escape: of a given radius, or of one that follows from the cluster at each
/// time.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "encounters/path.hpp"

#include <pleiad/encounters.hpp>
#include <pleiad/gravity.hpp>

#include <span>

namespace pleiad::encounters {

/// What is asked for; see EncounterSettings.
struct EscapeLimit {
  double radius = 0;  ///< in units of `unit`
  EscapeUnit unit = EscapeUnit::length;
  EscapeCentre centre = EscapeCentre::automatic;
};

struct EscapeSphere {
  Place centre;
  double radius = 0;  ///< infinite where tides do not pull outwards
};

/// The sphere at one time, which follows from these bodies alone: from their order too, but neither from the
/// number of threads nor from earlier spheres.
///
/// A radius of the cluster is that of the mass within the sphere itself: the largest radius R for which R =
/// `limit.radius` half-mass radii, or tidal radii (G M / t)^(1/3), of the mass M within R. The tide t is the
/// difference of the two largest eigenvalues of the tensor of the tides of the external potentials at the
/// centre: 4 Omega^2 - kappa^2 of a circular orbit there, in the plane of a flat potential or about
/// any spherical one (Renaud, Gieles & Boily 2011, MNRAS 418, 759), and of Hill's frame. A tide that no
/// bodies withstand leaves the radius 0.
EscapeSphere sphere_of(const EscapeLimit& limit, const Gravity& gravity, std::span<const double> mass,
                       std::span<const Place> places, double time);

/// The place of the centre of mass of all bodies; of their centre where none has mass.
Place centre_of(std::span<const double> mass, std::span<const Place> places);

/// The difference of the two largest eigenvalues of d a_i / d x_j, by which external potentials pull apart
/// what is at a place; per time squared, and not negative.
double tide_at(const Gravity& gravity, const Vec3<double>& position, double time);

}  // namespace pleiad::encounters
