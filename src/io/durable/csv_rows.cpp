#include "io/durable/csv_rows.hpp"

#include "io/durable/durable.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <charconv>
#include <ranges>

#include <fmt/format.h>

namespace pleiad {
namespace {

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0;;) {
    const auto to = text.find(separator, from);
    parts.push_back(text.substr(from, to - from));
    if (to == std::string_view::npos) return parts;
    from = to + 1;
  }
}

[[noreturn]] void refuse(const std::filesystem::path& file, std::size_t line, std::string_view why) {
  throw InputError(fmt::format("{}: line {} {}", file.string(), line, why));
}

}  // namespace

template <class T>
T CsvRow::read(std::size_t column, std::string_view kind) const {
  const auto cell = cells_[column];
  T value{};
  const auto* const end = cell.data() + cell.size();
  if (const auto [next, error] = std::from_chars(cell.data(), end, value);
      error != std::errc{} || next != end)
    refuse(file_, line_, fmt::format("has '{}' as {}, which is no {}", cell, names_[column], kind));
  return value;
}

double CsvRow::number(std::size_t column) const { return read<double>(column, "number"); }
std::uint64_t CsvRow::whole_number(std::size_t column) const {
  return read<std::uint64_t>(column, "whole number >= 0");
}

void for_csv_rows(const std::filesystem::path& file, std::span<const std::string_view> columns,
                  const std::function<void(const CsvRow&)>& take) {
  const auto text = read_file(file);
  std::vector<std::size_t> places;
  std::size_t number = 0, names = 0;
  std::vector<std::string_view> chosen(columns.size());
  for (auto line : parts_of(text, '\n')) {
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    const auto cells = parts_of(line, ',');
    if (names == 0) {
      names = cells.size();
      for (const auto column : columns) {
        const auto at = std::ranges::find(cells, column);
        if (at == cells.end()) throw InputError(fmt::format("{} has no column '{}'", file.string(), column));
        places.push_back(static_cast<std::size_t>(at - cells.begin()));
      }
      continue;
    }
    if (cells.size() != names)
      refuse(file, number, fmt::format("has {} cells, the first line {} names", cells.size(), names));
    for (std::size_t k = 0; k < places.size(); ++k) chosen[k] = cells[places[k]];
    take(CsvRow(file, number, columns, chosen));
  }
}

}  // namespace pleiad
