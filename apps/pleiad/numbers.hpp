/// Numbers on the command line: counts may be written 1e6, and what is out of range is refused with the
/// range.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <fmt/format.h>

namespace pleiad::app {

/// The whole text as a number, or NaN.
inline double number_in(const std::string& text) {
  double value = std::numeric_limits<double>::quiet_NaN();
  const char* first = text.data() + (text.starts_with('+') && !text.starts_with("+-") ? 1 : 0);
  const auto [end, error] = std::from_chars(first, text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value
                                                                  : std::numeric_limits<double>::quiet_NaN();
}

/// `option->transform(whole_number(1, 1e9))`: rewrites 1e6 to 1000000 where that is exact, so that an integer
/// can be read from it.
inline CLI::Validator whole_number(double low, double high = 0x1p53) {
  const auto rewrite = [low, high](std::string& text) {
    const double value = number_in(text);
    if (!(value == std::trunc(value) && value >= low && value <= high))
      return high == 0x1p53 ? fmt::format("'{}' must be a whole number from {} to 2^53", text, low)
                            : fmt::format("'{}' must be a whole number from {} to {}", text, low, high);
    if (text.find_first_not_of("0123456789-") != std::string::npos) text = fmt::format("{:.0f}", value);
    return std::string();
  };
  return {rewrite, "COUNT", "whole number"};
}

/// `option->transform(seed_number())`: as the configuration's seeds, exact up to 2^63 - 1; or 1e6.
inline CLI::Validator seed_number() {
  const auto rewrite = [](std::string& text) {
    std::int64_t exact = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), exact);
    if (failed == std::errc() && end == text.data() + text.size() && exact >= 0) return std::string();
    const double value = number_in(text);
    if (!(value == std::trunc(value) && value >= 0 && value < 0x1p53))
      return fmt::format("'{}' must be a whole number from 0 to 2^63 - 1", text);
    text = fmt::format("{:.0f}", value);
    return std::string();
  };
  return {rewrite, "SEED", "seed"};
}

/// `option->check(number(0, 1))`: finite and within the bounds; `above` excludes the lower one.
inline CLI::Validator number(double low = std::numeric_limits<double>::lowest(),
                             double high = std::numeric_limits<double>::max(), bool above = false) {
  const auto check = [=](std::string& text) {
    const double value = number_in(text);
    if (value >= low && value <= high && !(above && value == low)) return std::string();
    const bool any =
        low == std::numeric_limits<double>::lowest() && high == std::numeric_limits<double>::max();
    if (any) return fmt::format("'{}' must be a finite number", text);
    if (high == std::numeric_limits<double>::max())
      return fmt::format("'{}' must be a number {} {}", text, above ? ">" : ">=", low);
    return fmt::format("'{}' must be a number {} {} and <= {}", text, above ? ">" : ">=", low, high);
  };
  return {check, "NUMBER", "number"};
}

}  // namespace pleiad::app
