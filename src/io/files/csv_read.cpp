/// Reading CSV: columns by name in any order, or seven bare columns; an error names its line and column.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "io/files/csv.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
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
    split(line, fields_);
    if (where_.empty()) {
      if (!all_numbers(fields_)) return read_header();
      if (fields_.size() != 7)
        refuse_line(fmt::format("{} columns without a header; a bare table has 7: mass x y z vx vy vz",
                                fields_.size()));
      for (int c = mass; c <= vz; ++c) where_.push_back(Column(c)), has_[std::size_t(c)] = true;
      out_.notes.push_back("no header: the columns are taken as mass x y z vx vy vz");
    }
    read_row();
  }

  static bool names_bodies(const std::vector<string_view>& fields) {
    const auto names = [&](Column c) {
      return std::any_of(fields.begin(), fields.end(), [&](string_view f) { return column_named(f) == c; });
    };
    return names(mass) && names(x) && names(vx);
  }

  void read_header() {
    for (const auto field : fields_) {
      const auto column = column_named(field);
      where_.push_back(column.value_or(columns));
      if (!column) {
        out_.notes.push_back(fmt::format("column '{}' skipped", field.substr(0, 40)));
        if (where_.size() > 1000) refuse_line("more than 1000 columns");
      } else if (std::exchange(has_[*column], true)) {
        refuse_line(fmt::format("two columns mean {}", column_names[*column]));
      }
    }
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

  double number_in(std::size_t k) const {
    const auto value = number(fields_[k]);
    if (!value)
      refuse_line(fmt::format("column {} ({}): '{}' is not a number that a double can hold", k + 1,
                              column_names[where_[k]], fields_[k].substr(0, 40)));
    return *value;
  }

  std::uint64_t id_in(std::size_t k) const {
    std::uint64_t value = 0;
    const string_view f = fields_[k];
    if (const auto [end, error] = std::from_chars(f.data(), f.data() + f.size(), value);
        error == std::errc{} && end == f.data() + f.size())
      return value;
    // Programs that know only doubles write ids as 12.0.
    const auto real = number(f);
    if (!real || !(*real >= 0 && *real < 9007199254740992.0) || *real != std::floor(*real))
      refuse_line(fmt::format("column {} (id): '{}' is not a whole number >= 0", k + 1, f.substr(0, 40)));
    return std::uint64_t(*real);
  }

  Type type_in(std::size_t k) const {
    const std::string name = lower(fields_[k]);
    for (std::size_t t = 0; t < type_names.size(); ++t)
      if (name == type_names[t]) return Type(t);
    if (const auto n = number(name); n && *n >= 0 && *n <= 5 && *n == std::floor(*n)) return Type(int(*n));
    refuse_line(fmt::format("column {} (type): '{}' is none of 0-5, {}", k + 1, fields_[k].substr(0, 40),
                            fmt::join(type_names, ", ")));
  }

  void read_comment(string_view comment) {
    const auto colon = comment.find(':');
    if (colon == comment.npos || !out_.snapshot.bodies.empty()) return;
    const std::string key = lower(trimmed(comment.substr(0, colon)));
    std::vector<string_view> words;
    split(trimmed(comment.substr(colon + 1)), words);
    const auto real = [&](std::size_t k) {
      const auto v = k < words.size() ? number(words[k]) : std::nullopt;
      if (!v || !std::isfinite(*v))
        refuse_line(fmt::format("'# {}:' needs a number in place {}", key, k + 1));
      return *v;
    };
    Snapshot& s = out_.snapshot;
    if (key == "units") return read_units(words, real);
    if (key == "time") s.time = real(0);
    else if (key == "step" && real(0) >= 0 && real(0) < 1e18) s.step = std::uint64_t(real(0));
    else if (key == "g") G_ = real(0);
    else if (key == "bodies") stated_ = count_in(words);
    else if (key == "periodic") {
      s.boundary.periodic = true, s.boundary.length = {real(0), real(1), real(2)};
      if (!(std::min({real(0), real(1), real(2)}) > 0)) refuse_line("a periodic box needs three lengths > 0");
    } else if (key == "images") {
      const auto word = words.empty() ? "" : lower(words[0]);
      if (word != "nearest" && word != "all") refuse_line("'# images:' is nearest or all");
      s.boundary.images = word == "all" ? Images::all : Images::nearest;
    }
  }

  /// The number of rows that the head states; nothing when the words mean something else.
  static std::optional<std::uint64_t> count_in(const std::vector<string_view>& words) {
    std::uint64_t value = 0;
    const string_view w = words.size() == 1 ? words[0] : "";
    const auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), value);
    if (w.empty() || error != std::errc{} || end != w.data() + w.size()) return std::nullopt;
    return value;
  }

  /// A table that says how many bodies it has cannot lose its end unnoticed.
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

  template <class Real>
  void read_units(const std::vector<string_view>& words, Real real) {
    const std::string system = words.empty() ? "" : lower(words[0]);
    const auto names = unit_system_names();
    if (system == "custom") {
      for (std::size_t k = 1; k <= 3; ++k)
        if (!(real(k) > 0)) refuse_line("custom units need length, mass and velocity in cgs, > 0");
      out_.snapshot.units = custom_units(real(1), real(2), real(3));
    } else if (std::find(names.begin(), names.end(), system) != names.end()) {
      out_.snapshot.units = units_named(system);
    } else {
      refuse_line(fmt::format("no unit system '{}': it is one of {}, custom", system.substr(0, 40),
                              fmt::join(names, ", ")));
    }
    out_.units_stated = true;
  }

  void finish() {
    Snapshot& s = out_.snapshot;
    if (s.bodies.empty()) refuse("a header but no bodies below it");
    check_count();
    s.G = G_.value_or(s.units.G());
    if (!(s.G > 0)) refuse(fmt::format("G = {}; it must be > 0", s.G));
  }

  string_view name_;
  FileContent& out_;
  std::size_t line_ = 0;
  std::vector<string_view> fields_;
  std::vector<Column> where_;  ///< what each column of the file means; `columns`: nothing
  std::array<bool, columns> has_{};
  std::optional<double> G_;
  std::optional<std::uint64_t> stated_;  ///< how many bodies the head says
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
