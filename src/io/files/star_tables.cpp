/// Tables with a star in each row: mass, position, velocity, and columns that are skipped.
///
/// McLuster (Kuepper et al., MNRAS 417, 2300, 2011), mcluster -C 3: a first line "#Mass_[Msun] x_[pc] y_[pc]
/// z_[pc] vx_[km/s] vy_[km/s] vz_[km/s]", with more columns for evolved stars.
///
/// PeTar (Wang et al., MNRAS 497, 536, 2020), petar.init and snapshots in ASCII: a first line with the number
/// of the file, the number of stars and the time, and in an external potential the position and velocity of
/// the centre, to which those of the stars are relative; then 18 columns or more for each star.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/star_tables.hpp"

#include "io/durable/durable.hpp"
#include "io/files/csv.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::files {
namespace {

using csv::string_view;

constexpr std::array<string_view, 7> star_columns{"mass", "x", "y", "z", "vx", "vy", "vz"};
constexpr std::array<string_view, 7> mcluster_names{"Mass_[Msun]", "x_[pc]",    "y_[pc]",   "z_[pc]",
                                                    "vx_[km/s]",   "vy_[km/s]", "vz_[km/s]"};
constexpr std::size_t petar_columns = 18;  // the fewest of any version

/// The lines of a text with their numbers, without those that are blank.
class Lines {
 public:
  explicit Lines(string_view text) : text_(text) {}
  /// The fields of the next line; false at the end.
  bool next(std::vector<string_view>& fields) {
    while (!text_.empty()) {
      const auto end = text_.find('\n');
      const string_view line = csv::trimmed(text_.substr(0, end));
      text_.remove_prefix(end == text_.npos ? text_.size() : end + 1);
      ++number_;
      if (line.empty()) continue;
      csv::split(line, fields);
      return true;
    }
    return false;
  }
  std::size_t number() const { return number_; }

 private:
  string_view text_;
  std::size_t number_ = 0;
};

/// Whether it is a whole number of the stars of a file.
bool counts_stars(string_view field) {
  const auto n = csv::whole_number(field);
  return n && *n > 0;
}

bool is_mcluster_head(std::vector<string_view> fields) {
  if (fields.empty() || !fields[0].starts_with('#')) return false;
  fields[0].remove_prefix(1);
  if (fields[0].empty()) fields.erase(fields.begin());
  return fields.size() >= mcluster_names.size() &&
         std::equal(mcluster_names.begin(), mcluster_names.end(), fields.begin());
}

bool is_petar_head(const std::vector<string_view>& fields) {
  return (fields.size() == 3 || fields.size() == 9) && csv::whole_number(fields[0]) &&
         counts_stars(fields[1]) && csv::all_numbers(fields);
}

/// Reads the rows of stars of a file.
class StarTable {
 public:
  StarTable(const fs::path& file, FileContent& out)
      : name_(file.string()), text_(read_file(file)), lines_(text_), out_(out) {
    if (const auto why = csv::no_text(text_); !why.empty()) refuse(why);
    lines_.next(fields_);
  }

  const std::vector<string_view>& head() const { return fields_; }
  double in_head(std::size_t k) const {
    const auto value = csv::number(fields_[k]);
    if (!value || !std::isfinite(*value))
      refuse(
          fmt::format("line {}: field {}: '{}' is not a finite number", lines_.number(), k + 1, fields_[k]));
    return *value;
  }

  /// Rows of at least `least` columns, all of as many, up to the end.
  void read_rows(std::size_t least) {
    std::size_t columns = 0;
    std::array<double, 7> star{};
    while (lines_.next(fields_)) {
      if (fields_[0].starts_with('#')) continue;
      if (columns == 0) columns = fields_.size();
      if (columns < least)
        refuse_line(fmt::format("{} columns; a row of stars has {} at least: {} ...", columns, least,
                                fmt::join(star_columns, " ")));
      if (fields_.size() != columns)
        refuse_line(fmt::format("{} columns, but the rows before have {}", fields_.size(), columns));
      for (std::size_t k = 0; k < star.size(); ++k) {
        const auto value = csv::number(fields_[k]);
        if (!value)
          refuse_line(fmt::format("column {} ({}): '{}' is not a number", k + 1, star_columns[k],
                                  fields_[k].substr(0, 40)));
        star[k] = *value;
      }
      out_.snapshot.bodies.add(star[0], {star[1], star[2], star[3]}, {star[4], star[5], star[6]}, Type::star);
    }
    if (columns == 0) refuse("a first line but no stars below it");
    if (columns > star.size())
      out_.notes.push_back(fmt::format("columns 8 to {} skipped; the stars are numbered from 0", columns));
  }

  double mass() const {
    double sum = 0;
    for (const double m : out_.snapshot.bodies.mass) sum += m;
    return sum;
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("'{}': {}", name_, why));
  }

 private:
  [[noreturn]] void refuse_line(const std::string& why) const {
    refuse(fmt::format("line {}: {}", lines_.number(), why));
  }

  std::string name_, text_;
  Lines lines_;
  FileContent& out_;
  std::vector<string_view> fields_;
};

FileContent read_mcluster(const fs::path& file, bool, const Wanted&) {
  FileContent out{.units_stated = true};
  StarTable table(file, out);
  table.read_rows(star_columns.size());
  out.snapshot.units = units_named("cluster"), out.snapshot.G = out.snapshot.units.G();
  if (std::abs(table.mass() - 1) <= 1e-2)
    out.notes.push_back(
        "its masses add up to 1, as in N-body units, which mcluster -u 0 writes below the same first line: "
        "pleiad convert --from-units nbody takes them as such");
  return out;
}

FileContent read_petar(const fs::path& file, bool, const Wanted&) {
  FileContent out;
  StarTable table(file, out);
  Snapshot& s = out.snapshot;
  const std::uint64_t stars = csv::whole_number(table.head()[1]).value_or(0);
  s.time = table.in_head(2);
  Vec3<double> place{}, velocity{};
  if (table.head().size() == 9) {
    place = {table.in_head(3), table.in_head(4), table.in_head(5)};
    velocity = {table.in_head(6), table.in_head(7), table.in_head(8)};
  }
  table.read_rows(petar_columns);
  Bodies& b = s.bodies;
  if (b.size() != stars)
    table.refuse(fmt::format("its first line says {} stars, but {} rows follow{}", stars, b.size(),
                             b.size() < stars ? "; the file is cut off" : ""));
  for (double& x : b.x) x += place.x;
  for (double& x : b.y) x += place.y;
  for (double& x : b.z) x += place.z;
  for (double& v : b.vx) v += velocity.x;
  for (double& v : b.vy) v += velocity.y;
  for (double& v : b.vz) v += velocity.z;
  // PeTar takes any units in which G is given; with a mass of 1 they are those in which it is 1.
  if (std::abs(table.mass() - 1) <= 1e-3) return out;
  const Units cluster = units_named("cluster");
  constexpr double myr = 3.15576e13;
  s.units = custom_units(cluster.length_cm, cluster.mass_g, cluster.length_cm / myr), s.G = s.units.G();
  out.units_stated = true;
  out.notes.push_back(
      "its masses do not add up to 1, so its units are taken as pc, Msun and pc/Myr, as by petar -u 1; "
      "pleiad "
      "convert --from-units names others");
  return out;
}

}  // namespace
}  // namespace pleiad::files

namespace pleiad {

constinit const Format format_mcluster{
    .name = "mcluster",
    .family = "a table of McLuster",
    .ending = ".txt",
    .digits = Format::Digits::all,
    .kept = {.order = true},
    .read_by_yt = false,
    .likeness =
        [](std::string_view start) {
          std::vector<std::string_view> fields;
          files::Lines lines(start);
          return lines.next(fields) && files::is_mcluster_head(fields) ? Likeness::certain : Likeness::none;
        },
    .read = files::read_mcluster};

constinit const Format format_petar{.name = "petar",
                                    .family = "a table of PeTar",
                                    .ending = ".input",
                                    .digits = Format::Digits::all,
                                    .kept = {.order = true},
                                    .read_by_yt = false,
                                    .likeness =
                                        [](std::string_view start) {
                                          std::vector<std::string_view> fields;
                                          files::Lines lines(start);
                                          if (!lines.next(fields) || !files::is_petar_head(fields))
                                            return Likeness::none;
                                          return lines.next(fields) &&
                                                         fields.size() >= files::petar_columns &&
                                                         files::csv::all_numbers(fields)
                                                     ? Likeness::certain
                                                     : Likeness::none;
                                        },
                                    .read = files::read_petar};

}  // namespace pleiad
