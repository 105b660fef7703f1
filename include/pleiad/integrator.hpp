/// Integrators as tables.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace pleiad {

/// One step of a splitting: kick[0] drift[0] kick[1] drift[1] ... Coefficients are in units of dt; those that
/// are zero are skipped. A kick is v += c dt a(x), a drift x += c dt v. `kick` has as many entries as
/// `drift`, or one more.
struct Splitting {
  std::span<const double> kick, drift;
};

/// An integrator. `hermite`: the scheme is not a splitting, and it also needs the jerk.
struct Integrator {
  std::string_view name;
  std::string_view idea;  ///< one sentence with the source of the scheme
  int order = 0;
  bool symplectic = true, time_reversible = true;
  bool hermite = false;
  Splitting splitting{};
  int evaluations = 1;  ///< force evaluations per step
};
/// Whether a step ends with a kick: then its last evaluation is that of the state after it.
constexpr bool ends_with_kick(const Integrator& integrator) {
  const auto& [kick, drift] = integrator.splitting;
  return kick.size() > drift.size() && kick.back() != 0;
}

/// All of them, in the order of the course.
std::span<const Integrator> integrators();
/// By name ("kdk", "dkd", "euler", "forest-ruth", "yoshida6", "hermite4"); UsageError with the nearest name.
const Integrator& integrator_named(std::string_view name);

}  // namespace pleiad
