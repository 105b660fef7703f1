/// Work concurrent with the steps: on at most two copies of the state, one in work and one that waits; and,
/// in a separate thread, work that needs no copy.
///
/// If the steps are made on the host too, both share its threads: TBB gives half to each while both have
/// work, and all to one while the other waits. So this work costs the steps no more time than it would cost
/// before them.
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
  /// `concurrent`: false: each piece of work is done in the call that starts it, by the thread that makes the
  /// steps, and its exceptions are thrown there, because messages between ranks come from that thread only.
  explicit Copies(Simulation& simulation, bool concurrent = true)
      : simulation_(simulation), concurrent_(concurrent) {}

  /// Calls `work` with a copy of the present state, after all work started in this way before, in another
  /// thread. Waits only while an earlier copy still waits. Rethrows an earlier failure; then `work` is never
  /// called.
  void start(bool fields, std::function<void(Snapshot&)> work);
  /// Starts work that needs no copy, in another thread, independently of the first kind.
  void start(std::function<void()> work);
  bool concurrent() const { return concurrent_; }
  /// Waits until all work is done; throws its failure.
  void wait();

 private:
  /// Work of which one piece at most waits.
  struct Line {
    std::future<void> begun;  ///< when the last piece waits no more
    Background background;
    std::function<void()> next_turn();
  };

  Simulation& simulation_;
  const bool concurrent_;
  Snapshot worked_on_;          ///< its memory is used again and again
  Line with_copies_, without_;  ///< last: they use the others
};

}  // namespace pleiad::run
