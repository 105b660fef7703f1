/// Steps as every kernel of fused steps makes them: kicks, damping and drifts of the numbers that a thread
/// keeps in registers, and sums that are computed only if a kick needs them.
///
/// The operations and their roundings are those of update.hpp, one after another, so the result is that of
/// single steps and of steps made of separate launches, bit for bit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/ptx.hpp"
#include "cuda/direct/rung.hpp"

#include <pleiad/kernel/steps.hpp>

#include <cmath>

namespace pleiad::cuda {

/// A StepProblem as its kernel gets it.
template <class P>
struct Task {
  using Real = typename P::Position;
  Mass<Real>* bodies = nullptr;
  Vec4<Real>* velocities = nullptr;
  Vec4<typename P::Sum>* sums = nullptr;
  unsigned n = 0;
  bool forces_current = false;
  typename P::Math least_eps2 = 0;  ///< with which coincident bodies pull with zero, without a test
  typename P::Math eps2 = 0;        ///< at least that
  std::uint64_t steps = 0;
  unsigned stages = 0;
  Real kick[StepProgram<Real>::most_stages]{}, drift[StepProgram<Real>::most_stages]{};
  Real damping = 1;
};

/// UsageError unless a kernel of open space for `most` bodies can take the problem.
template <class P>
Task<P> task_of(const StepProblem<P>& p, std::size_t most, std::string_view name) {
  need(!p.boundary.periodic, name, "it knows open space only; make steps of forces and updates instead");
  need(p.bodies.size() <= most, name,
       std::to_string(p.bodies.size()) + " bodies; it takes at most " + std::to_string(most));
  using M = typename P::Math;
  const M least = floor_eps2_for<M>(p.heaviest);
  Task<P> t{.bodies = p.bodies.data(),
            .velocities = p.velocities.data(),
            .sums = p.sums.data(),
            .n = static_cast<unsigned>(p.bodies.size()),
            .forces_current = p.forces_current,
            .least_eps2 = least,
            .eps2 = std::max(M(p.softening.eps * p.softening.eps), least),
            .steps = p.steps,
            .stages = static_cast<unsigned>(p.program.stages),
            .damping = p.program.damping};
  std::copy(p.program.kick.begin(), p.program.kick.end(), t.kick);
  std::copy(p.program.drift.begin(), p.program.drift.end(), t.drift);
  return t;
}
template <class P>
bool nothing_to_do(const StepProblem<P>& p) {
  return p.bodies.empty() || (p.steps == 0 && p.forces_current);
}

/// One of a body's four numbers: a component, or the mass, whose velocity and sum are 0, so that it needs no
/// treatment of its own.
template <class P>
struct Own {
  typename P::Position x{}, v{};
  typename P::Sum sum{};
};

template <class P>
__device__ Own<P> own_of(const Task<P>& t, std::size_t body, unsigned component) {
  const std::size_t at = 4 * body + component;
  Own<P> own{reinterpret_cast<const typename P::Position*>(t.bodies)[at]};
  if (component < 3) {
    own.v = reinterpret_cast<const typename P::Position*>(t.velocities)[at];
    if (t.forces_current) own.sum = reinterpret_cast<const typename P::Sum*>(t.sums)[at];
  }
  return own;
}
template <class P>
__device__ void give_back(const Task<P>& t, std::size_t body, unsigned component, const Own<P>& own) {
  const std::size_t at = 4 * body + component;
  reinterpret_cast<typename P::Position*>(t.bodies)[at] = own.x;
  reinterpret_cast<typename P::Position*>(t.velocities)[at] = own.v;
  reinterpret_cast<typename P::Sum*>(t.sums)[at] = own.sum;
}

/// Makes the task's steps of this thread's numbers: `each(change)` applies `change` to every one of them, and
/// `evaluate()` sets their sums; all threads call it at the same places.
template <class P, class Each, class Evaluate>
__device__ void make_steps(const Task<P>& t, Each each, Evaluate evaluate) {
  using std::fma;
  // Without steps one stage that only evaluates: there is one place that does, and its code is long.
  const bool only_sums = t.steps == 0;
  const unsigned stages = only_sums ? 1 : t.stages;
  auto damping = t.damping;
  here_and_now(damping);
  bool forces_current = t.forces_current;
  auto kick = t.kick[0], drift = t.drift[0];
  for (std::uint64_t left = only_sums ? 1 : t.steps; left > 0; --left)
    for (unsigned s = 0; s < stages; ++s) {
      // Requested before the sums are computed, so that no thread waits for them afterwards.
      const unsigned next = s + 1 < stages ? s + 1 : 0;
      auto next_kick = t.kick[next], next_drift = t.drift[next];
      here_and_now(next_kick), here_and_now(next_drift);
      if ((kick != 0 || only_sums) && !forces_current) {
        evaluate();
        forces_current = true;
      }
      if (only_sums) return;
      if (kick != 0) each([&](Own<P>& o) { o.v = fma(kick, o.sum, o.v); });
      if (damping != 1) each([&](Own<P>& o) { o.v *= damping; });
      if (drift != 0) {
        each([&](Own<P>& o) { o.x = fma(drift, o.v, o.x); });
        forces_current = false;
      }
      kick = next_kick, drift = next_drift;
    }
}
/// Steps of the first `count` of `own`. in_registers: whether they are kept there.
template <bool in_registers, class P, int B, class Evaluate>
__device__ void make_steps(const Task<P>& t, Own<P> (&own)[B], unsigned count, Evaluate evaluate) {
  make_steps(
      t,
      [&](auto change) {
#pragma unroll(in_registers ? B : 1)
        for (unsigned b = 0; b < B; ++b)
          if (b < count) change(own[b]);
      },
      evaluate);
}

}  // namespace pleiad::cuda
