/// A star cluster at one time: its core, its half-mass relaxation time, and its shells.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "structure/systems.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace pleiad::structure {

/// Parts of the mass whose spheres divide the shells.
inline constexpr std::array shell_fractions{0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0};

/// The objects (single stars and outermost systems, each as one body) between two Lagrangian radii. Means and
/// dispersions of no object, and dispersions of one, are NaN.
struct ClusterShell {
  double fraction = 0;  ///< of the mass, within `radius`
  double radius = 0;    ///< from the density centre
  std::size_t objects = 0, stars = 0, systems = 0;
  double mass = 0, mean_mass = 0;  ///< of stars
  double radial_velocity = 0;      ///< mean
  /// Standard deviations of the radial velocity and of one tangential component, weighted by mass.
  double radial_dispersion = 0, tangential_dispersion = 0;
};

struct ClusterMeasures {
  std::size_t stars = 0, objects = 0, binaries = 0, hierarchies = 0;
  double mass = 0;
  /// The mean position and velocity of the objects, weighted by their densities.
  Vec3<double> centre{}, velocity{};
  /// sqrt(sum rho^2 d^2 / sum rho^2), d from the centre (McMillan, Hut and Makino 1990, ApJ 362, 522). A
  /// Plummer sphere with the scale a has 0.548 a.
  double core_radius = 0;
  /// The density that the objects have about them on average, weighted by their densities,
  /// 4/5 sum rho^2 / sum rho: 4/5 removes what the scatter of densities from six neighbours adds for equal
  /// masses.
  double core_density = 0;
  std::size_t core_stars = 0;  ///< stars within the core radius
  double core_mass = 0;
  double half_mass_radius = 0;
  /// 0.138 N r_h^(3/2) / (sqrt(G M) ln(0.11 N)) of the objects (Spitzer 1987; 0.11: Giersz and Heggie 1994);
  /// NaN for fewer than 25.
  double relaxation_time = 0;
  /// A third of the mean of m v^2 of the objects, about their mean velocity.
  double kT = 0;
  std::vector<ClusterShell> shells{};
};

/// Measures the chosen stars. The density about an object is that of Casertano and Hut (1985, ApJ 298, 80):
/// the mass of its five nearest objects over the volume out to the sixth. Where there are fewer than seven
/// objects the centre is the centre of mass, and what depends on densities is NaN. InputError without mass;
/// else as find_systems.
ClusterMeasures measure_cluster(const Snapshot& snapshot, const Systems& systems);

}  // namespace pleiad::structure
