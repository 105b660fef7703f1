/// The engine on a GPU: the state stays in its memory until it is requested. Steps consist of evaluations by
/// a rung of the catalogue or a tree and of updates, recorded once and replayed; or, for few bodies, by
/// kernels of fused steps. On several ranks each has an engine with a GPU, which has the positions of all
/// bodies and all else of its own; or, with a distributed tree, only of its own. Calls are collective.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/graph.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/overlap.hpp"
#include "cuda/device/peer.hpp"
#include "cuda/device/stream.hpp"
#include "engine/device_blocks.hpp"
#include "engine/device_particle_steps.hpp"
#include "engine/force_solver.hpp"
#include "engine/gpu_engine.hpp"
#include "engine/ranks_exchange.hpp"
#include "engine/repeats.hpp"

namespace pleiad {

/// P: the precision policy; its Position is the type of the state.
template <class P>
class DeviceEngine final : public GpuEngine<P> {
 public:
  using Real = typename P::Position;

  /// On the present GPU. `ranks`: whose bodies these are. ResourceError with both numbers when the device has
  /// too little memory.
  DeviceEngine(const Bodies& bodies, const Gravity& gravity, Choice choice, Precision precision,
               ranks::Communicator& ranks = ranks::self());
  /// The memory of terms and low parts is released in the stream, which goes before them.
  ~DeviceEngine() override { this->release_memory(); }

  /// Loads bodies; arrays for an equal number of bodies keep their memory.
  void load(const Bodies& bodies) override;
  std::optional<DeviceState> device_state() override;
  void state_changed() override;
  EngineDescription describe() const override;

 private:
  using typename SteppedEngine<P>::List;
  using typename GpuEngine<P>::Part;
  using GpuEngine<P>::gravity_, GpuEngine<P>::choice_, GpuEngine<P>::precision_, GpuEngine<P>::steps_,
      GpuEngine<P>::all_;

  std::size_t size() const override { return n_; }
  std::vector<Part> parts() override;
  const Mass<Real>* own_positions() override { return own().data(); }
  void evaluate_potentials() override;
  void settle() override { receive(); }
  bool copies_between() const override { return true; }
  void put(std::span<const Mass<Real>> positions, std::span<const Vec4<Real>> velocities) override;
  void make_solver(const ForceMethod& method) override;
  std::unique_ptr<Stepper> make_stepper(const Integrator& integrator) override;
  /// What is known of sets of bodies is of another state, or by another method.
  void forget_blocks();
  void forget_diagnostics() override;
  void forget_recordings() override { recordings_.clear(); }
  void apply(Update<Real> update);
  void carry_out(const List& list) override;
  void carry_out_again(const List& list) override;
  void evaluate_forces() override { evaluate(sums_, false); }
  void run_step_kernel(const StepProgram<Real>& program, std::uint64_t steps) override;
  bool carries_particles() const override;
  void carry_particles(const StepPlan& plan, const StepProgram<Real>& program, std::uint64_t steps) override;
  void started(std::uint64_t steps) override { backlog_.add(steps, stream_.get()); }
  void wait() override;
  void evaluate(cuda::Buffer<Vec4<Real>>& sums, bool potential);
  void make_room(std::size_t n);
  /// Finds the bodies with mass, and makes the solver for them, if it is another one or `anew`.
  void find_massive(std::span<const Mass<Real>> bodies, bool anew = false);
  /// Behind it, the GPU has the positions that other ranks have moved.
  void receive();
  std::span<Mass<Real>> own() { return x_.span().subspan(divided_ ? 0 : all_.first(), n_); }
  /// Number of bodies whose positions the GPU has.
  std::size_t held(std::size_t own) const { return divided_ ? own : all_.bodies(own); }

  int device_ = cuda::present_device();
  cuda::Stream stream_;
  std::unique_ptr<RanksExchange<Real>> exchange_;  ///< of several ranks
  std::size_t n_ = 0;
  bool divided_ = false;              ///< the tree, and with it the positions
  std::vector<std::size_t> massive_;  ///< their numbers, where test particles are apart; else empty
  bool apart_ = false;                ///< test particles have a solver of their own
  bool received_ = false;             ///< x_ has the present positions of other ranks
  cuda::Buffer<Mass<Real>> x_;        ///< of all ranks, unless divided; all else is of this one
  cuda::Buffer<Vec4<Real>> v_, sums_, potentials_;
  std::unique_ptr<ForceSolver<P>> solver_;
  std::unique_ptr<DeviceParticleSteps<P>> particle_steps_;  ///< made when they are first needed
  std::unique_ptr<DeviceBlocks<P>> blocks_;                 ///< of a stepper with block time steps
  bool diagnostics_expected_ = false;                       ///< after the last of the present block steps
  Repeats<List, cuda::Graph> recordings_;
  cuda::Backlog backlog_;
};

extern template class DeviceEngine<F32>;
extern template class DeviceEngine<F64>;
extern template class DeviceEngine<Mixed>;

}  // namespace pleiad
