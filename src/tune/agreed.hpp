/// Measurements of one rank that all ranks of a run must share, because their decisions depend on them. One
/// process, whose communicator is null, uses its own.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/part.hpp"
#include "ranks/division.hpp"
#include "ranks/self.hpp"
#include "tune/time_source.hpp"

#include <pleiad/bodies.hpp>

#include <cstddef>

namespace pleiad::tune {

// All calls are collective.

/// Time of the clock on rank 0.
inline double agreed_seconds(ranks::Communicator* ranks, TimeSource clock) {
  return ranks::all_gather(ranks::or_self(ranks), clock()).front();
}
/// The seconds of the slowest rank.
inline double slowest(ranks::Communicator* ranks, double mine) {
  return ranks::max(ranks::or_self(ranks), mine);
}
/// Bodies of all ranks.
inline std::size_t on_all_ranks(ranks::Communicator* ranks, std::size_t own) {
  return static_cast<std::size_t>(ranks::sum(ranks::or_self(ranks), own));
}

/// n bodies to be timed. Of several ranks each has as many as so few are divided into; that some may be there
/// twice does not change the time.
inline Bodies some_of(const Bodies& bodies, std::size_t n, ranks::Communicator* ranks) {
  const auto& all = ranks::or_self(ranks);
  const auto count = ranks::Division{n, all.ranks()}.count(all.rank());
  Bodies some = first_of(bodies, count);
  while (some.size() < count) {
    const auto i = some.size() % bodies.size();
    some.add(bodies.mass[i], bodies.position(i), {});
  }
  return some;
}

}  // namespace pleiad::tune
