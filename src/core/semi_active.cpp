/// The text of a law's semi-active bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/bodies.hpp>
#include <pleiad/error.hpp>
#include <pleiad/gravity.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad {
namespace {

constexpr std::string_view prefix = "below=";

double mass_of(std::string_view word) {
  const auto number = word.substr(prefix.size());
  double mass = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), mass);
  if (error != std::errc{} || end != number.data() + number.size() || !(mass > 0) || !std::isfinite(mass))
    throw UsageError(fmt::format("'{}' must have a finite mass > 0, such as below=1e-9", word));
  return mass;
}

}  // namespace

SemiActive semi_active_of(std::string_view text) {
  SemiActive found;
  for (std::size_t begin = 0; (begin = text.find_first_not_of(' ', begin)) != text.npos;) {
    const auto end = std::min(text.find(' ', begin), text.size());
    const auto word = text.substr(begin, end - begin);
    begin = end;
    if (word.starts_with(prefix)) {
      if (found.below > 0) throw UsageError(fmt::format("'{}' is a second mass; one is enough", word));
      found.below = mass_of(word);
      continue;
    }
    const auto type = std::ranges::find(type_names, word);
    if (type == type_names.end())
      throw UsageError(fmt::format("'{}' is no type; there are {}, and below=MASS{}", word,
                                   fmt::join(type_names, ", "), did_you_mean(word, type_names)));
    const auto bit = 1U << static_cast<unsigned>(type - type_names.begin());
    if ((found.types & bit) != 0) throw UsageError(fmt::format("'{}' is there twice", word));
    found.types = static_cast<std::uint8_t>(found.types | bit);
  }
  return found;
}

std::string text_of(const SemiActive& semi_active) {
  std::string text;
  const auto add = [&](std::string_view word) {
    if (!text.empty()) text += ' ';
    text += word;
  };
  for (unsigned t = 0; t < type_names.size(); ++t)
    if (((semi_active.types >> t) & 1U) != 0) add(type_names[t]);
  if (semi_active.below > 0) add(fmt::format("{}{}", prefix, semi_active.below));
  return text;
}

}  // namespace pleiad
