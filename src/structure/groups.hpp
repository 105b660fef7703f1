/// Groups of bodies by friends of friends (Davis, Efstathiou, Frenk and White 1985): two bodies closer than
/// the linking length are in one group, and so are their friends.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "structure/cells.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace pleiad::structure {

/// Groups in descending order of their numbers of members; of equal ones that with the smaller id first.
struct Groups {
  std::vector<std::size_t> members;  ///< numbers of bodies, group after group, ascending in each
  std::vector<std::size_t> first;    ///< where each group begins in `members`, and the end of the last
  std::size_t size() const { return first.size() - 1; }
  std::span<const std::size_t> of(std::size_t group) const {
    return std::span(members).subspan(first[group], first[group + 1] - first[group]);
  }
};

/// The linking length as a fraction of the mean distance between bodies, (volume / bodies)^(1/3), in a
/// periodic box.
double linking_length(double fraction, std::size_t bodies, const Boundary& boundary);

/// Finds the groups of at least `least` members among the chosen bodies. Two bodies are linked if their
/// distance d, to the nearest image in a periodic box, has d^2 < length^2 in double precision: one that is
/// equal does not link. The result does not depend on the number of threads, nor, but for `members`, on the
/// order of the bodies. UsageError for a length that is not positive, exceeds half the shortest side of the
/// box, or is shorter than 6e-10 of the extent of the bodies.
Groups friends_of_friends(const Bodies& bodies, std::span<const std::size_t> chosen, const Boundary& boundary,
                          double length, std::size_t least);

/// The longest side of cells of which each two bodies are closer than the linking length.
double side_of_linked_cells(double length);

}  // namespace pleiad::structure
