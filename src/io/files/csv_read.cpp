/// Reading CSV: columns by name in any order, or seven bare columns; an error names its line and column.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "io/files/csv.hpp"
#include "io/files/csv_columns.hpp"
#include "io/files/csv_head.hpp"

#include <pleiad/error.hpp>
#include <pleiad/orbits.hpp>

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::files {
namespace {

using namespace csv;

class Table {
 public:
  Table(string_view name, FileContent& out) : name_(name), out_(out), head_(out) {}

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
      const auto comment = trimmed(line.substr(1));
      split(comment, fields_);
      if (where_.empty() && names_bodies(fields_)) return read_header();
      if (const auto wrong = head_.read(comment); !wrong.empty()) refuse_line(wrong);
      return;
    }
    if (has_decimal_commas(line))
      refuse_line("semicolons between the fields and commas in the numbers; write decimal points");
    split(line, fields_);
    if (where_.empty()) {
      if (!all_numbers(fields_)) return read_header();
      take_bare_columns();
    }
    read_row();
  }

  void take_bare_columns() {
    if (fields_.size() != 7)
      refuse_line(fmt::format("{} columns without a header; a bare table has 7: mass x y z vx vy vz",
                              fields_.size()));
    for (int c = mass; c <= vz; ++c) where_.push_back(Column(c)), has_[std::size_t(c)] = true;
    out_.notes.push_back("no header: the columns are taken as mass x y z vx vy vz");
  }

  static bool names_bodies(const std::vector<string_view>& fields) {
    const auto names = [&](Column c) {
      return std::any_of(fields.begin(), fields.end(), [&](string_view f) { return column_named(f) == c; });
    };
    return (names(mass) && names(x) && names(vx)) || names_orbits(fields);
  }

  /// The columns of a header; those of places and velocities mean nothing in a table of orbits.
  void read_header() {
    orbits_ = names_orbits(fields_);
    for (const auto field : fields_) {
      auto column = orbits_ ? element_named(field) : std::nullopt;
      if (!column) column = column_named(field);
      if (!column) {
        out_.notes.push_back(fmt::format("column '{}' skipped", field.substr(0, 40)));
        if (where_.size() >= 1000) refuse_line("more than 1000 columns");
      } else if (has_[*column]) {
        refuse_line(fmt::format("two columns mean {}", table_columns()[*column].name));
      } else {
        has_[*column] = true;
      }
      const bool unread = column && orbits_ && *column >= x && *column <= potential;
      where_.push_back(unread ? columns : column.value_or(columns));
    }
    if (orbits_) return;
    for (const Column c : {mass, x, y, vx, vy})
      if (!has_[c])
        refuse_line(fmt::format("no column '{}' in the header ({}); need mass, x, y, z, vx, vy, vz",
                                table_columns()[c].name, fmt::join(shown(), ", ")));
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
    Row row;
    for (std::size_t k = 0; k < fields_.size(); ++k) {
      // An orbit leaves open what it does not state.
      if (where_[k] == columns || (orbits_ && fields_[k].empty() && where_[k] != mass)) continue;
      const auto& column = table_columns()[where_[k]];
      if (const auto wrong = column.read(fields_[k], row); !wrong.empty())
        refuse_line(
            fmt::format("column {} ({}): '{}' {}", k + 1, column.name, fields_[k].substr(0, 40), wrong));
    }
    if (orbits_) add_orbit(row);
    else add_body(row);
  }

  void add_body(const Row& row) {
    Snapshot& s = out_.snapshot;
    const std::uint64_t number = s.bodies.size();
    s.bodies.add(row.mass, row.position, row.velocity, row.type.value_or(Type::halo));
    s.bodies.id.back() = row.id.value_or(number);
    const auto& a = row.acceleration;
    if (has_[ax] && has_[ay] && has_[az]) s.ax.push_back(a.x), s.ay.push_back(a.y), s.az.push_back(a.z);
    if (has_[potential]) s.potential.push_back(row.potential);
    if (has_[softening]) s.bodies.softening.push_back(row.softening);
  }

  /// A body of a table of orbits; the first one, which has none, is at rest until all are there.
  void add_orbit(const Row& row) {
    Snapshot& s = out_.snapshot;
    s.G = head_.G.value_or(s.units.G());
    if (!row.has_orbit() && !s.bodies.empty())
      refuse_line("only the first body has no orbit; give its a or q");
    if (row.has_orbit()) try {
        add_on_orbit(s, row.mass, row.orbit, head_.about);
      } catch (const UsageError& e) {
        refuse_line(e.what());
      }
    else s.bodies.add(row.mass, {}, {});
    if (row.id) s.bodies.id.back() = *row.id;
    if (row.type) s.bodies.type.back() = *row.type;
    if (has_[softening]) s.bodies.softening.push_back(row.softening);
  }

  /// A table that states its number of bodies cannot lose its end unnoticed.
  void check_count() const {
    const std::size_t found = out_.snapshot.bodies.size();
    const auto stated = head_.bodies;
    if (!stated) return;
    if (found != *stated)
      refuse(fmt::format("'# bodies: {}' in its head, but {} rows below it; {}", *stated, found,
                         found < *stated ? "the file is cut off" : "correct the number or remove that line"));
    if (!ends_with_newline_)
      refuse(
          fmt::format("line {}, the last one, does not end with a line break; the file is cut off", line_));
  }

  void finish() {
    Snapshot& s = out_.snapshot;
    if (s.bodies.empty()) refuse("a header but no bodies below it");
    check_count();
    if (head_.has("images") && !s.boundary.periodic)
      refuse("'# images:' without '# periodic:', the lengths of the box");
    s.G = head_.G.value_or(s.units.G());
    if (orbits_) move_to_centre_of_mass(s.bodies);
    else if (head_.has("about")) refuse("'# about:' belongs to a table of orbits, with a column a or q");
  }

  string_view name_;
  FileContent& out_;
  Head head_;
  std::size_t line_ = 0;
  std::vector<string_view> fields_;
  std::vector<Column> where_;  ///< meaning of each column of the file; `columns`: nothing
  bool orbits_ = false;
  std::array<bool, columns> has_{};
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
