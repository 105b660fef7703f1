/// The engine on a GPU: the state stays there until it is asked for. Steps are made of evaluations by a rung
/// of the catalogue and of updates, recorded once and replayed; or, for few bodies, by kernels of fused
/// steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/graph.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/overlap.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/splat.hpp"
#include "cuda/state.hpp"
#include "cuda/tree/forces.hpp"
#include "engine/device_copy.hpp"
#include "engine/repeats.hpp"
#include "engine/stepped_engine.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/kernel/choice.hpp>

namespace pleiad {

/// Bytes on the device for n bodies: the state, what an evaluation takes, and copies on their way to the
/// host. ResourceError on overflow. With a tree, whose room only the evaluation knows, at its least. On each
/// of several GPUs: all of it, but of a state with a tree what the GPU owns.
std::size_t device_engine_bytes(std::size_t n, Precision precision, bool tree = false, std::size_t gpus = 1);

/// P: the precision policy; its Position is the type of the state.
template <class P>
class DeviceEngine final : public SteppedEngine<P> {
 public:
  using Real = typename P::Position;

  /// ResourceError with both numbers when the device has too little memory.
  DeviceEngine(const Bodies& bodies, const Gravity& gravity, Choice choice, Precision precision);

  void load(const Bodies& bodies) override;
  void copy_to_host(Bodies& bodies) override;
  void fields(Snapshot& snapshot) override;
  Totals totals() override;
  Radii radii() override;
  SampledAccelerations sampled_accelerations(std::span<const std::size_t> chosen) override;
  std::function<void(Snapshot&)> begin_copy(bool fields) override;
  double suggest_dt(const Integrator& integrator, double eta) override;
  bool finite() override;
  std::function<splat::Layers()> begin_layers(const splat::Request& request) override;
  void reverse_velocities() override;
  EngineDescription describe() const override;
  void retune(const ForceMethod& method) override;

 private:
  using typename SteppedEngine<P>::List;
  using SteppedEngine<P>::gravity_, SteppedEngine<P>::choice_, SteppedEngine<P>::precision_,
      SteppedEngine<P>::steps_, SteppedEngine<P>::evaluations_;

  void forget_diagnostics() override;
  void carry_out(const List& list) override;
  void carry_out_again(const List& list) override;
  void evaluate_forces() override;
  void run_step_kernel(const StepProgram<Real>& program, std::uint64_t steps) override;
  void started(std::uint64_t steps) override { backlog_.add(steps, stream_.get()); }
  void wait() override { cuda::wait(stream_.get()); }
  void evaluate(const DirectKernel& kernel, const LaunchShape& shape, cuda::Buffer<Vec4<Real>>& sums,
                bool potential);
  /// Sums with the potential, in a buffer of their own: diagnostics must not change the run. Kept until the
  /// bodies move.
  const cuda::Buffer<Vec4<Real>>& potential_sums();

  cuda::Stream stream_;
  std::size_t n_ = 0;
  cuda::Buffer<Mass<Real>> x_;
  cuda::Buffer<Vec4<Real>> v_, sums_, diagnostic_sums_;
  bool diagnostic_sums_current_ = false;            ///< diagnostic_sums_ are those of the bodies now
  std::unique_ptr<cuda::tree::Forces<Real>> tree_;  ///< null: choice_.method.kernel makes the forces
  Repeats<List, cuda::Graph> recordings_;
  cuda::Backlog backlog_;
  std::shared_ptr<DeviceCopy<Real>> copy_;
  std::shared_ptr<cuda::LayerStaging> staging_;
};

extern template class DeviceEngine<F32>;
extern template class DeviceEngine<F64>;
extern template class DeviceEngine<Mixed>;

}  // namespace pleiad
