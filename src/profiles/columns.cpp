/// See columns.hpp.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "profiles/columns.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace pleiad::profiles {
namespace {

struct Names {
  std::string length, mass, velocity;
};

Names names_of(const Units& u) {
  static const std::array<std::pair<std::string_view, Names>, 5> known{{
      {"galactic", {"kpc", "1e10 Msun", "km/s"}},
      {"cluster", {"pc", "Msun", "km/s"}},
      {"solar", {"au", "Msun", "au/(yr/2pi)"}},
      {"si", {"m", "kg", "m/s"}},
      {"cgs", {"cm", "g", "cm/s"}},
  }};
  for (const auto& [name, names] : known)
    if (u.name == name) return names;
  return {fmt::format("{:.4g} cm", u.length_cm), fmt::format("{:.4g} g", u.mass_g),
          fmt::format("{:.4g} cm/s", u.velocity_cm_s)};
}

}  // namespace

const std::vector<double>& Columns::operator[](std::string_view name) const {
  for (const auto& column : all)
    if (column.name == name) return column.values;
  throw UsageError(fmt::format("no column '{}'", name));
}

std::string unit_of(Quantity quantity, const Units& units, bool per_h) {
  if (!units.physical || quantity == Quantity::number) return "";
  auto n = names_of(units);
  if (per_h) n.length += "/h", n.mass += "/h";
  // A name of several words stands in parentheses where it has a power.
  const auto base = per_h ? fmt::format("({})", n.length) : n.length;
  switch (quantity) {
    case Quantity::length:
      return n.length;
    case Quantity::velocity:
      return n.velocity;
    case Quantity::mass:
      return n.mass;
    case Quantity::density:
      return fmt::format("{} / {}^3", n.mass, base);
    case Quantity::surface_density:
      return fmt::format("{} / {}^2", n.mass, base);
    default:
      return fmt::format("{:.6g} s", units.time_s());
  }
}

std::string units_of(const Columns& columns, const Units& units, bool per_h) {
  std::string all;
  for (const auto& column : columns.all)
    if (const auto unit = unit_of(column.quantity, units, per_h); !unit.empty())
      all += fmt::format("{}{} in {}", all.empty() ? "" : ", ", column.name, unit);
  return all;
}

std::string names_of(const Columns& columns) {
  std::string line;
  for (const auto& column : columns.all) line += fmt::format("{}{}", line.empty() ? "" : ",", column.name);
  return line;
}

std::string row_of(const Columns& columns, std::size_t row) {
  std::string line;
  for (const auto& column : columns.all) {
    const double x = column.values[row];
    if (&column != &columns.all.front()) line += ',';
    if (std::isnan(x)) line += "nan";
    else
      line += column.quantity == Quantity::number && x == std::floor(x) ? fmt::format("{:.0f}", x)
                                                                        : fmt::format("{}", x);
  }
  return line;
}

}  // namespace pleiad::profiles
