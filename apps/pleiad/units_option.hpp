/// Units on the command line: a name, or three cgs values.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "numbers.hpp"

#include <pleiad/error.hpp>
#include <pleiad/units.hpp>

#include <optional>
#include <string>

#include <fmt/format.h>

namespace pleiad::app {

inline constexpr const char* units_help =
    "nbody, galactic, cluster, solar, si, cgs, or LENGTH,MASS,VELOCITY in cgs";

/// "" is nothing; "galactic"; "3.086e21,1.989e43,1e5".
inline std::optional<Units> units_in(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto first = text.find(','), second = text.find(',', first + 1);
  if (first == text.npos) return units_named(text);
  if (second == text.npos)
    throw UsageError(
        fmt::format("units '{}' must be a name or three numbers LENGTH,MASS,VELOCITY in cgs", text));
  return custom_units(number_in(text.substr(0, first)), number_in(text.substr(first + 1, second - first - 1)),
                      number_in(text.substr(second + 1)));
}

/// "galactic (1 = 3.085678e+21 cm, 1.989e+43 g, 100000 cm/s)".
inline std::string described(const Units& u) {
  return u.physical
             ? fmt::format("{} (1 = {} cm, {} g, {} cm/s)", u.name, u.length_cm, u.mass_g, u.velocity_cm_s)
             : fmt::format("{} (G = 1, no physical scale)", u.name);
}

}  // namespace pleiad::app
