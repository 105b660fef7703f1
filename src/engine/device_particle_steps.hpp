/// Steps of test particles on a GPU, many in a launch: the bodies with mass, which do not feel the particles,
/// make the steps first, by their own evaluations and updates, and leave a trail of their positions; then a
/// kernel carries each particle through the same steps.
///
/// The operations and their order are those of single steps, so the bits are too.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/graph.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/field_tables.hpp"
#include "cuda/steps/particle_steps.hpp"
#include "engine/carried_steps.hpp"
#include "engine/force_solver.hpp"
#include "engine/repeats.hpp"

#include <pleiad/gravity.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/kernel/force_method.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace pleiad {

/// P: the precision policy; its Position is the type of the state.
template <class P>
class DeviceParticleSteps {
 public:
  using Real = typename P::Position;
  /// All bodies, in the memory of the GPU.
  struct Arrays {
    std::span<Mass<Real>> bodies;
    std::span<Vec4<Real>> velocities, sums;
    bool forces_current = false;
  };

  /// For bodies of which those with the numbers `massive` have mass, at most most_massive_for_particle_steps,
  /// in open space. `method`: by which these are evaluated.
  DeviceParticleSteps(const ForceMethod& method, std::span<const std::size_t> massive, const Gravity& gravity,
                      void* stream);

  /// Queues `steps` steps from step `first` of a plan on, whose factors are constant; `program` is that of
  /// its steps.
  void advance(const Arrays& all, double heaviest, const StepPlan& plan, const StepProgram<Real>& program,
               std::uint64_t first, std::uint64_t steps);
  std::size_t bytes() const;

 private:
  using List = typename StepList<Real>::List;

  void make_room(std::size_t evaluations);
  /// The bodies with mass carry out a list with evaluations at these times.
  void carry_out(const List& list, std::span<const double> times);
  /// The potentials of these evaluations for the particles' kernel.
  cuda::FieldOfSteps field_at(std::span<const double> times);

  Gravity gravity_;
  std::vector<Potential> potentials_;
  bool changing_ = false;  ///< some potentials depend on time
  void* stream_;
  double heaviest_ = 0;
  std::unique_ptr<ForceSolver<P>> solver_;
  cuda::Buffer<std::size_t> massive_;  ///< their numbers
  cuda::Buffer<Mass<Real>> x_;         ///< of the bodies with mass, as are velocities and sums
  cuda::Buffer<Vec4<Real>> v_, sums_;
  cuda::Buffer<std::byte> memory_;
  cuda::Trail<P> trail_;
  cuda::FieldTables tables_;
  std::vector<potentials::Instant<double>> host_instants_;
  cuda::Buffer<potentials::Instant<double>> instants_;
  Repeats<List, cuda::Graph> recordings_;
};

extern template class DeviceParticleSteps<F32>;
extern template class DeviceParticleSteps<F64>;
extern template class DeviceParticleSteps<Mixed>;

}  // namespace pleiad
