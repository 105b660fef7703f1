/// Cuts of the space-filling curve into the parts of the ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"
#include "tree/cell_head.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace pleiad::domain {

/// An octant of a level, by its least key.
struct Octant {
  std::uint64_t first = 0;
  unsigned level = 0;
};

/// Rank r has the keys in [keys[r], keys[r + 1]).
struct Cuts {
  std::vector<std::uint64_t> keys;
  /// One for each cut between two ranks, which is at an end of one of its parts.
  std::vector<Octant> octants;
  tree::KeyRange of(int rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return {keys[r], keys[r + 1]};
  }
  int owner_of(std::uint64_t key) const {
    return static_cast<int>(std::upper_bound(keys.begin(), keys.end(), key) - keys.begin()) - 1;
  }
};

/// Number and total weight of the bodies with keys below a bound.
struct Below {
  std::uint64_t bodies = 0, weight = 0;
};
/// Counts this rank's bodies below each of the bounds.
using CountBelow = std::function<std::vector<Below>(std::span<const std::uint64_t> bounds)>;
/// Finds parts of about equal weight, cut at ends of octants, so that no octant with at most `most` bodies is
/// in two parts. `own`: number and weight of this rank's bodies. `near`: octants of earlier cuts, the same on
/// all ranks, or none; for a cut that is still in its octant `below` is called once, instead of once for each
/// level. The cuts do not depend on `near`. Collective.
Cuts find_cuts(ranks::Communicator& comm, const Below& own, const CountBelow& below, std::uint64_t most,
               std::span<const Octant> near = {});
/// Counts sorted keys below each bound. `weights[i]`: total weight of the first i bodies; empty: each has
/// weight 1.
std::vector<Below> count_below(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> weights,
                               std::span<const std::uint64_t> bounds);

}  // namespace pleiad::domain
