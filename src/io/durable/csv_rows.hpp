/// The rows of a CSV table that a run has written: comments with #, one line of names, then numbers.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad {

/// The cells of one row, of the columns that are asked for, in their order.
class CsvRow {
 public:
  CsvRow(const std::filesystem::path& file, std::size_t line, std::span<const std::string_view> names,
         std::span<const std::string_view> cells)
      : file_(file), line_(line), names_(names), cells_(cells) {}
  /// InputError, which names file, line and column, for another text.
  double number(std::size_t column) const;
  std::uint64_t whole_number(std::size_t column) const;

 private:
  template <class T>
  T read(std::size_t column, std::string_view kind) const;

  const std::filesystem::path& file_;
  std::size_t line_;
  std::span<const std::string_view> names_, cells_;
};

/// Calls `take` for each row. InputError for a column that is not there, and for a row with another number of
/// cells than there are names; ResourceError as read_file.
void for_csv_rows(const std::filesystem::path& file, std::span<const std::string_view> columns,
                  const std::function<void(const CsvRow&)>& take);

}  // namespace pleiad
