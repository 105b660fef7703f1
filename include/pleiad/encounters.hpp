/// Encounters: closest approaches, collisions and escapes of bodies, and what follows from them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

namespace pleiad {

/// A minimum of the distance of two bodies; a first contact of their radii; a passage outwards through a
/// sphere about the centre of all; a body that has absorbed another one; a body that was taken away.
enum class EncounterKind : std::uint8_t { approach, collision, escape, merger, removal };
/// The names, in the order of the values.
inline constexpr std::array<std::string_view, 5> encounter_kind_names{"approach", "collision", "escape",
                                                                      "merger", "removal"};
/// Returns "approach", "collision", "escape", "merger" or "removal".
constexpr std::string_view name_of(EncounterKind kind) {
  return encounter_kind_names[static_cast<std::size_t>(kind)];
}

/// What is done where something is found: it is recorded only; or the steps end after it, too; or bodies
/// that touch become one, or all but the heaviest are taken away; or bodies that escape are.
enum class Reaction : std::uint8_t { record, stop, merge, remove };
/// The names, in the order of the values.
inline constexpr std::array<std::string_view, 4> reaction_names{"record", "stop", "merge", "remove"};
/// Returns "record", "stop", "merge" or "remove".
constexpr std::string_view name_of(Reaction reaction) {
  return reaction_names[static_cast<std::size_t>(reaction)];
}

/// What `escape_radius` counts: lengths; half-mass radii of the present cluster; or its present tidal radii
/// in the external potentials.
enum class EscapeUnit : std::uint8_t { length, half_mass_radius, tidal_radius };
/// The names, in the order of the values.
inline constexpr std::array<std::string_view, 3> escape_unit_names{"length", "half-mass-radius",
                                                                   "tidal-radius"};
/// Returns "length", "half-mass-radius" or "tidal-radius".
constexpr std::string_view name_of(EscapeUnit unit) {
  return escape_unit_names[static_cast<std::size_t>(unit)];
}

/// The centre of the sphere of escapes: the centre of mass of all bodies; the density centre,
/// which bodies that have left do not move: the centre of mass of shrinking spheres, from the median place to
/// a tenth of the bodies; or the first of a length, the second of radii of the cluster.
enum class EscapeCentre : std::uint8_t { automatic, mass, density };
/// The names, in the order of the values.
inline constexpr std::array<std::string_view, 3> escape_centre_names{"auto", "mass", "density"};
/// Returns "auto", "mass" or "density".
constexpr std::string_view name_of(EscapeCentre centre) {
  return escape_centre_names[static_cast<std::size_t>(centre)];
}

/// What is looked for, and what follows. Lengths and densities are in the units of the bodies.
struct EncounterSettings {
  double distance = 0;  ///< of approaches; 0: none are looked for
  /// For collisions: the radius of all bodies, or the density that gives the volume of each mass. 0: points.
  double radius = 0, density = 0;
  std::map<std::uint64_t, double> radii{};  ///< of single bodies, by id
  double escape_radius = 0;                 ///< in escape_unit, about escape_centre; 0: no escapes
  EscapeUnit escape_unit = EscapeUnit::length;
  EscapeCentre escape_centre = EscapeCentre::automatic;
  Reaction on_approach = Reaction::record;   ///< record or stop
  Reaction on_collision = Reaction::record;  ///< any
  Reaction on_escape = Reaction::record;     ///< record, stop or remove
  /// Whether bodies have radii.
  bool collisions() const { return radius > 0 || density > 0 || !radii.empty(); }
  /// Whether anything is looked for.
  bool active() const { return distance > 0 || collisions() || escape_radius > 0; }
  /// Whether bodies may vanish.
  bool changes_bodies() const {
    return on_collision == Reaction::merge || on_collision == Reaction::remove ||
           on_escape == Reaction::remove;
  }
  bool operator==(const EncounterSettings&) const = default;
};

/// Throws UsageError for lengths that are negative or not finite, for a radius beside a density, and for
/// reactions to what is not looked for or that do not fit it; and for a sphere of fewer than
/// three half-mass radii, which need not hold most of the mass.
void check(const EncounterSettings& settings);

/// An event. Numbers are in the units of the bodies.
struct Encounter {
  EncounterKind kind{};
  double time = 0;         ///< of the event; of mergers and removals the end of its step
  std::uint64_t step = 0;  ///< in which it is, counted from 1
  /// The lower one of two; the body that stays, in a merger; that which goes, in a removal.
  std::uint64_t id = 0;
  std::optional<std::uint64_t> other{};
  double mass = 0, other_mass = 0;
  /// Between the two; of an escape from the centre of the sphere. Speeds are relative to the same.
  double distance = 0, speed = 0;
  Vec3<double> x{}, v{};  ///< of the centre of mass of the two; of the body that stays, goes or escapes
  /// Per mass, of the motion of the two about each other, or of an escaping body.
  std::optional<double> energy{};
  /// What the energy of all bodies has lost by a merger or a removal.
  std::optional<double> energy_lost{};
  Vec3<double> angular_momentum_lost{};  ///< about the origin
};

}  // namespace pleiad
