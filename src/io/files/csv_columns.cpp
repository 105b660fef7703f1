#include "io/files/csv_columns.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::files::csv {
namespace {

/// Fortran's 0.1-100 is 0.1E-100.
bool lacks_exponent_mark(string_view text) {
  const auto sign = text.find_last_of("+-");
  return sign != text.npos && sign > 0 && number(text.substr(0, sign)) && number(text.substr(sign + 1));
}

/// Reads a number, in these units, into a place of the row.
template <double& (*place)(Row&)>
std::string into(string_view field, Row& row, double unit) {
  const auto value = number(field);
  if (!value)
    return fmt::format("is not a number that a double can hold{}",
                       lacks_exponent_mark(field) ? "; its exponent needs an E" : "");
  place(row) = *value * unit;
  return "";
}
template <double& (*place)(Row&)>
std::string plain(string_view field, Row& row) {
  return into<place>(field, row, 1);
}
template <double& (*place)(Row&)>
std::string degrees(string_view field, Row& row) {
  return into<place>(field, row, std::numbers::pi / 180);
}

std::string read_id(string_view field, Row& row) {
  row.id = whole_number(field);
  return row.id ? "" : "is not a whole number >= 0";
}

std::string read_type(string_view field, Row& row) {
  const std::string name = lower(field);
  for (std::size_t t = 0; t < type_names.size(); ++t)
    if (name == type_names[t]) row.type = Type(t);
  if (const auto n = number(name); n && *n >= 0 && *n <= 5 && *n == std::floor(*n)) row.type = Type(int(*n));
  return row.type ? "" : fmt::format("is none of 0-5, {}", fmt::join(type_names, ", "));
}

constexpr std::array<TableColumn, columns> list{{
    {"mass", plain<[](Row& r) -> double& { return r.mass; }>},
    {"x", plain<[](Row& r) -> double& { return r.position.x; }>},
    {"y", plain<[](Row& r) -> double& { return r.position.y; }>},
    {"z", plain<[](Row& r) -> double& { return r.position.z; }>},
    {"vx", plain<[](Row& r) -> double& { return r.velocity.x; }>},
    {"vy", plain<[](Row& r) -> double& { return r.velocity.y; }>},
    {"vz", plain<[](Row& r) -> double& { return r.velocity.z; }>},
    {"ax", plain<[](Row& r) -> double& { return r.acceleration.x; }>},
    {"ay", plain<[](Row& r) -> double& { return r.acceleration.y; }>},
    {"az", plain<[](Row& r) -> double& { return r.acceleration.z; }>},
    {"potential", plain<[](Row& r) -> double& { return r.potential; }>},
    {"id", read_id},
    {"type", read_type},
    {"softening", plain<[](Row& r) -> double& { return r.softening; }>},
    {"a", plain<[](Row& r) -> double& { return r.orbit.semi_major_axis; }>},
    {"q", plain<[](Row& r) -> double& { return r.orbit.pericentre_distance; }>},
    {"e", plain<[](Row& r) -> double& { return r.orbit.eccentricity; }>},
    {"inclination", degrees<[](Row& r) -> double& { return r.orbit.inclination; }>},
    {"node", degrees<[](Row& r) -> double& { return r.orbit.node; }>},
    {"pericentre", degrees<[](Row& r) -> double& { return r.orbit.pericentre; }>},
    {"true_anomaly", degrees<[](Row& r) -> double& { return r.orbit.true_anomaly; }>},
    {"mean_anomaly", degrees<[](Row& r) -> double& { return r.orbit.mean_anomaly; }>},
}};

}  // namespace

std::span<const TableColumn, columns> table_columns() { return list; }

}  // namespace pleiad::files::csv
