/// Whole numbers of JSON. The library's own conversion makes 3 of 3.7 and anything of 1e115.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

namespace pleiad {

/// The integer in a JSON value; nothing unless it is one that T can represent. Json: one of the library's
/// types.
template <class T, class Json>
std::optional<T> whole_number_in(const Json& json) {
  if (json.is_number_unsigned()) {
    const auto value = json.template get<std::uint64_t>();
    if (std::in_range<T>(value)) return static_cast<T>(value);
  } else if (json.is_number_integer()) {
    const auto value = json.template get<std::int64_t>();
    if (std::in_range<T>(value)) return static_cast<T>(value);
  }
  return std::nullopt;
}
/// std::out_of_range instead of nothing.
template <class T, class Json>
T need_whole_number_in(const Json& json) {
  if (const auto value = whole_number_in<T>(json)) return *value;
  throw std::out_of_range("a whole number is expected");
}

}  // namespace pleiad
