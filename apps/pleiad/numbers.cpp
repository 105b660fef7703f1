/// Numbers on the command line.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "numbers.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace pleiad::app {

double number_in(const std::string& text) {
  double value = std::numeric_limits<double>::quiet_NaN();
  const char* first = text.data() + (text.starts_with('+') && !text.starts_with("+-") ? 1 : 0);
  const auto [end, error] = std::from_chars(first, text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value
                                                                  : std::numeric_limits<double>::quiet_NaN();
}

Rule whole_number(double low, double high) {
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

Rule seed_number() {
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

Rule number(double low, double high, bool above) {
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
