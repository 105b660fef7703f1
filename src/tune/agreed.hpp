/// What the ranks of a run measure apart and have to know alike, since all take the same decisions by it. One
/// process, whose transport is null, agrees with itself.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/clock.hpp"
#include "ranks/transport.hpp"

#include <cstddef>

namespace pleiad::tune {

// All calls are collective.

/// seconds() on rank 0.
inline double agreed_seconds(ranks::Transport* ranks) {
  const double now = seconds();
  return ranks == nullptr ? now : ranks::all_gather(*ranks, now).front();
}
/// The seconds of the slowest rank.
inline double slowest(ranks::Transport* ranks, double mine) {
  return ranks == nullptr ? mine : ranks::max(*ranks, mine);
}
/// Bodies of all ranks.
inline std::size_t on_all_ranks(ranks::Transport* ranks, std::size_t own) {
  return ranks == nullptr ? own : static_cast<std::size_t>(ranks::sum(*ranks, own));
}

}  // namespace pleiad::tune
