/// What became of the bound systems of a cluster between two times: binaries that were formed, exchanged,
/// hardened, softened or ionised, and hierarchies that were formed or dissolved.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "structure/systems.hpp"

#include <pleiad/bodies.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::structure {

/// A bound system as it was at one time. Two of different times are the same if they have the same stars.
struct KnownSystem {
  std::vector<std::uint64_t> stars{};  ///< ids, ascending
  std::uint64_t id_1 = 0, id_2 = 0;    ///< of the first star of each component
  double mass_1 = 0, mass_2 = 0, semi_major_axis = 0, eccentricity = 0;
  double hardness = 0;                  ///< binding energy over kT
  double told_axis = 0;                 ///< the semi-major axis in the last event of the binary
  std::optional<std::size_t> number{};  ///< in the list of systems of its time; none after `known_systems_in`
  bool binary() const { return stars.size() == 2; }
};

enum class SystemChange {
  binary_formed,
  binary_exchanged,
  binary_hardened,
  binary_softened,
  binary_ionised,
  hierarchy_formed,
  hierarchy_dissolved
};
inline constexpr std::array<std::string_view, 7> system_change_names{
    "binary-formed",  "binary-exchanged", "binary-hardened",    "binary-softened",
    "binary-ionised", "hierarchy-formed", "hierarchy-dissolved"};

/// A binary is hardened or softened when its semi-major axis has changed by this part of the one in its last
/// event, or since it was first seen.
inline constexpr double told_change = 0.1;

struct SystemEvent {
  SystemChange change = SystemChange::binary_formed;
  KnownSystem system{};                 ///< now; of one that has ended as it was last seen
  std::optional<std::uint64_t> left{};  ///< id of the star that an exchange has replaced
};

/// The systems in ascending order of the ids of their stars.
std::vector<KnownSystem> known_systems(const Systems& systems, const Bodies& bodies, double kT);

/// The events from `before` to `now`, those of systems that have ended first, each kind in the order of the
/// ids. Gives the systems in `now` their `told_axis`. `ids`: of all bodies now, ascending; a system that has
/// lost a body, by a merger or an escape, has no event here. A new binary that shares a star with one that
/// has ended, whose other star is still there, is an exchange, each with one that has ended.
std::vector<SystemEvent> system_changes(std::span<const KnownSystem> before, std::vector<KnownSystem>& now,
                                        std::span<const std::uint64_t> ids);

/// As text that keeps every bit, a line for each, and read from it. InputError for any other text.
std::string text_of(std::span<const KnownSystem> systems);
std::vector<KnownSystem> known_systems_in(const std::string& text);

}  // namespace pleiad::structure
