/// Measures of the bodies at one time as functions of radius: densities, rotation, velocity dispersions, and
/// the phase space of radius and radial velocity.
///
/// All numbers are in the units of the snapshot. Means and dispersions are weighted by mass. A value that no
/// body of a bin defines is NaN.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiles/columns.hpp"

#include <pleiad/snapshot.hpp>

#include <optional>
#include <vector>

namespace pleiad::profiles {

/// The bodies that are measured, and the frame in which they are.
struct Choice {
  std::vector<Type> types{};               ///< empty: all bodies
  std::optional<Vec3<double>> centre{};    ///< default: the density centre of the bodies
  std::optional<Vec3<double>> velocity{};  ///< of the centre; default: see frame_of
  std::optional<Vec3<double>> axis{};      ///< of rotation, of any length > 0; default: see frame_of
};

/// Centre, its velocity, and the axis of rotation, which has the length 1.
struct Frame {
  Vec3<double> centre{}, velocity{}, axis{0, 0, 1};
};

/// Completes a choice. The centre is the density centre: the centre of mass of shrinking spheres, each with
/// half the bodies of the previous one, down to 10 % of all. Its velocity is the mean of the tenth of the
/// bodies that is nearest to it, but of at least 100 bodies. The axis is the angular momentum of the nearer
/// half of the bodies, or of those of type disc if there are any; it is z where they have none. InputError if
/// no body has a chosen type; UsageError for an axis without a length.
Frame frame_of(const Snapshot& snapshot, const Choice& choice);

/// Intervals of radius. Limits of 0 are chosen by the bodies.
struct Bins {
  int count = 32;
  bool logarithmic = true;
  double low = 0, high = 0;
};
/// The limits that are chosen: logarithmic bins go from the radius that contains a 500th of the bodies (at
/// least 10 of them) to that of 99.5 %; linear ones from 0 to the radius of 95 %. `radii` are sorted.
/// UsageError if low >= high; InputError if all bodies are at one radius.
std::vector<double> edges_of(const Bins& bins, const std::vector<double>& radii);

/// Spherical shells about the centre:
/// - radius_low, radius_high; radius: their geometric mean, or the arithmetic mean of linear bins
/// - bodies, mass; density = mass / volume, density_error = sqrt(sum m^2) / volume (Poisson)
/// - enclosed_mass: within `radius`
/// - radial_velocity, azimuthal_velocity: means, the latter about the axis, counterclockwise
/// - radial_dispersion, tangential_dispersion: standard deviations of v_r, and of one tangential component:
///   sqrt((sigma_theta^2 + sigma_phi^2) / 2)
/// - anisotropy: 1 - tangential_dispersion^2 / radial_dispersion^2
/// The last bin includes its upper edge.
Columns radial_profile(const Snapshot& snapshot, const Choice& choice, const Bins& bins);

/// Rings about the axis, in cylindrical coordinates:
/// - radius_low, radius_high, radius, bodies, mass; surface_density = mass / area of the ring
/// - circular_velocity: sqrt(R g), g: the inward acceleration by all bodies in the plane of the ring,
/// averaged
///   over 32 points on it, with the softening `eps`; 0 where g points outwards
/// - spherical_circular_velocity: sqrt(G M / R), M: the mass of all bodies within the sphere of this radius
/// - azimuthal_velocity: mean; azimuthal_velocity_error: its standard error
/// - radial_dispersion, azimuthal_dispersion, vertical_dispersion
Columns rotation_curve(const Snapshot& snapshot, const Choice& choice, const Bins& bins, double eps);

/// Mass in cells of radius and radial velocity: radius_low, radius_high, radius, velocity_low, velocity_high,
/// radial_velocity (the middle of both), bodies, mass; `speeds` cells of velocity for each bin of radius,
/// from -v to v. v = `highest`, or, for 0, what 99.8 % of the bodies in the bins do not exceed. 0 bins or
/// speeds: 16 to 100, so that a cell has five bodies on average.
Columns phase_space(const Snapshot& snapshot, const Choice& choice, const Bins& bins, int speeds,
                    double highest);

}  // namespace pleiad::profiles
