/// Groups, power spectra, bound systems and shells of a cluster as tables: what the command and Python offer.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiles/columns.hpp"
#include "structure/catalogue_file.hpp"
#include "structure/cluster.hpp"
#include "structure/mass_function.hpp"
#include "structure/power.hpp"

#include <pleiad/snapshot.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pleiad::structure {

/// Numbers of the bodies that have one of these types; no types: all. InputError if none has.
std::vector<std::size_t> bodies_of(const Bodies& bodies, std::span<const Type> types);

struct GroupOptions {
  /// The linking length: in mean distances of the chosen bodies, 0.2 by default, or in the unit of length.
  std::optional<double> fraction{}, distance{};
  std::size_t least = 20;  ///< members of a group
  /// Mean densities of the spheres: in mean densities of the periodic box, 200 by default, and in mass /
  /// length^3.
  std::optional<double> overdensity{}, density{};
  /// The universe of comoving bodies. Their spheres have 200 times the mean density, 200 times the critical
  /// one, and that of virial_overdensity(), besides those that are asked for.
  std::optional<Comoving> comoving{};
};

/// Groups with their properties, and how they were found.
struct FoundGroups {
  Groups groups;
  std::vector<GroupProperties> properties;
  CatalogueFacts facts;
};

/// Finds the groups of the chosen bodies. UsageError for options that do not fit together or to the boundary,
/// and as friends_of_friends.
FoundGroups find_groups(const Snapshot& snapshot, std::span<const std::size_t> chosen,
                        const GroupOptions& options);

/// A row for each group: id, members, mass, x, y, z (density centre), vx, vy, vz, velocity_dispersion,
/// extent, circular_velocity, circular_radius; of the overdensity sphere_mass and sphere_radius, of the
/// density density_mass and density_radius; of comoving bodies mass_200m, radius_200m, mass_200c,
/// radius_200c, mass_vir, radius_vir. See GroupProperties.
profiles::Columns table_of(const FoundGroups& found);
/// A row for each shell: k, power, modes, shot_noise, fold. See Shell. `length`: the unit of length of the
/// table, in that of the spectrum.
profiles::Columns table_of(const PowerSpectrum& spectrum, double length = 1);
/// A row for each bin: mass_low, mass_high, mass, groups, dn_dlogm, error, above. See MassBin.
profiles::Columns table_of(std::span<const MassBin> bins);

/// The masses of all groups: those of the members, "members", or of a sphere, as the columns of the table are
/// called: "sphere", "200m", "200c", "vir", "density". Groups without that sphere are left out. UsageError
/// for a name that is not there.
std::vector<double> masses_of(const FoundGroups& found, std::string_view which);

/// A row for each system: id_1, id_2 (of the first star of each component), stars, mass_1, mass_2,
/// semi_major_axis, eccentricity, inclination (degrees), period, binding_energy, hardness (binding energy /
/// kT), perturbation, stability (NaN for binaries), outermost (1 or 0), x, y, z, vx, vy, vz, distance (from
/// the centre of the cluster). See BoundSystem.
profiles::Columns table_of(const Systems& systems, const ClusterMeasures& cluster, const Bodies& bodies);
/// A row for each shell: mass_fraction, radius, objects, stars, systems, mass, mean_mass, radial_velocity,
/// radial_dispersion, tangential_dispersion. See ClusterShell.
profiles::Columns table_of(const ClusterMeasures& cluster);
/// One row: time, stars, objects, binaries, hierarchies, mass, x, y, z, vx, vy, vz (centre), core_radius,
/// core_density, core_mass, core_stars, half_mass_radius, relaxation_time, kT, binary_energy (the binding
/// energies of all binaries, positive), and the Lagrangian radii radius_1 to radius_100, in percent.
profiles::Columns table_of(const ClusterMeasures& cluster, const Systems& systems, double time);
/// What the tables of a cluster say beside their rows, as text with 17 digits: stars, binaries, hierarchies,
/// mass, centre, velocity, core_radius, core_density, core_mass, core_stars, half_mass_radius,
/// half_mass_relaxation_time and kT, in the units of the snapshot.
std::vector<std::pair<std::string, std::string>> notes_of(const ClusterMeasures& cluster);

}  // namespace pleiad::structure
