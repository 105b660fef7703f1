/// Reading and writing CSV tables of bodies: fields, numbers and column names.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/files/parts.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::files {

FileContent read_csv(const fs::path& file);
void write_csv(const fs::path& file, const Snapshot& snapshot, const WriteOptions& options,
               const Share& share);

namespace csv {

using std::string_view;

/// The columns of a table of bodies, then those of a table of orbits alone, of which one of the first two
/// must be there, with `mass`; csv_columns.hpp has their names and what they read.
enum Column {
  mass,
  x,
  y,
  z,
  vx,
  vy,
  vz,
  ax,
  ay,
  az,
  potential,
  id,
  type,
  softening,
  semi_major_axis,
  pericentre_distance,
  eccentricity,
  inclination,
  node,
  pericentre,
  true_anomaly,
  mean_anomaly,
  columns
};

/// Without the blanks and quotes around it.
string_view trimmed(string_view s);
std::string lower(string_view s);
/// Fields between commas (or semicolons) where the line has any, else between blanks.
void split(string_view line, std::vector<string_view>& fields);
/// A number in C or Fortran notation (1.5, +1.5, 1.5e3, 1.5D+03, nan, inf), or nothing.
std::optional<double> number(string_view text);
/// Reads a whole number from 0 to 2^64 - 1, also as 12.0 if a double represents it exactly, for programs that
/// only have doubles; else nothing.
std::optional<std::uint64_t> whole_number(string_view text);
/// Whether a line separates its fields by semicolons because its numbers have commas: "1,5;2,0".
bool has_decimal_commas(string_view line);
bool all_numbers(const std::vector<string_view>& fields);
/// The column of bodies that a header's name means: case, quotes and a unit in brackets do not matter.
std::optional<Column> column_named(string_view field);
/// The column of orbits that a header's name means.
std::optional<Column> element_named(string_view field);
/// Whether the names of a header are those of a table of orbits.
bool names_orbits(const std::vector<string_view>& fields);

/// The first character that no text holds (NUL and other control characters), with its line and place in it;
/// "" when there is none.
std::string no_text(string_view text);
/// Whether the start of a file is text up to the first such character.
bool begins_as_text(string_view start);

/// Whether the start of a file is text whose first row is a header that we understand, or numbers.
bool looks_like(string_view start);

}  // namespace csv
}  // namespace pleiad::files
