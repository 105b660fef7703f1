/// Parses the fields of a table.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/csv.hpp"
#include "io/files/csv_columns.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::files::csv {
namespace {

struct Alias {
  string_view name;
  Column column;
};
constexpr std::array aliases{Alias{"m", mass},
                             Alias{"masses", mass},
                             Alias{"px", x},
                             Alias{"pos_x", x},
                             Alias{"posx", x},
                             Alias{"x_pos", x},
                             Alias{"position_x", x},
                             Alias{"py", y},
                             Alias{"pos_y", y},
                             Alias{"posy", y},
                             Alias{"y_pos", y},
                             Alias{"position_y", y},
                             Alias{"pz", z},
                             Alias{"pos_z", z},
                             Alias{"posz", z},
                             Alias{"z_pos", z},
                             Alias{"position_z", z},
                             Alias{"v_x", vx},
                             Alias{"vel_x", vx},
                             Alias{"velx", vx},
                             Alias{"x_vel", vx},
                             Alias{"velocity_x", vx},
                             Alias{"v_y", vy},
                             Alias{"vel_y", vy},
                             Alias{"vely", vy},
                             Alias{"y_vel", vy},
                             Alias{"velocity_y", vy},
                             Alias{"v_z", vz},
                             Alias{"vel_z", vz},
                             Alias{"velz", vz},
                             Alias{"z_vel", vz},
                             Alias{"velocity_z", vz},
                             Alias{"acc_x", ax},
                             Alias{"acc_y", ay},
                             Alias{"acc_z", az},
                             Alias{"phi", potential},
                             Alias{"pot", potential},
                             Alias{"particle_id", id},
                             Alias{"particleid", id},
                             Alias{"ids", id},
                             Alias{"iord", id},
                             Alias{"ptype", type},
                             Alias{"particle_type", type}};

/// Names of whole vectors, and the column of their first component.
constexpr std::array vectors{
    Alias{"points", x},    Alias{"point", x},       Alias{"positions", x},      Alias{"position", x},
    Alias{"pos", x},       Alias{"coordinates", x}, Alias{"coords", x},         Alias{"velocities", vx},
    Alias{"velocity", vx}, Alias{"vel", vx},        Alias{"accelerations", ax}, Alias{"acceleration", ax},
    Alias{"acc", ax}};

}  // namespace

string_view trimmed(string_view s) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; };
  while (!s.empty() && blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && blank(s.back())) s.remove_suffix(1);
  return s;
}

std::string lower(string_view s) {
  std::string out(s);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return out;
}

void split(string_view line, std::vector<string_view>& fields) {
  fields.clear();
  const string_view marks = line.find(',') != line.npos ? "," : line.find(';') != line.npos ? ";" : " \t";
  while (true) {
    const auto end = line.find_first_of(marks);
    const auto field = trimmed(line.substr(0, end));
    if (marks.size() == 1 || !field.empty()) fields.push_back(field);
    if (end == line.npos) return;
    line.remove_prefix(end + 1);
  }
}

std::optional<double> number(string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size()) return value;
  if (error != std::errc{} || text.size() > 64 || (*end != 'd' && *end != 'D')) return std::nullopt;
  std::string c_notation(text);
  c_notation[std::size_t(end - text.data())] = 'e';
  if (const auto plus = c_notation.find("e+"); plus != std::string::npos && c_notation.find("e+-") != plus)
    c_notation.erase(plus + 1, 1);
  const char* last = c_notation.data() + c_notation.size();
  const auto again = std::from_chars(c_notation.data(), last, value);
  return again.ec == std::errc{} && again.ptr == last ? std::optional(value) : std::nullopt;
}

std::optional<std::uint64_t> whole_number(string_view text) {
  std::uint64_t value = 0;
  if (const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      error == std::errc{} && end == text.data() + text.size())
    return value;
  const auto real = number(text);
  if (!real || !(*real >= 0 && *real < 9007199254740992.0) || *real != std::floor(*real)) return std::nullopt;
  return std::uint64_t(*real);
}

bool has_decimal_commas(string_view line) {
  if (line.find(';') == line.npos) return false;
  for (std::size_t i = 1; i + 1 < line.size(); ++i)
    if (line[i] == ',' && std::isdigit(static_cast<unsigned char>(line[i - 1])) != 0 &&
        std::isdigit(static_cast<unsigned char>(line[i + 1])) != 0)
      return true;
  return false;
}

namespace {

/// "Points:0", "Position_0", "velocity[2]": a vector and the place in it, as ParaView names its columns.
std::optional<Column> component_named(string_view name) {
  if (name.ends_with(']')) name.remove_suffix(1);
  if (name.size() < 3 || name.back() < '0' || name.back() > '2') return std::nullopt;
  const int place = name.back() - '0';
  name.remove_suffix(1);
  if (const char mark = name.back(); mark != ':' && mark != '_' && mark != '[') return std::nullopt;
  name.remove_suffix(1);
  for (const auto& [vector, first] : vectors)
    if (name == vector) return Column(first + place);
  return std::nullopt;
}

}  // namespace

std::optional<Column> column_named(string_view field) {
  if (const auto component = component_named(lower(trimmed(field)))) return component;
  const std::string name = lower(trimmed(field.substr(0, field.find_first_of("[("))));
  for (int c = 0; c < semi_major_axis; ++c)
    if (table_columns()[std::size_t(c)].name == name) return Column(c);
  for (const auto& alias : aliases)
    if (alias.name == name) return alias.column;
  return std::nullopt;
}

std::optional<Column> element_named(string_view field) {
  const std::string name = lower(trimmed(field.substr(0, field.find_first_of("[("))));
  for (int c = semi_major_axis; c < columns; ++c)
    if (table_columns()[std::size_t(c)].name == name) return Column(c);
  return std::nullopt;
}

bool names_orbits(const std::vector<string_view>& fields) {
  bool has_mass = false, has_size = false, has_place = false;
  for (const auto field : fields) {
    has_mass |= column_named(field) == mass, has_place |= column_named(field) == x;
    const auto element = element_named(field);
    has_size |= element == semi_major_axis || element == pericentre_distance;
  }
  return has_mass && has_size && !has_place;
}

bool all_numbers(const std::vector<string_view>& fields) {
  return std::all_of(fields.begin(), fields.end(), [](string_view f) { return number(f).has_value(); });
}

namespace {

/// Position of the first control character; npos if there is none.
std::size_t first_control(string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 32 && c != '\n' && c != '\r' && c != '\t') return i;
  }
  return text.npos;
}

}  // namespace

std::string no_text(string_view text) {
  const std::size_t at = first_control(text);
  if (at == text.npos) return "";
  const string_view before = text.substr(0, at);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const auto line_start = before.rfind('\n');
  const std::size_t place = at - (line_start == before.npos ? 0 : line_start + 1);
  return fmt::format(
      "line {}: byte {} of it is 0x{:02x}{}, which no table holds; the file is damaged or not text",
      lines + 1, place + 1, static_cast<unsigned char>(text[at]), text[at] == 0 ? " (NUL)" : "");
}

bool begins_as_text(string_view start) {
  const string_view text = start.substr(0, first_control(start));
  return !text.empty() && looks_like(text);
}

bool looks_like(string_view start) {
  if (start.starts_with("\xEF\xBB\xBF")) start.remove_prefix(3);
  if (start.find_first_not_of(" \t\r\n") == start.npos) return false;
  if (first_control(start) != start.npos) return false;
  std::vector<string_view> fields;
  for (bool known = false; !start.empty();) {
    const auto end = start.find_first_of("\n\r");
    string_view line = trimmed(start.substr(0, end));
    start.remove_prefix(end == start.npos ? start.size() : end + 1);
    const bool comment = line.starts_with('#');
    if (comment) line = trimmed(line.substr(1));
    split(line, fields);
    for (const auto field : fields) known |= column_named(field).has_value();
    if (known || comment || line.empty()) continue;
    const bool numbers = line.find_first_not_of("0123456789+-.,;eEdD \t\"") == line.npos;
    return all_numbers(fields) || (numbers && has_decimal_commas(line));
  }
  return true;
}

}  // namespace pleiad::files::csv
