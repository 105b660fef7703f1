/// Types of bodies on the command line.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/error.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace pleiad::app {

inline constexpr const char* types_help = "gas, halo, disc, bulge, star, boundary";

/// The types with these names; UsageError with the nearest name.
inline std::vector<Type> types_in(const std::vector<std::string>& names) {
  std::vector<Type> types;
  for (const auto& name : names) {
    const auto at = std::ranges::find(type_names, name);
    if (at == type_names.end())
      throw UsageError("no particle type '" + name + "': it is one of " + types_help +
                       did_you_mean(name, type_names));
    types.push_back(static_cast<Type>(at - type_names.begin()));
  }
  return types;
}

}  // namespace pleiad::app
