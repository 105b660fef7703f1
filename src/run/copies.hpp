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
  /// `concurrent`: else each piece of work is done in the call that starts it, by the thread that makes the
  /// steps, and what it throws is thrown there: messages between ranks come from that thread alone.
  explicit Copies(Simulation& simulation, bool concurrent = true)
      : simulation_(simulation), concurrent_(concurrent) {}

  /// Calls `work` with the state of now, after what was started so before, in a thread of its own. Waits only
  /// while an earlier copy still waits. Rethrows what failed before; then `work` is never called.
  void start(bool fields, std::function<void(Snapshot&)> work);
  /// The same of work that has what it needs, in another thread: neither waits for the other.
  void start(std::function<void()> work);
  bool concurrent() const { return concurrent_; }
  /// Until all work is done; throws what failed.
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
