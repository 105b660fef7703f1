/// Copies of the state for whoever looks at it while the simulation steps on: two at most, one that somebody
/// works on and one that waits for that to end.
///
/// Where the steps are made on the host too, both share its threads: the library that runs them gives half to
/// each while both have work, and all to the one while the other waits. So the work takes from the steps what
/// it would take in front of them, and no more.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/background.hpp"

#include <pleiad/simulation.hpp>

#include <functional>
#include <future>

namespace pleiad::run {

class Copies {
 public:
  explicit Copies(Simulation& simulation) : simulation_(simulation) {}

  /// Calls `work` with the state of now, after what was started before, in a thread of its own. Waits only
  /// while an earlier copy still waits. Rethrows what failed before; then `work` is never called.
  void start(bool fields, std::function<void(Snapshot&)> work);
  /// The same of work that has what it needs.
  void start(std::function<void()> work);
  /// Until all work is done; throws what failed.
  void wait() { background_.wait(); }

 private:
  std::function<void()> next_turn();

  Simulation& simulation_;
  std::future<void> taken_;  ///< when the last copy waits no more
  Snapshot worked_on_;       ///< its memory is used again and again
  Background background_;    ///< last: it uses the others
};

}  // namespace pleiad::run
