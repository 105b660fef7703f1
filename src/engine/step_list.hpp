/// Steps as a list of operations of an engine: evaluations of the forces and updates of the bodies. Kicks
/// wait for the drift that follows, also across the end of a step, so that one pass over memory serves all;
/// each is rounded by itself, so the result does not change, bit for bit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/update.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/kernel/steps.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace pleiad {

/// One thing to do: an evaluation, or else an update.
template <class T>
struct StepWork {
  bool evaluates = false;
  Update<T> update{};
  bool operator==(const StepWork&) const = default;
};

template <class T>
class StepList {
 public:
  using List = std::vector<StepWork<T>>;

  /// The operations of a step after all earlier ones; some kicks may wait. A step that follows an equal one
  /// has equal operations.
  List step(const StepPlan& plan, double G) {
    list_.clear();
    const auto& [kicks, drifts] = plan.integrator->splitting;
    for (std::size_t s = 0; s < kicks.size(); ++s) {
      if (kicks[s] != 0) kick(T(kicks[s] * G * plan.dt));
      if (plan.damping != 1) damp(T(plan.damping));
      if (s < drifts.size()) drift(T(drifts[s] * plan.dt));
    }
    return std::exchange(list_, {});
  }
  /// Applies the updates that still wait.
  List rest() {
    list_.clear();
    apply();
    return std::exchange(list_, {});
  }
  /// Whether the sums belong to the positions, once all lists have been done.
  bool forces_current = false;

 private:
  void kick(T h) {
    if (!forces_current) list_.push_back({.evaluates = true});
    forces_current = true;
    if (waiting_.kicks == 2 || waiting_.damps) apply();
    waiting_.kick[waiting_.kicks++] = h;
  }
  void damp(T factor) {
    if (waiting_.damps) apply();
    waiting_.damps = true;
    waiting_.damping = factor;
  }
  void drift(T h) {
    waiting_.drifts = true;
    waiting_.drift = h;
    apply();
    forces_current = false;
  }
  void apply() {
    if (!(waiting_ == Update<T>{})) list_.push_back({.update = waiting_});
    waiting_ = {};
  }

  List list_;
  Update<T> waiting_;
};

/// The plan for a kernel of fused steps, in the same numbers; empty when it has more stages than fit.
template <class T>
std::optional<StepProgram<T>> program_of(const StepPlan& plan, double G) {
  const auto& [kicks, drifts] = plan.integrator->splitting;
  StepProgram<T> program{.stages = std::max(kicks.size(), drifts.size()), .damping = T(plan.damping)};
  if (program.stages > StepProgram<T>::most_stages) return std::nullopt;
  for (std::size_t s = 0; s < kicks.size(); ++s) program.kick[s] = T(kicks[s] * G * plan.dt);
  for (std::size_t s = 0; s < drifts.size(); ++s) program.drift[s] = T(drifts[s] * plan.dt);
  return program;
}

/// Number of evaluations of a step of the program; sets `forces_current` to its value after the step.
template <class T>
std::uint64_t evaluations_of_step(const StepProgram<T>& program, bool& forces_current) {
  std::uint64_t count = 0;
  for (std::size_t s = 0; s < program.stages; ++s) {
    if (program.kick[s] != 0) count += !forces_current, forces_current = true;
    if (program.drift[s] != 0) forces_current = false;
  }
  return count;
}

}  // namespace pleiad
