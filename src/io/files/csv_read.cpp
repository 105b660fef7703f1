/// Reading CSV: columns by name in any order, or seven bare columns; an error names its line and column.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "io/files/csv.hpp"

#include <pleiad/error.hpp>
#include <pleiad/orbits.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace pleiad::files {
namespace {

using namespace csv;

class Table {
 public:
  Table(string_view name, FileContent& out) : name_(name), out_(out) {}

  void read(string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (const auto why = no_text(text); !why.empty()) refuse(why);
    if (const auto first = text.find('\r'); text.find('\n') == text.npos && first < text.size() - 1)
      refuse("its lines end with CR alone; end them with LF, or CR and LF: tr '\\r' '\\n'");
    ends_with_newline_ = text.empty() || text.back() == '\n';
    out_.snapshot.bodies.reserve(std::size_t(std::count(text.begin(), text.end(), '\n')));
    while (!text.empty()) {
      const auto end = text.find('\n');
      ++line_;
      read_line(trimmed(text.substr(0, end)));
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    if (where_.empty()) refuse("no table in it");
    finish();
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("'{}': {}", name_, why));
  }
  [[noreturn]] void refuse_line(const std::string& why) const {
    refuse(fmt::format("line {}: {}", line_, why));
  }

  void read_line(string_view line) {
    if (line.empty()) return;
    if (line.front() == '#') {
      // Many tables have their header behind a '#'.
      split(trimmed(line.substr(1)), fields_);
      if (where_.empty() && names_bodies(fields_)) return read_header();
      return read_comment(trimmed(line.substr(1)));
    }
    if (has_decimal_commas(line))
      refuse_line("semicolons between the fields and commas in the numbers; write decimal points");
    split(line, fields_);
    if (where_.empty()) {
      if (!all_numbers(fields_)) return read_header();
      if (fields_.size() != 7)
        refuse_line(fmt::format("{} columns without a header; a bare table has 7: mass x y z vx vy vz",
                                fields_.size()));
      for (int c = mass; c <= vz; ++c) where_.push_back(Column(c)), has_[std::size_t(c)] = true;
      elements_.resize(where_.size());
      out_.notes.push_back("no header: the columns are taken as mass x y z vx vy vz");
    }
    read_row();
  }

  static bool names_bodies(const std::vector<string_view>& fields) {
    const auto names = [&](Column c) {
      return std::any_of(fields.begin(), fields.end(), [&](string_view f) { return column_named(f) == c; });
    };
    return (names(mass) && names(x) && names(vx)) || names_orbits(fields);
  }

  void read_header() {
    orbits_ = names_orbits(fields_);
    for (const auto field : fields_) {
      const auto column = column_named(field);
      where_.push_back(column.value_or(columns));
      elements_.push_back(orbits_ ? element_named(field) : std::nullopt);
      if (elements_.back()) {
        if (std::ranges::count(elements_, elements_.back()) > 1)
          refuse_line(fmt::format("two columns mean {}", element_names[std::size_t(*elements_.back())]));
      } else if (!column) {
        out_.notes.push_back(fmt::format("column '{}' skipped", field.substr(0, 40)));
        if (where_.size() > 1000) refuse_line("more than 1000 columns");
      } else if (std::exchange(has_[*column], true)) {
        refuse_line(fmt::format("two columns mean {}", column_names[*column]));
      }
    }
    if (orbits_) return;
    for (const Column c : {mass, x, y, vx, vy})
      if (!has_[c])
        refuse_line(fmt::format("no column '{}' in the header ({}); need mass, x, y, z, vx, vy, vz",
                                column_names[c], fmt::join(shown(), ", ")));
    if (!has_[z] || !has_[vz]) out_.notes.push_back("no column z or vz: taken as 0");
  }

  std::vector<string_view> shown() const {
    std::vector<string_view> some(fields_.begin(),
                                  fields_.begin() + std::ptrdiff_t(std::min<std::size_t>(fields_.size(), 8)));
    for (auto& name : some) name = name.substr(0, 20);
    return some;
  }

  void read_row() {
    if (fields_.size() != where_.size())
      refuse_line(fmt::format("{} fields, but the table has {} columns", fields_.size(), where_.size()));
    if (orbits_) return read_orbit();
    std::array<double, id> value{};
    std::uint64_t body_id = out_.snapshot.bodies.size();
    Type body_type = Type::halo;
    for (std::size_t k = 0; k < fields_.size(); ++k) {
      if (where_[k] == columns) continue;
      if (where_[k] == id) body_id = id_in(k);
      else if (where_[k] == type) body_type = type_in(k);
      else value[where_[k]] = number_in(k);
    }
    Snapshot& s = out_.snapshot;
    s.bodies.add(value[mass], {value[x], value[y], value[z]}, {value[vx], value[vy], value[vz]}, body_type);
    s.bodies.id.back() = body_id;
    if (has_[ax] && has_[ay] && has_[az])
      s.ax.push_back(value[ax]), s.ay.push_back(value[ay]), s.az.push_back(value[az]);
    if (has_[potential]) s.potential.push_back(value[potential]);
  }

  /// A body of a table of orbits; the first one, which has none, is at rest until all are there.
  void read_orbit() {
    constexpr double degree = std::numbers::pi / 180;
    Snapshot& s = out_.snapshot;
    s.G = G_.value_or(s.units.G());
    StatedOrbit orbit;
    double m = 0;
    std::optional<std::uint64_t> body_id;
    std::optional<Type> body_type;
    for (std::size_t k = 0; k < fields_.size(); ++k) {
      if (fields_[k].empty() && where_[k] != mass) continue;
      if (where_[k] == mass && !elements_[k]) m = number_in(k);
      else if (where_[k] == id) body_id = id_in(k);
      else if (where_[k] == type) body_type = type_in(k);
      else if (elements_[k])
        element_of(orbit, *elements_[k]) = number_in(k) * (is_angle(*elements_[k]) ? degree : 1);
    }
    const bool stated =
        orbit.semi_major_axis != StatedOrbit::unset || orbit.pericentre_distance != StatedOrbit::unset;
    if (!stated && !s.bodies.empty()) refuse_line("only the first body has no orbit; give its a or q");
    if (stated) try {
        add_on_orbit(s, m, orbit, about_);
      } catch (const UsageError& e) {
        refuse_line(e.what());
      }
    else s.bodies.add(m, {}, {});
    if (body_id) s.bodies.id.back() = *body_id;
    if (body_type) s.bodies.type.back() = *body_type;
  }

  static bool is_angle(Element element) { return element >= Element::inclination; }
  static double& element_of(StatedOrbit& orbit, Element element) {
    double* const fields[]{&orbit.semi_major_axis,
                           &orbit.pericentre_distance,
                           &orbit.eccentricity,
                           &orbit.inclination,
                           &orbit.node,
                           &orbit.pericentre,
                           &orbit.true_anomaly,
                           &orbit.mean_anomaly};
    return *fields[std::size_t(element)];
  }

  /// Fortran's 0.1-100 is 0.1E-100.
  static bool lacks_exponent_mark(string_view text) {
    const auto sign = text.find_last_of("+-");
    return sign != text.npos && sign > 0 && number(text.substr(0, sign)) && number(text.substr(sign + 1));
  }

  double number_in(std::size_t k) const {
    const auto value = number(fields_[k]);
    if (!value)
      refuse_line(fmt::format(
          "column {} ({}): '{}' is not a number that a double can hold{}", k + 1,
          elements_[k] ? element_names[std::size_t(*elements_[k])] : column_names[where_[k]],
          fields_[k].substr(0, 40), lacks_exponent_mark(fields_[k]) ? "; its exponent needs an E" : ""));
    return *value;
  }

  std::uint64_t id_in(std::size_t k) const {
    const auto value = whole_number(fields_[k]);
    if (!value)
      refuse_line(
          fmt::format("column {} (id): '{}' is not a whole number >= 0", k + 1, fields_[k].substr(0, 40)));
    return *value;
  }

  Type type_in(std::size_t k) const {
    const std::string name = lower(fields_[k]);
    for (std::size_t t = 0; t < type_names.size(); ++t)
      if (name == type_names[t]) return Type(t);
    if (const auto n = number(name); n && *n >= 0 && *n <= 5 && *n == std::floor(*n)) return Type(int(*n));
    refuse_line(fmt::format("column {} (type): '{}' is none of 0-5, {}", k + 1, fields_[k].substr(0, 40),
                            fmt::join(type_names, ", ")));
  }

  /// Reads the text after a '#': a key and its value, or a remark.
  void read_comment(string_view comment) {
    const auto colon = comment.find(':');
    if (colon == comment.npos) return;
    const string_view written = trimmed(comment.substr(0, colon));
    const std::string key = lower(written);
    const auto place = std::ranges::find(keys, key);
    if (place == keys.end()) return;
    if (!out_.snapshot.bodies.empty())
      refuse_line(fmt::format("'# {}:' stands below the first row; it belongs above the table", written));
    if (std::exchange(given_[std::size_t(place - keys.begin())], true))
      refuse_line(fmt::format("'# {}:' is there twice", written));
    auto value = trimmed(comment.substr(colon + 1));
    // Spreadsheets fill short lines with separators.
    while (!value.empty() && (value.back() == ',' || value.back() == ';'))
      value = trimmed(value.substr(0, value.size() - 1));
    split(value, fields_);
    read_value(Value{*this, key, written, value, fields_});
  }

  /// The words behind a key, of which each has its meaning or ends the reading.
  struct Value {
    const Table& table;
    string_view key, written, text;
    const std::vector<string_view>& words;

    [[noreturn]] void refuse(std::string_view right) const {
      table.refuse_line(fmt::format("'# {}: {}' cannot be read; {}", written, text.substr(0, 40), right));
    }
    void need(std::size_t count, std::string_view right) const {
      if (words.size() != count) refuse(right);
    }
    double real(std::size_t k, std::string_view right) const {
      const auto v = number(words[k]);
      if (!v || !std::isfinite(*v)) refuse(right);
      return *v;
    }
    std::uint64_t whole(std::string_view right) const {
      need(1, right);
      const auto v = whole_number(words[0]);
      if (!v) refuse(right);
      return *v;
    }
  };

  void read_value(const Value& v) {
    Snapshot& s = out_.snapshot;
    if (v.key == "units") read_units(v);
    else if (v.key == "time") v.need(1, needs_number), s.time = v.real(0, needs_number);
    else if (v.key == "step") s.step = v.whole(needs_whole);
    else if (v.key == "softening") {
      constexpr auto right = "it needs one number >= 0, in the units of the table";
      v.need(1, right);
      if (!((out_.suggested_softening = v.real(0, right)) >= 0)) v.refuse(right);
    } else if (v.key == "time_step") {
      constexpr auto right = "it needs one number > 0, in the units of the table";
      v.need(1, right);
      if (!((out_.suggested_step = v.real(0, right)) > 0)) v.refuse(right);
    } else if (v.key == "bodies") stated_ = v.whole(needs_whole);
    else if (v.key == "g") {
      constexpr auto right = "it needs one number > 0, in the units of the table";
      v.need(1, right);
      if (!((G_ = v.real(0, right)) > 0)) v.refuse(right);
    } else if (v.key == "periodic") {
      constexpr auto right = "a periodic box needs three lengths > 0";
      v.need(3, right);
      s.boundary.periodic = true, s.boundary.length = {v.real(0, right), v.real(1, right), v.real(2, right)};
      if (!(std::min({v.real(0, right), v.real(1, right), v.real(2, right)}) > 0)) v.refuse(right);
    } else if (v.key == "about") {
      try {
        about_ = orbit_centre_named(v.text);
      } catch (const UsageError&) {
        v.refuse("it is heaviest, jacobi, barycentre, an id such as 7, or two such as 0,1");
      }
    } else {
      const auto word = v.words.size() == 1 ? lower(v.words[0]) : "";
      if (word != "nearest" && word != "all") v.refuse("it is nearest or all");
      s.boundary.images = word == "all" ? Images::all : Images::nearest;
    }
  }

  /// A table that states its number of bodies cannot lose its end unnoticed.
  void check_count() const {
    const std::size_t found = out_.snapshot.bodies.size();
    if (!stated_) return;
    if (found != *stated_)
      refuse(
          fmt::format("'# bodies: {}' in its head, but {} rows below it; {}", *stated_, found,
                      found < *stated_ ? "the file is cut off" : "correct the number or remove that line"));
    if (!ends_with_newline_)
      refuse(
          fmt::format("line {}, the last one, does not end with a line break; the file is cut off", line_));
  }

  void read_units(const Value& v) {
    const std::string system = v.words.empty() ? "" : lower(v.words[0]);
    const auto names = unit_system_names();
    if (system == "custom") {
      constexpr auto right = "custom units need length, mass and velocity in cgs, > 0";
      v.need(4, right);
      for (std::size_t k = 1; k <= 3; ++k)
        if (!(v.real(k, right) > 0)) v.refuse(right);
      out_.snapshot.units = custom_units(v.real(1, right), v.real(2, right), v.real(3, right));
    } else if (v.words.size() == 1 && std::ranges::find(names, system) != names.end()) {
      out_.snapshot.units = units_named(system);
    } else {
      v.refuse(fmt::format("no unit system '{}': it is one of {}, custom", system.substr(0, 40),
                           fmt::join(names, ", ")));
    }
    out_.units_stated = true;
  }

  void finish() {
    Snapshot& s = out_.snapshot;
    if (s.bodies.empty()) refuse("a header but no bodies below it");
    check_count();
    if (given_[images_key] && !s.boundary.periodic)
      refuse("'# images:' without '# periodic:', the lengths of the box");
    s.G = G_.value_or(s.units.G());
    if (orbits_) move_to_centre_of_mass(s.bodies);
    else if (given_[about_key]) refuse("'# about:' belongs to a table of orbits, with a column a or q");
  }

  static constexpr std::array<string_view, 10> keys{"units",    "time",   "step",      "g",         "bodies",
                                                    "periodic", "images", "softening", "time_step", "about"};
  static constexpr std::size_t about_key = 9;
  static constexpr std::size_t images_key = 6;
  static constexpr string_view needs_number = "it needs one number, with a decimal point";
  static constexpr string_view needs_whole = "it needs one whole number from 0 to 2^64 - 1";

  string_view name_;
  FileContent& out_;
  std::size_t line_ = 0;
  std::vector<string_view> fields_;
  std::vector<Column> where_;                     ///< meaning of each column of the file; `columns`: nothing
  std::vector<std::optional<Element>> elements_;  ///< of each column of a table of orbits
  bool orbits_ = false;
  OrbitCentre about_{};
  std::array<bool, columns> has_{};
  std::array<bool, keys.size()> given_{};
  std::optional<double> G_;
  std::optional<std::uint64_t> stated_;  ///< number of bodies in the head
  bool ends_with_newline_ = true;
};

}  // namespace

FileContent read_csv(const fs::path& file) {
  const std::string text = read_file(file);
  const std::string name = file.string();
  FileContent out;
  Table(name, out).read(text);
  return out;
}

}  // namespace pleiad::files
