/// One table for people, JSON and CSV for machines.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/report.hpp"

#include "core/json_text.hpp"
#include "core/print.hpp"
#include "io/durable/durable.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::bench {
namespace {

bool is_number(const Cell& cell) { return cell.index() >= 2; }

std::string shown(const Cell& cell, const Column& column) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* x = std::get_if<double>(&cell))
    return fmt::format(fmt::runtime(column.format), *x * column.scale);
  if (const auto* k = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *k);
  return "-";
}

Cell cell_of(const nlohmann::ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  return {};
}

/// One table, a line for each row.
std::string aligned(const Table& table) {
  std::vector<std::vector<std::string>> cells;
  std::vector<bool> right;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].heading.empty()) continue;
    auto& column = cells.emplace_back(1, table.columns[c].heading);
    bool numbers = !table.rows.empty();
    for (const auto& row : table.rows) {
      column.push_back(shown(row[c], table.columns[c]));
      numbers = numbers && (is_number(row[c]) || row[c].index() == 0);
    }
    right.push_back(numbers);
  }
  std::string text;
  for (std::size_t r = 0; r <= table.rows.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      std::size_t width = 0;
      for (const auto& cell : cells[c]) width = std::max(width, cell.size());
      if (c > 0) line += "  ";
      line +=
          right[c] ? fmt::format("{:>{}}", cells[c][r], width) : fmt::format("{:<{}}", cells[c][r], width);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

/// The rows `first` to `last` as a table of their own, without the column `section`.
Table section_of(const Table& table, std::size_t section, std::size_t first, std::size_t last) {
  Table part{.columns = table.columns, .rows = {}};
  part.columns[section].heading = "";
  part.rows.assign(table.rows.begin() + std::ptrdiff_t(first), table.rows.begin() + std::ptrdiff_t(last));
  return without_empty_columns(std::move(part));
}

std::string sections_to_text(const Table& table, std::size_t section) {
  std::string text;
  for (std::size_t first = 0, last = 0; first < table.rows.size(); first = last) {
    while (last < table.rows.size() && table.rows[last][section] == table.rows[first][section]) ++last;
    text += fmt::format("{}{}:\n{}", first == 0 ? "" : "\n", shown(table.rows[first][section], {}),
                        aligned(section_of(table, section, first, last)));
  }
  return text;
}

std::string csv_field(const Cell& cell) {
  if (const auto* x = std::get_if<double>(&cell)) return fmt::format("{}", *x);
  if (const auto* k = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *k);
  const auto* text = std::get_if<std::string>(&cell);
  if (text == nullptr) return "";
  if (text->find_first_of(",\"\r\n") == std::string::npos) return *text;
  std::string quoted = "\"";
  for (const char c : *text) quoted.append(c == '"' ? 2 : 1, c);
  quoted += '"';
  return quoted;
}

}  // namespace

const Cell& cell(const Table& table, const std::vector<Cell>& row, std::string_view key) {
  static const Cell none;
  for (std::size_t c = 0; c < std::min(row.size(), table.columns.size()); ++c)
    if (table.columns[c].key == key) return row[c];
  return none;
}

double number(const Table& table, const std::vector<Cell>& row, std::string_view key) {
  const auto& at = cell(table, row, key);
  if (const auto* x = std::get_if<double>(&at)) return *x;
  if (const auto* k = std::get_if<std::int64_t>(&at)) return double(*k);
  return std::numeric_limits<double>::quiet_NaN();
}

std::string text(const Table& table, const std::vector<Cell>& row, std::string_view key) {
  const auto* s = std::get_if<std::string>(&cell(table, row, key));
  return s == nullptr ? "" : *s;
}

Table without_empty_columns(Table table) {
  for (std::size_t c = table.columns.size(); c-- > 0 && !table.rows.empty();) {
    if (std::any_of(table.rows.begin(), table.rows.end(),
                    [&](const auto& row) { return row[c].index() != 0; }))
      continue;
    table.columns.erase(table.columns.begin() + std::ptrdiff_t(c));
    for (auto& row : table.rows) row.erase(row.begin() + std::ptrdiff_t(c));
  }
  return table;
}

Table from_json(const std::string& json, const std::string& source,
                const std::function<Column(std::string_view)>& column_of) {
  const auto rows = nlohmann::ordered_json::parse(json, nullptr, false);
  if (!rows.is_array() || rows.empty() ||
      !std::all_of(rows.begin(), rows.end(), [](const auto& row) { return row.is_object(); }))
    throw UsageError(source + ": not a table of pleiad bench, which is an array with an object per row");
  Table table;
  for (const auto& row : rows)
    for (const auto& [key, value] : row.items())
      if (std::none_of(table.columns.begin(), table.columns.end(),
                       [&](const Column& c) { return c.key == key; }))
        table.columns.push_back(column_of(key));
  for (const auto& row : rows) {
    auto& cells = table.rows.emplace_back();
    for (const auto& column : table.columns)
      cells.push_back(row.contains(column.key) ? cell_of(row[column.key]) : Cell{});
  }
  return table;
}

std::string to_text(const Table& table) {
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (table.columns[c].key == "section") return sections_to_text(table, c);
  return aligned(table);
}

std::string to_json(const Table& table) {
  std::vector<std::string> objects;
  const bool sections = std::ranges::find(table.columns, "section", &Column::key) != table.columns.end();
  for (const auto& row : table.rows) {
    auto object = nlohmann::ordered_json::object();
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (sections && row[c].index() == 0) continue;
      std::visit(
          [&](const auto& value) {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
              object[table.columns[c].key] = nullptr;
            else object[table.columns[c].key] = value;
          },
          row[c]);
    }
    objects.push_back(json_text(object, -1));
  }
  return fmt::format("[\n{}\n]\n", fmt::join(objects, ",\n"));
}

std::string to_csv(const Table& table) {
  std::vector<std::string> fields;
  for (const auto& column : table.columns) fields.push_back(column.key);
  std::string text = fmt::format("{}\n", fmt::join(fields, ","));
  for (const auto& row : table.rows) {
    std::transform(row.begin(), row.end(), fields.begin(), csv_field);
    text += fmt::format("{}\n", fmt::join(fields, ","));
  }
  return text;
}

void publish(const Report& report, const Outputs& asked) {
  Outputs outputs = asked;
  for (auto* target : {&outputs.json, &outputs.csv})
    if (is_standard_output(*target)) target->assign(1, '-');
  const auto table = without_empty_columns(report.table);
  if (outputs.json != "-" && outputs.csv != "-") {
    for (const auto& line : report.heading) print_out("{}\n", line);
    write_out(to_text(table));
    for (const auto& line : report.notes) print_out("{}\n", line);
  }
  const auto put = [&](const std::string& target, const std::string& text) {
    if (target == "-") write_out(text);
    else write_file_atomically(target, text);
  };
  if (!outputs.json.empty()) put(outputs.json, to_json(table));
  if (!outputs.csv.empty()) put(outputs.csv, to_csv(table));
  if (!outputs.plot.empty() && report.plot) write_plot(outputs.plot, *report.plot);
  need_all_accepted(report);
  if (!outputs.plot.empty() && !report.plot)
    throw UsageError("--plot " + outputs.plot + ": there is nothing to plot in this report");
}

void need_all_accepted(const Report& report) {
  if (!report.stopped.empty())
    throw EndedEarly(fmt::format("stopped by {}: the {} row{} measured before are written", report.stopped,
                                 report.table.rows.size(), report.table.rows.size() == 1 ? "" : "s"));
  if (report.refused.size() == 1) throw NumericalError(report.refused.front());
  if (!report.refused.empty())
    throw NumericalError(fmt::format("{} measurements were refused; the first: {}", report.refused.size(),
                                     report.refused.front()));
}

}  // namespace pleiad::bench
