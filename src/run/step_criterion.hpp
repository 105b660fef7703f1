/// What the acceleration criterion asks for in a run in comoving coordinates that makes equal steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/checkpoint.hpp>
#include <pleiad/simulation.hpp>

#include <cmath>
#include <string>

namespace pleiad::run {

class StepCriterion {
 public:
  /// Compares the step with the criterion's, at a row of the table. Only of equal steps with a softening.
  void look(Simulation& simulation);
  /// The largest number of the criterion's steps that a step has been so far, and ln a there; 0: not looked.
  double most() const { return most_; }
  double time() const { return time_; }
  /// One sentence, where a step has been longer than the criterion's; else "".
  std::string text(double dt) const;
  void save(Checkpoint& checkpoint) const;
  void restore(const Checkpoint& checkpoint);

 private:
  double most_ = 0, time_ = 0;
};

}  // namespace pleiad::run
