/// Reports: one table for people, JSON and CSV for machines, notes around it, and a plot.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/plot.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pleiad::bench {

/// A value of a table; nothing is "-" for people and null for machines.
using Cell = std::variant<std::monostate, std::string, double, std::int64_t>;

/// `key` names the value for machines. `heading` is empty when people need not see it; they see numbers as
/// `format` (of fmt) says, times `scale`.
struct Column {
  std::string key, heading, format = "{}";
  double scale = 1;
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

/// The cell of a row under a key; nothing when there is no such column.
const Cell& cell(const Table& table, const std::vector<Cell>& row, std::string_view key);
/// Its number, NaN when it is none; its text, "" when it is none.
double number(const Table& table, const std::vector<Cell>& row, std::string_view key);
std::string text(const Table& table, const std::vector<Cell>& row, std::string_view key);

/// A table of several devices has columns that some of them never fill: the table without those that no row
/// fills.
Table without_empty_columns(Table table);

/// Aligned columns, words to the left and numbers to the right, a line each. A table with a column "section"
/// is several: each has a heading of its own and only the columns that it fills.
std::string to_text(const Table& table);
/// An array with one object per row, a row per line; keys in the order of the columns. In a table of sections
/// a row has no keys that it does not fill, since most are those of other sections.
std::string to_json(const Table& table);
/// What to_json wrote, each column as `column_of` says for its key. UsageError naming `source` when the text
/// is no such array.
Table from_json(const std::string& json, const std::string& source,
                const std::function<Column(std::string_view)>& column_of);
/// RFC 4180 with a header line.
std::string to_csv(const Table& table);

struct Report {
  std::vector<std::string> heading, notes;  ///< lines before and after the table
  Table table;
  std::optional<Plot> plot;
  std::vector<std::string> refused;  ///< measurements that failed a guard: their figures are nowhere
  std::string stopped{};             ///< by what it was ended early, as "SIGINT", or ""
};

/// Where a report goes besides the table: file names, "-" for the stream itself, "" for nowhere.
struct Outputs {
  std::string json, csv, plot;
};

/// The table with its notes goes to `out` unless JSON or CSV does; then what `outputs` asks for. What cannot
/// be written is complained of when everything else is there. Ends with need_all_accepted.
void publish(const Report& report, const Outputs& outputs);

/// Ended early, with the rows that were measured before.
struct EndedEarly : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Throws EndedEarly when it was ended early, NumericalError when any measurement was
/// refused, naming the first; for after the report is written.
void need_all_accepted(const Report& report);

}  // namespace pleiad::bench
