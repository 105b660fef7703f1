/// The columns of a table of bodies or of orbits: one list, of names and of what each reads into a row.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/files/csv.hpp"

#include <pleiad/orbits.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace pleiad::files::csv {

/// What a row says of its body.
struct Row {
  double mass = 0, potential = 0, softening = 0;
  Vec3<double> position{}, velocity{}, acceleration{};
  std::optional<std::uint64_t> id{};
  std::optional<Type> type{};
  StatedOrbit orbit{};

  bool has_orbit() const {
    return orbit.semi_major_axis != StatedOrbit::unset || orbit.pericentre_distance != StatedOrbit::unset;
  }
};

struct TableColumn {
  string_view name;
  /// Reads a field into the row. Returns "", or what is wrong with the field, for a message that names it.
  std::string (*read)(string_view field, Row& row);
};
/// All of them, in the order of Column.
std::span<const TableColumn, columns> table_columns();

}  // namespace pleiad::files::csv
