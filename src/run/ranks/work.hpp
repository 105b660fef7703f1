/// Messages between the ranks of a run, and the balance of their work in its steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace pleiad::run {

struct RanksWork {
  std::size_t ranks = 0;
  std::uint64_t bytes = 0, messages = 0;  ///< sent by all ranks in the whole run
  double longest_in_messages = 0;  ///< part of the run that the rank that waited longest was in messages
  double steps_in_messages = 0;    ///< part of the time of the steps in messages, mean over the ranks
  double imbalance = 1;            ///< time of the steps outside messages: largest over mean
};

/// Measures one rank's steps.
class StepWork {
 public:
  explicit StepWork(ranks::Communicator& comm) : comm_(comm) {}
  void begin() { before_ = comm_.traffic().seconds; }
  /// Adds `took` seconds of steps since `begin`.
  void end(double took) {
    mine_.steps += took;
    mine_.steps_in_messages += comm_.traffic().seconds - before_;
  }
  /// Collective: of all ranks, in a run that took `elapsed` seconds so far.
  RanksWork of_all(double elapsed) const;

 private:
  struct Mine {
    ranks::Traffic traffic{};
    double steps = 0, steps_in_messages = 0;
  };
  ranks::Communicator& comm_;
  Mine mine_;
  double before_ = 0;
};

/// Returns the work of the ranks in one sentence.
std::string work_note(const RanksWork& work);

}  // namespace pleiad::run
