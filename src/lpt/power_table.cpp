/// Reading P(k) from a table, and interpolating it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/text.hpp"
#include "io/durable/durable.hpp"
#include "lpt/linear_power.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <string_view>

#include <fmt/format.h>

namespace pleiad::lpt {
namespace {

struct Table {
  std::vector<double> log_k, log_p, slope;

  /// Slopes of the parabola through a row and its two neighbours.
  void find_slopes() {
    const std::size_t n = log_k.size();
    slope.resize(n);
    const auto between = [&](std::size_t i) { return (log_p[i + 1] - log_p[i]) / (log_k[i + 1] - log_k[i]); };
    slope.front() = between(0), slope.back() = between(n - 2);
    for (std::size_t i = 1; i + 1 < n; ++i) {
      const double before = log_k[i] - log_k[i - 1], after = log_k[i + 1] - log_k[i];
      slope[i] = (after * between(i - 1) + before * between(i)) / (before + after);
    }
  }
  /// Hermite's cubic.
  double at(double k) const {
    const double x = std::log(k);
    const auto above = std::upper_bound(log_k.begin() + 1, log_k.end() - 1, x);
    const auto i = std::size_t(above - log_k.begin()) - 1;
    const double h = log_k[i + 1] - log_k[i], t = (x - log_k[i]) / h, s = 1 - t;
    return std::exp(s * s * ((1 + 2 * t) * log_p[i] + t * h * slope[i]) +
                    t * t * ((1 + 2 * s) * log_p[i + 1] - s * h * slope[i + 1]));
  }
};

constexpr std::string_view blanks = " \t\r,";

/// The numbers of a line: at most three, since a third one is refused.
std::size_t numbers_in(std::string_view line, std::array<double, 3>& numbers) {
  std::size_t count = 0;
  while (count < numbers.size()) {
    const auto begin = line.find_first_not_of(blanks);
    if (begin == line.npos) return count;
    line.remove_prefix(begin);
    const auto word = line.substr(0, line.find_first_of(blanks));
    const char *from = word.data(), *const end = from + word.size();
    if (*from == '+') ++from;
    const auto [stop, failure] = std::from_chars(from, end, numbers[count]);
    if (failure != std::errc{} || stop != end)
      throw InputError(fmt::format("'{}' is not a number", one_line(word)));
    ++count;
    line.remove_prefix(word.size());
  }
  return count;
}

void add_line(std::string_view line, Table& table, Range& range) {
  line = line.substr(0, line.find('#'));
  std::array<double, 3> numbers{};
  const auto count = numbers_in(line, numbers);
  if (count == 0) return;
  const auto [k, p, rest] = numbers;
  if (count != 2)
    throw InputError(fmt::format("a row has {}; it must have two, k in h/Mpc and P in (Mpc/h)^3",
                                 count == 1 ? "one number" : "more than two numbers"));
  if (!(k > 0 && std::isfinite(k) && p > 0 && std::isfinite(p)))
    throw InputError(fmt::format("k = {:g} and P = {:g}; both must be finite and > 0", k, p));
  if (!(k > range.high))
    throw InputError(fmt::format("k = {:g} follows {:g}; k must increase", k, range.high));
  if (table.log_k.empty()) range.low = k;
  range.high = k;
  table.log_k.push_back(std::log(k)), table.log_p.push_back(std::log(p));
  if (table.log_k.size() > 1 && !(table.log_k.back() > table.log_k[table.log_k.size() - 2]))
    throw InputError(fmt::format("k = {:g} has the logarithm of the row before; k must increase", k));
}

}  // namespace

LinearPower power_of_table(const std::filesystem::path& file) {
  constexpr std::size_t most_bytes = std::size_t{1} << 28;
  const std::string text = read_file(file, most_bytes);
  auto table = std::make_shared<Table>();
  Range range;
  std::size_t number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    ++number;
    try {
      add_line(line, *table, range);
    } catch (const InputError& error) {
      throw InputError(fmt::format("'{}', line {}: {}", file.string(), number, error.what()));
    }
  }
  if (table->log_k.size() < 2)
    throw InputError(fmt::format("'{}' has {} rows of k and P; it must have at least two", file.string(),
                                 table->log_k.size()));
  table->find_slopes();
  return {[table](double k) { return table->at(k); }, range, fmt::format("the table '{}'", file.string())};
}

}  // namespace pleiad::lpt
