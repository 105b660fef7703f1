/// What bodies with mass do to all others on a GPU, test particles among them: one-sided direct sums.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"
#include "cuda/steps/particle_steps.hpp"
#include "engine/device_kernels.hpp"
#include "engine/force_solver.hpp"

#include <pleiad/kernel/direct.hpp>
#include <pleiad/kernel/force_method.hpp>

#include <cstddef>
#include <span>

namespace pleiad {

/// The most bodies with mass whose pulls on particles are those of the kernel of fused steps, which has a
/// thread for each particle. Beyond it the sources are worth dividing among threads.
constexpr std::size_t most_massive_for_particle_steps = 2048;

/// In open space and for few bodies with mass by the pair loop of fused steps, so that those have the same
/// bits. Else by the kernel of a method, or another one where that needs the same bodies as targets and as
/// sources.
template <class P>
class ParticlePulls {
 public:
  explicit ParticlePulls(const ForceMethod& method)
      : kernel_(method.kernel->traits.separate_targets ? *method.kernel
                                                       : one_sided_with_potential(*method.kernel)),
        shape_(&kernel_ == method.kernel ? method.shape : LaunchShape{}) {}

  /// The sums of `massive`, the bodies with mass, for the targets of a problem; those of targets with mass
  /// may be left as they are.
  void evaluate(PairProblem<P> problem, std::span<const Mass<typename P::Position>> massive) const {
    if (!problem.potential && !problem.boundary.periodic &&
        massive.size() <= most_massive_for_particle_steps) {
      cuda::Buffer<std::byte> memory(massive.size() * cuda::Trail<P>::bytes, problem.stream);
      const cuda::Trail<P> trail{.memory = memory.data(), .massive = massive.size(), .evaluations = 1};
      cuda::keep_places<P>(massive, trail, 0, problem.stream);
      return cuda::particle_pulls<P>(problem.targets, problem.sums, trail, problem.softening,
                                     problem.heaviest, problem.stream);
    }
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
