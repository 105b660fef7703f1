/// Settings of encounters that can be.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/encounters.hpp>
#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace pleiad {
namespace {

void need_length(std::string_view name, double value) {
  if (!(value >= 0 && std::isfinite(value)))
    throw UsageError(fmt::format("encounters.{} = {} must be finite and >= 0", name, value));
}

/// A reaction to what is looked for only with `what`.
void need_reaction(std::string_view name, Reaction reaction, std::initializer_list<Reaction> allowed,
                   bool possible, std::string_view what) {
  if (std::ranges::find(allowed, reaction) == allowed.end())
    throw UsageError(fmt::format("encounters.{} = \"{}\" is no reaction to it", name, name_of(reaction)));
  if (reaction != Reaction::record && !possible)
    throw UsageError(fmt::format("encounters.{} = \"{}\" needs {}", name, name_of(reaction), what));
}

}  // namespace

void check(const EncounterSettings& s) {
  need_length("distance", s.distance), need_length("radius", s.radius), need_length("density", s.density);
  need_length("escape_radius", s.escape_radius);
  for (const auto& [id, radius] : s.radii) need_length(fmt::format("radii of body {}", id), radius);
  if (s.radius > 0 && s.density > 0)
    throw UsageError("encounters.radius and encounters.density both give radii: set only one of them");
  if (!(s.escape_radius > 0) &&
      (s.escape_unit != EscapeUnit::length || s.escape_centre != EscapeCentre::automatic))
    throw UsageError(
        "encounters.escape_unit and escape_centre are those of encounters.escape_radius: set it");
  if (s.escape_unit == EscapeUnit::half_mass_radius && s.escape_radius > 0 && s.escape_radius < 3)
    throw UsageError(fmt::format(
        "encounters.escape_radius = {} half-mass radii need not hold most of the mass; it must be >= 3",
        s.escape_radius));
  using enum Reaction;
  need_reaction("on_approach", s.on_approach, {record, stop}, s.distance > 0, "encounters.distance");
  need_reaction("on_collision", s.on_collision, {record, stop, merge, remove}, s.collisions(),
                "encounters.radius, density or radii");
  need_reaction("on_escape", s.on_escape, {record, stop, remove}, s.escape_radius > 0,
                "encounters.escape_radius");
}

}  // namespace pleiad
