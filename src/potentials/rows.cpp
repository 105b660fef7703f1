#include "potentials/rows.hpp"

#include "potentials/table.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <fstream>

#include <fmt/format.h>

namespace pleiad::potentials {
namespace {

constexpr std::string_view separators = " \t\r,";

/// False if a word is no finite number.
bool append_numbers(std::string_view text, std::vector<double>& numbers) {
  for (auto at = text.find_first_not_of(separators); at != text.npos;
       at = text.find_first_not_of(separators)) {
    text.remove_prefix(at);
    const auto length = std::min(text.find_first_of(separators), text.size());
    double value = 0;
    const auto [stop, failure] = std::from_chars(text.data(), text.data() + length, value);
    if (failure != std::errc{} || stop != text.data() + length || !std::isfinite(value)) return false;
    numbers.push_back(value);
    text.remove_prefix(length);
  }
  return true;
}

/// The derivative at the middle of three points of the parabola through them, by their mean slopes.
double middle_slope(double h0, double h1, double slope0, double slope1) {
  return (slope0 * h1 + slope1 * h0) / (h0 + h1);
}
/// The same at the first of the three.
double end_slope(double h0, double h1, double slope0, double slope1) {
  return slope0 + (slope0 - slope1) * h0 / (h0 + h1);
}
/// Derivatives of parabolas through neighbouring points.
std::vector<double> slopes_of(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = x.size();
  std::vector<double> h(n - 1), mean(n - 1), slopes(n);
  for (std::size_t k = 0; k + 1 < n; ++k) h[k] = x[k + 1] - x[k], mean[k] = (y[k + 1] - y[k]) / h[k];
  if (n == 2) return {mean[0], mean[0]};
  slopes[0] = end_slope(h[0], h[1], mean[0], mean[1]);
  slopes[n - 1] = end_slope(h[n - 2], h[n - 3], mean[n - 2], mean[n - 3]);
  for (std::size_t k = 1; k + 1 < n; ++k) slopes[k] = middle_slope(h[k - 1], h[k], mean[k - 1], mean[k]);
  return slopes;
}
std::vector<double> column(const std::vector<double>& rows, std::size_t columns, std::size_t which) {
  std::vector<double> all;
  for (std::size_t at = which; at < rows.size(); at += columns) all.push_back(rows[at]);
  return all;
}
void need_rising(const std::vector<double>& x, const std::string& what, const char* column) {
  for (std::size_t k = 1; k < x.size(); ++k)
    if (!(x[k] > x[k - 1]))
      throw UsageError(fmt::format("{}: its {} must rise, but {} follows {}", what, column, x[k], x[k - 1]));
}
void need_rows(const std::vector<double>& rows, std::size_t columns, const std::string& what) {
  if (rows.size() % columns != 0 || rows.size() < 2 * columns)
    throw UsageError(
        fmt::format("{}: {} numbers are not two or more rows of {}", what, rows.size(), columns));
}

}  // namespace

std::vector<double> rows_of_file(const std::string& file, std::size_t& columns) {
  std::ifstream in(file);
  if (!in) throw InputError(fmt::format("cannot read '{}'", file));
  std::vector<double> all;
  std::size_t number = 0;
  columns = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::vector<double> row;
    const bool good = append_numbers(std::string_view(line).substr(0, line.find('#')), row);
    if (good && row.empty()) continue;
    if (columns == 0) columns = row.size();
    if (!good || row.size() != columns)
      throw InputError(fmt::format("'{}', line {}: it must have {} finite numbers", file, number,
                                   columns == 0 ? "only" : std::to_string(columns)));
    all.insert(all.end(), row.begin(), row.end());
  }
  if (all.empty()) throw InputError(fmt::format("'{}' has no rows of numbers", file));
  return all;
}

std::vector<double> numbers_of(std::string_view text, const std::string& what) {
  std::vector<double> numbers;
  if (!append_numbers(text, numbers))
    throw UsageError(fmt::format("{}: it must have finite numbers with commas between them", what));
  return numbers;
}

std::vector<double> completed_table(const std::vector<double>& given, const std::string& what) {
  need_rows(given, 2, what);
  const auto r = column(given, 2, 0), m = column(given, 2, 1);
  need_rising(r, what, "radii");
  if (!(r.front() > 0 && m.front() >= 0 && std::ranges::is_sorted(m)))
    throw UsageError(fmt::format("{}: its radii must be > 0, its masses >= 0 and not fall", what));
  const std::size_t n = r.size();
  auto slopes = slopes_of(r, m);
  slopes[0] = 3 * m[0] / r[0];  // that of the homogeneous sphere within
  const auto mean = [&](std::size_t k) { return (m[k + 1] - m[k]) / (r[k + 1] - r[k]); };
  for (std::size_t k = 0; k < n; ++k) {
    if (k > 0) slopes[k] = std::min(slopes[k], 3 * mean(k - 1));
    if (k + 1 < n) slopes[k] = std::min(slopes[k], 3 * mean(k));
    slopes[k] = std::max(slopes[k], 0.0);
  }
  constexpr std::size_t columns = Table::columns;
  std::vector<double> table(columns * n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::array row{r[k], m[k], slopes[k], 0.0};
    std::ranges::copy(row, table.begin() + static_cast<std::ptrdiff_t>(columns * k));
  }
  table.back() = -m.back() / r.back();
  for (std::size_t k = n - 1; k-- > 0;) {
    const auto interval = Table::Interval<double>::of(&table[columns * k]);  // its potential is still 0
    table[columns * k + 3] = table[columns * (k + 1) + 3] - interval.potential_at(r[k + 1]);
  }
  return table;
}

std::vector<double> given_table(const std::vector<double>& table) {
  std::vector<double> given;
  for (std::size_t at = 0; at < table.size(); at += Table::columns)
    given.insert(given.end(), {table[at], table[at + 1]});
  return given;
}

std::vector<double> completed_track(const std::vector<double>& rows, std::size_t columns,
                                    const std::string& what) {
  if (columns != 4 && columns != 7)
    throw UsageError(
        fmt::format("{}: a row must be t, x, y, z, or these and vx, vy, vz, not {} numbers", what, columns));
  need_rows(rows, columns, what);
  const auto t = column(rows, columns, 0);
  need_rising(t, what, "times");
  if (columns == 7) return rows;
  std::array<std::vector<double>, 3> v;
  for (std::size_t axis = 0; axis < 3; ++axis) v[axis] = slopes_of(t, column(rows, 4, 1 + axis));
  std::vector<double> all;
  for (std::size_t k = 0; k < t.size(); ++k)
    all.insert(all.end(),
               {t[k], rows[4 * k + 1], rows[4 * k + 2], rows[4 * k + 3], v[0][k], v[1][k], v[2][k]});
  return all;
}

}  // namespace pleiad::potentials
