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
  double time = 0;  ///< of the positions after an update that drifts
  /// Equal work may be recorded and replayed at another time.
  bool operator==(const StepWork& o) const { return evaluates == o.evaluates && update == o.update; }
};

/// Calls kick(h), end_kick() and drift(h, time) for the stages of the first step of a plan: h includes the
/// factors of the plan and, for a kick, G; `time` is that of the positions after the drift, after the last
/// one exactly that of the next step. Zero coefficients are passed on as 0. Kicks, like drifts, follow each
/// other in time without a gap.
template <class Kick, class EndKick, class Drift>
void for_stages(const StepPlan& plan, double G, const Kick& kick, const EndKick& end_kick,
                const Drift& drift) {
  const auto& [kicks, drifts] = plan.integrator->splitting;
  double kicked = plan.time, drifted = plan.time;
  std::size_t last = drifts.size();
  while (last > 0 && drifts[last - 1] == 0) --last;
  for (std::size_t s = 0; s < std::max(kicks.size(), drifts.size()); ++s) {
    if (s < kicks.size()) {
      const double from = std::exchange(kicked, kicked + kicks[s] * plan.dt);
      kick(kicks[s] * G * plan.dt * plan.factors->kick(from, kicked));
      end_kick();
    }
    if (s < drifts.size()) {
      const double time = drifts[s] * plan.dt, from = std::exchange(drifted, drifted + time);
      drift(time * plan.factors->drift(from, drifted), s + 1 == last ? plan.time_of(1) : drifted);
    }
  }
}

template <class T>
class StepList {
 public:
  using List = std::vector<StepWork<T>>;

  /// The operations of a step after all earlier ones; some kicks may wait. A step that follows an equal one
  /// has equal operations.
  List step(const StepPlan& plan, double G) {
    list_.clear();
    for_stages(
        plan, G,
        [&](double h) {
          if (h != 0) kick(T(h));
        },
        [&] {
          if (plan.damping != 1) damp(T(plan.damping));
        },
        [&](double h, double time) { drift(T(h), time); });
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
  void drift(T h, double time) {
    waiting_.drifts = true;
    waiting_.drift = h;
    apply(time);
    forces_current = false;
  }
  void apply(double time = 0) {
    if (!(waiting_ == Update<T>{})) list_.push_back({.update = waiting_, .time = time});
    waiting_ = {};
  }

  List list_;
  Update<T> waiting_;
};

/// The plan for a kernel of fused steps, in the same numbers. Empty if it has more stages than fit, or if its
/// steps have different factors.
template <class T>
std::optional<StepProgram<T>> program_of(const StepPlan& plan, double G) {
  const auto& [kicks, drifts] = plan.integrator->splitting;
  StepProgram<T> program{.stages = std::max(kicks.size(), drifts.size()), .damping = T(plan.damping)};
  if (program.stages > StepProgram<T>::most_stages || !plan.factors->constant()) return std::nullopt;
  std::size_t k = 0, d = 0;
  for_stages(
      plan, G, [&](double h) { program.kick[k++] = T(h); }, [] {},
      [&](double h, double) { program.drift[d++] = T(h); });
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
