/// Common parts of the kernels for many systems: the problem as a task, and each system's softening.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/steps/program.hpp"

#include <pleiad/kernel/ensemble_steps.hpp>

#include <limits>

namespace pleiad::cuda {

template <class P>
struct Systems {
  unsigned count = 0;
  const double* eps = nullptr;  ///< null: the task's for all

  __device__ typename P::Math eps2(const Task<P>& t, unsigned system) const {
    using M = typename P::Math;
    if (eps == nullptr) return t.eps2;
    const M own = M(eps[system] * eps[system]);
    return own > t.least_eps2 ? own : t.least_eps2;
  }
};

/// The task of one system, n its bodies. UsageError unless a kernel of open space for `most` bodies each can
/// take the problem.
template <class P>
Task<P> task_of(const EnsembleProblem<P>& p, std::size_t most, std::string_view name) {
  const std::size_t all = p.systems * p.n;
  need(p.systems <= std::numeric_limits<int>::max(), name,
       std::to_string(p.systems) + " systems; it takes at most 2^31 - 1");
  need(p.bodies.size() == all && p.velocities.size() == all && p.sums.size() == all, name,
       "bodies, velocities and sums must be systems times n = " + std::to_string(all));
  need(p.eps.empty() || p.eps.size() == p.systems, name,
       std::to_string(p.eps.size()) + " softening lengths for " + std::to_string(p.systems) + " systems");
  StepProblem<P> one{.bodies = p.bodies.first(p.systems == 0 ? 0 : p.n),
                     .velocities = p.velocities,
                     .sums = p.sums,
                     .forces_current = p.forces_current,
                     .softening = p.softening,
                     .heaviest = p.heaviest,
                     .boundary = p.boundary,
                     .program = p.program,
                     .steps = p.steps};
  return task_of(one, most, name);
}
template <class P>
bool nothing_to_do(const EnsembleProblem<P>& p) {
  return p.bodies.empty() || (p.steps == 0 && p.forces_current);
}
template <class P>
Systems<P> systems_of(const EnsembleProblem<P>& p) {
  return {static_cast<unsigned>(p.systems), p.eps.empty() ? nullptr : p.eps.data()};
}

}  // namespace pleiad::cuda
