/// Mass functions: the number of groups per volume and decade of mass.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pleiad::structure {

/// The groups with masses from `low` to `high`, `high` excluded.
struct MassBin {
  double low = 0, high = 0;
  double mean = 0;  ///< mean mass of the groups; the middle of the decade's part where there are none
  std::size_t groups = 0;
  double density = 0;  ///< dn / dlog10 M: groups per volume and decade
  double error = 0;    ///< standard deviation of `density`, of groups at random: density / sqrt(groups)
  double above = 0;    ///< groups per volume of at least the mass `low`
};

/// The mass function of groups in a volume. The edges are powers of 10^(1 / per_decade), so that those of
/// two boxes are the same, from below the smallest mass to above the largest one; empty without masses.
/// UsageError for a volume, masses or per_decade that are not above 0.
std::vector<MassBin> mass_function(std::span<const double> masses, double volume, std::size_t per_decade);

}  // namespace pleiad::structure
