/// Mass segregation: which orbit of a sphere in equilibrium each star gets.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace pleiad {

/// Orbits for stars of these masses, one each and none twice, so that massive stars are bound more deeply and
/// the profile of mass stays that of the sphere.
///
/// Many orbits are ordered by energy. The stars follow each other from the deepest orbit on, and each takes
/// one from its own part of the mass (Baumgardt, De Marchi & Kroupa, ApJ 685, 247, 2008). With the degree 1
/// they follow by mass; with S < 1 the next star is the one at place n (1 - X^(1 - S)) of the n that are left
/// in the order of mass, with X uniform in (0, 1) (Kuepper et al., MNRAS 417, 2300, 2011); S = 0 is no order.
/// `energy_of` gives the energy of an orbit by its number, from any thread.
std::vector<std::size_t> segregated_orbits(const std::vector<double>& masses, double degree,
                                           std::uint64_t seed,
                                           const std::function<double(std::size_t)>& energy_of);

}  // namespace pleiad
