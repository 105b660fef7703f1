/// Steps of test particles on a GPU, many in a launch: the bodies with mass, which do not feel the particles,
/// make the steps first, by their own evaluations and updates, and leave a trail of their positions; then a
/// kernel carries each particle through the same steps. Meanwhile the bodies with mass make their next steps,
/// in a stream of their own and on a multiprocessor that the particles leave to them.
///
/// The operations and their order are those of single steps, so the bits are too.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/graph.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/overlap.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/field_tables.hpp"
#include "cuda/steps/particle_steps.hpp"
#include "engine/carried_steps.hpp"
#include "engine/force_solver.hpp"
#include "engine/repeats.hpp"

#include <pleiad/gravity.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/kernel/force_method.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
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
  };
  /// Told of steps that were queued; returns whether the sums belong to the positions then.
  using Started = std::function<bool(const StepProgram<Real>&, std::uint64_t steps)>;

  /// For bodies of which those with the numbers `massive` have mass, at most most_massive_for_particle_steps,
  /// in open space. `method`: by which these are evaluated.
  DeviceParticleSteps(const ForceMethod& method, std::span<const std::size_t> massive, const Gravity& gravity,
                      void* stream);
  /// Waits for the bodies with mass.
  ~DeviceParticleSteps();
  DeviceParticleSteps(const DeviceParticleSteps&) = delete;
  DeviceParticleSteps& operator=(const DeviceParticleSteps&) = delete;

  /// Queues steps of a plan whose factors are constant; `program` is that of its steps.
  void advance(const Arrays& all, bool forces_current, double heaviest, const StepPlan& plan,
               const StepProgram<Real>& program, std::uint64_t steps, const Started& started);
  std::size_t bytes() const;

 private:
  using List = typename StepList<Real>::List;

  /// Positions at each evaluation of some steps.
  struct Kept {
    cuda::Buffer<std::byte> memory;
    cuda::Trail<P> trail{};
    cuda::Mark written, read;
  };
  /// The same work with the same trail has the same recording.
  struct Work {
    List list;
    const Kept* kept = nullptr;
    bool operator==(const Work&) const = default;
  };

  void make_room(std::size_t evaluations);
  /// The bodies with mass make some steps.
  void move_massive(const CarriedSteps<Real>& steps, Kept& kept);
  void carry_out(const CarriedSteps<Real>& steps, const Kept& kept);
  /// The potentials of these evaluations for the particles' kernel.
  cuda::FieldOfSteps field_at(std::span<const double> times);

  Gravity gravity_;
  std::vector<Potential> potentials_;
  bool changing_ = false;  ///< some potentials depend on time
  void* stream_;
  double heaviest_ = 0;
  cuda::Stream of_massive_;  ///< in which they make their steps
  cuda::Mark begun_;
  std::unique_ptr<ForceSolver<P>> solver_;
  cuda::Buffer<std::size_t> massive_;  ///< their numbers
  cuda::Buffer<Mass<Real>> x_;         ///< of the bodies with mass, as are velocities and sums
  cuda::Buffer<Vec4<Real>> v_, sums_;
  std::array<Kept, 2> kept_;  ///< in turn: one is written while the other is read
  cuda::FieldTables tables_, tables_of_massive_;
  std::vector<potentials::Instant<double>> host_instants_;
  cuda::Buffer<potentials::Instant<double>> instants_;
  Repeats<Work, cuda::Graph> recordings_;
};

extern template class DeviceParticleSteps<F32>;
extern template class DeviceParticleSteps<F64>;
extern template class DeviceParticleSteps<Mixed>;

}  // namespace pleiad
