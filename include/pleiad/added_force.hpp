/// Forces that are added to mutual gravity and depend on the bodies: relativity, an oblate body, radiation,
/// drag, friction.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/potential.hpp>
#include <pleiad/units.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad {

/// The bodies that a force acts on.
enum class ActsOn { all, massive, massless };
/// The names, in the order of the values.
constexpr std::array<std::string_view, 3> acts_on_names{"all", "massive", "massless"};
/// Returns "all", "massive" or "massless".
constexpr std::string_view name_of(ActsOn bodies) { return acts_on_names[static_cast<std::size_t>(bodies)]; }

/// A kind of added force: one file of src/added_forces.
struct AddedForceKind {
  std::string_view name;
  std::string_view idea;  ///< the formula and its source
  std::span<const PotentialParameter> parameters;
  bool of_source = true;       ///< one of the bodies, its source, exerts it on the others
  bool reacts = false;         ///< the source feels the opposite force: the momentum of the bodies is kept
  bool of_velocities = false;  ///< the acceleration depends on velocities
  bool keeps_energy = false;   ///< the energies of the bodies contain it, and their sum is conserved
  bool has_jerks = true;       ///< the time derivative of the acceleration is known
  ActsOn on = ActsOn::all;     ///< the bodies that it acts on where nothing else is asked for
};
/// All kinds of added forces.
std::span<const AddedForceKind> added_force_kinds();

/// One added force, in the units of the bodies.
struct AddedForce {
  static constexpr int most_parameters = 6;
  int kind = 0;                          ///< index in added_force_kinds()
  double parameters[most_parameters]{};  ///< in the order of the kind's parameters
  std::optional<std::uint64_t> body{};   ///< id of the source; empty: the heaviest body, the first of several
  ActsOn on = ActsOn::all;
  bool operator==(const AddedForce&) const = default;
};
/// The kind of a force.
const AddedForceKind& kind_of(const AddedForce& force);
/// The parameters that every kind takes besides its own: "on", and "body" where the force has a source.
std::span<const CommonParameter> common_added_force_parameters();

/// Makes a force from a text "KIND name=value ...": "oblate j2=1e-3 radius=0.01 body=3". `units` are those of
/// the bodies; where they are physical, the speed of light follows from them. UsageError for an unknown kind
/// or parameter, with the nearest name, for a missing one, and for a value that is out of range or not
/// finite.
AddedForce added_force_of(std::string_view text, const Units& units = {});
/// Returns a text from which added_force_of makes a force with the same bits.
std::string text_of(const AddedForce& force);
/// Makes a force from each text; UsageError as added_force_of.
std::vector<AddedForce> added_forces_of(std::span<const std::string> texts, const Units& units = {});
/// Returns the texts of several forces, one for each line.
std::string lines_of(std::span<const AddedForce> forces);
/// Makes the forces of the lines of lines_of; UsageError as added_force_of.
std::vector<AddedForce> added_forces_of_lines(const std::string& lines, const Units& units = {});

}  // namespace pleiad
