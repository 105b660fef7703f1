/// The bodies that pull all others as a problem of their own: their sums are those that they have without the
/// others, bit for bit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/threads.hpp"
#include "engine/force_solver.hpp"
#include "engine/test_particles.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace pleiad {

/// Sums of the bodies of `all` ranks; both references outlive the object.
template <class P>
class MassiveSums {
 public:
  using T = typename P::Position;
  using Sum = Vec4<typename P::Sum>;

  MassiveSums(const ForceMethod& method, const Gravity& gravity, const ranks::Collective& all,
              const TestParticles& particles)
      : all_(all), particles_(particles) {
    if (particles.massive() > 0) solver_ = make_host_solver<P>(method, gravity, particles.among_massive());
  }

  /// These bodies of all ranks at the targets of a problem, until the next call. Collective.
  std::span<const Mass<T>> find(const PairProblem<P>& p) {
    massive_ = particles_.of_massive([&](std::size_t i) { return p.targets[i]; });
    return massive_;
  }
  /// Writes their sums, of the bodies found last. Collective.
  void evaluate(const PairProblem<P>& p) {
    if (!solver_) return;
    const auto share = particles_.share<Mass<T>>(massive_);
    sums_.resize(share.size());
    auto problem = p;
    problem.targets = problem.sources = share;
    problem.sums = sums_;
    solver_->evaluate(problem);
    const auto all = ranks::all_gather<Sum>(all_.comm(), std::span<const Sum>(sums_)).data;
    const auto here = particles_.here();
    for_each_index(here.size(), [&](std::size_t k) { p.sums[here[k]] = all[particles_.before() + k]; });
  }
  std::size_t bytes() const {
    return massive_.capacity() * sizeof(Mass<T>) + sums_.capacity() * sizeof(Sum) +
           (solver_ ? solver_->bytes() : 0);
  }

 private:
  const ranks::Collective& all_;
  const TestParticles& particles_;
  std::unique_ptr<ForceSolver<P>> solver_;
  std::vector<Mass<T>> massive_;
  std::vector<Sum> sums_;
};

}  // namespace pleiad
