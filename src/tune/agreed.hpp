/// What the ranks of a run measure apart and have to know alike, since all take the same decisions by it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/part.hpp"
#include "ranks/communicator.hpp"
#include "ranks/division.hpp"
#include "tune/time_source.hpp"

#include <pleiad/bodies.hpp>

#include <cstddef>

namespace pleiad::tune {

// All calls are collective.

/// What the clock says on rank 0.
inline double agreed_seconds(ranks::Communicator& ranks, TimeSource clock) {
  return ranks::all_gather(ranks, clock()).front();
}
/// The seconds of the slowest rank.
inline double slowest(ranks::Communicator& ranks, double mine) { return ranks::max(ranks, mine); }
/// Bodies of all ranks.
inline std::size_t on_all_ranks(ranks::Communicator& ranks, std::size_t own) {
  return static_cast<std::size_t>(ranks::sum(ranks, own));
}

/// n bodies to be timed. Of several ranks each has as many as so few are divided into; that some may be there
/// twice does not change the time.
inline Bodies some_of(const Bodies& bodies, std::size_t n, ranks::Communicator& ranks) {
  const auto count = ranks::Division{n, ranks.ranks()}.count(ranks.rank());
  Bodies some = first_of(bodies, count);
  while (some.size() < count) {
    const auto i = some.size() % bodies.size();
    some.add(bodies.mass[i], bodies.position(i), {});
    if (!some.softening.empty()) some.softening.push_back(bodies.softening[i]);
  }
  return some;
}

}  // namespace pleiad::tune
