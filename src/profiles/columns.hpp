/// Named columns of numbers with their units, and the CSV file of them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/units.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pleiad::profiles {

/// What a column measures; its unit follows from a unit system.
enum class Quantity { number, length, velocity, mass, density, surface_density, time };

struct Column {
  std::string_view name;
  Quantity quantity = Quantity::number;
  std::vector<double> values{};
};

/// Columns of one length.
struct Columns {
  std::vector<Column> all{};
  /// The numbers of a column; a name that is not there is an error of the caller.
  const std::vector<double>& operator[](std::string_view name) const;
  std::size_t rows() const { return all.empty() ? 0 : all.front().values.size(); }
};

/// "kpc", "1e10 Msun / kpc^3", ...; "" for numbers and in units without a physical scale. `per_h`: lengths
/// and masses are in these units over h, "kpc/h".
std::string unit_of(Quantity quantity, const Units& units, bool per_h = false);
/// "radius_low in kpc, mass in 1e10 Msun, ..."; "" in units without a physical scale.
std::string units_of(const Columns& columns, const Units& units, bool per_h = false);

/// The line of names.
std::string names_of(const Columns& columns);
/// A line of numbers; whole ones without a point, others with 17 digits, NaN as "nan".
std::string row_of(const Columns& columns, std::size_t row);

}  // namespace pleiad::profiles
