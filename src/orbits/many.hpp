/// Motion on orbits, and mutual pulls, of several bodies at once: a lane of a vector is a body.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace pleiad::orbits {

/// The largest number of lanes of a vector of doubles.
inline constexpr std::size_t most_lanes = 8;
/// `n` rounded up to a multiple of most_lanes, the length of the columns below.
constexpr std::size_t padded(std::size_t n) { return (n + most_lanes - 1) / most_lanes * most_lanes; }

/// x, y and z of several bodies, each padded.
using Columns = std::array<std::vector<double>, 3>;

/// Changes of positions and velocities of `n` bodies on orbits with mu, in a time dt (see kepler_change).
/// What pads the columns must be a body at rest away from 0, with any finite mu.
void kepler_changes(std::size_t n, const std::vector<double>& mu, const Columns& x, const Columns& v,
                    double dt, Columns& change_of_x, Columns& change_of_v);

/// A body that pulls others.
struct Source {
  double x = 0, y = 0, z = 0, Gm = 0;
};
/// Accelerations a = sum of Gm d / |d|^3, in the order of the sources; one at the place of a target does not
/// pull it. The pair formula is that of pull.hpp without softening.
void pulls(const Columns& targets, std::span<const Source> sources, Columns& accelerations);

}  // namespace pleiad::orbits
