/// Distances from which softening may be left out of the pull of a cell.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace pleiad::tree {

/// The approximate error of settings, relative to the pull: the tolerance; else a hundredth of the error of a
/// geometric MAC for the nearest cells: as large as most errors (the 99th percentile is up to ten times
/// that).
inline double promised_error(double theta, int p, double tolerance) {
  return tolerance > 0 ? tolerance : 0.01 * std::pow(theta, p);
}

/// The distance, in softening lengths, from which on leaving softening out, which changes a cell's pull by
/// the part `lost` eps^2 / R^2, changes nothing that was promised: all these changes have one sign, so that
/// they get a tenth.
inline double newtonian_from(double lost, double promised) { return std::sqrt(lost / (0.1 * promised)); }

/// The distance between cells, for expansions of order p. Their error, which the neglected softening must not
/// exceed, has a 99th percentile of 0.005 theta^p on smooth spheres, or 0.004 of the tolerance, and more
/// elsewhere (measured). The 1.5 eps^2 / R^2 at the centre is corrected by a factor (see m2l); the rest
/// changes its sign across the cells: dense clumps showed the same errors when 1/50 was left to the softened
/// operators.
inline double newtonian_between_cells(double theta, int p, double tolerance) {
  return newtonian_from(1.5 / 50, 0.005 * (tolerance > 0 ? tolerance : std::pow(theta, p)));
}

constexpr double squared(double x) { return x * x; }

}  // namespace pleiad::tree
