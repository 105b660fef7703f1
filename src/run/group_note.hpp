/// What close binaries cost a run in which each star has a step of its own, and the note that names the
/// remedy: time.groups.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/ensemble.hpp>
#include <pleiad/simulation.hpp>
#include <pleiad/snapshot.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace pleiad::run {

/// The steps of stars by Aarseth's criterion, as they follow from orbits: sqrt(eta) over the mean motion of a
/// binary, and as much of the time in which a star would orbit its nearest neighbour where it is now.
struct CloseBinaries {
  std::size_t binaries = 0;    ///< so close that they would be groups
  double shortest_period = 0;  ///< of these
  double share = 0;            ///< of the steps of all stars that are those of these binaries
  double gain = 1;  ///< steps of all stars over those that are left where each of these is one body
};
/// Those of all bodies with mass. `dt`: the longest step; `eta`: Aarseth's.
CloseBinaries close_binaries(const Snapshot& all, double dt, double eta);

/// One sentence where the method is hermite4-block without groups, groups are possible, and would leave a
/// fifth of the steps or less; else none.
std::optional<std::string> group_note(const Snapshot& all, const Gravity& gravity, const Method& method);
/// The same of the worst of some systems, 64 at most of which are looked at, evenly over their numbers.
std::optional<std::string> group_note(std::span<const Member> systems);

}  // namespace pleiad::run
