/// The steps in which test particles are carried through many steps at once, past bodies with mass that have
/// made these steps before.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/step_list.hpp"

#include <pleiad/integrator.hpp>

#include <cstdint>
#include <vector>

namespace pleiad {

/// Test particles are carried through at most this many steps at once, so that the positions of the bodies
/// with mass at all evaluations take at most some megabytes.
constexpr std::uint64_t most_carried_steps = 64;

template <class T>
struct CarriedSteps {
  typename StepList<T>::List work;
  std::vector<double> times;  ///< of the evaluations
};

/// `steps` steps from step `first` of a plan on, with the operations of single steps in their order.
template <class T>
CarriedSteps<T> carried_steps(const StepPlan& plan, double G, bool forces_current, std::uint64_t first,
                              std::uint64_t steps) {
  CarriedSteps<T> carried;
  StepList<T> list;
  list.forces_current = forces_current;
  auto step = plan;
  double now = 0;
  const auto append = [&](const typename StepList<T>::List& some) {
    for (const auto& each : some) {
      if (each.evaluates) carried.times.push_back(now);
      else if (each.update.drifts) now = each.time;
      carried.work.push_back(each);
    }
  };
  for (auto k = first; k < first + steps; ++k) {
    now = step.time = plan.time_of(k);
    step.end = plan.time_of(k + 1);
    append(list.step(step, G));
  }
  append(list.rest());
  return carried;
}

}  // namespace pleiad
