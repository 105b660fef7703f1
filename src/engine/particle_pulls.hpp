/// What bodies with mass do to all others on a GPU, test particles among them: one-sided direct sums.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/device_kernels.hpp"
#include "engine/force_solver.hpp"

#include <pleiad/kernel/direct.hpp>
#include <pleiad/kernel/force_method.hpp>

#include <span>

namespace pleiad {

/// By the kernel of a method, or another one where that needs the same bodies as targets and as sources.
template <class P>
class ParticlePulls {
 public:
  explicit ParticlePulls(const ForceMethod& method)
      : kernel_(method.kernel->traits.separate_targets ? *method.kernel
                                                       : one_sided_with_potential(*method.kernel)),
        shape_(&kernel_ == method.kernel ? method.shape : LaunchShape{}) {}

  /// The sums of `massive`, the bodies with mass, for the targets of a problem.
  void evaluate(PairProblem<P> problem, std::span<const Mass<typename P::Position>> massive) const {
    problem.sources = massive, problem.self = problem.none;
    const auto& potentials = one_sided_with_potential(kernel_);
    DirectSums<P>(kernel_, shape_, potentials, &potentials == &kernel_ ? shape_ : LaunchShape{})
        .evaluate(problem);
  }

 private:
  const DirectKernel& kernel_;
  LaunchShape shape_;
};

}  // namespace pleiad
