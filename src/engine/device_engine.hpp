/// The engine on a GPU: the state stays there until someone looks; forces from the catalogue's rungs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/state.hpp"

#include <pleiad/choice.hpp>
#include <pleiad/engine.hpp>

namespace pleiad {

/// P: the precision policy; its Position is the type of the state.
template <class P>
class DeviceEngine final : public Engine {
 public:
  using Real = typename P::Position;
  static_assert(std::is_same_v<Real, typename P::Sum>, "kicks add sums to velocities without a conversion");

  DeviceEngine(const Bodies& bodies, const Gravity& gravity, Choice choice, Precision precision);

  void load(const Bodies& bodies) override;
  void advance(const StepPlan& plan, std::uint64_t steps) override;
  void copy_to_host(Bodies& bodies) override;
  void fields(Snapshot& snapshot) override;
  Energies energies() override;
  double suggest_dt(const Integrator& integrator, double eta) override;
  bool finite() override;
  void reverse_velocities() override;
  EngineDescription describe() const override;
  std::uint64_t evaluations() const override { return evaluations_; }

 private:
  void evaluate(const DirectKernel& kernel, const LaunchShape& shape, cuda::Buffer<Vec4<Real>>& sums,
                bool potential);
  void need_forces();
  void kick(Real h);
  void damp(Real factor);
  void drift(Real h);
  void apply_pending();
  void step(const StepPlan& plan);
  /// Sums with the potential, in a buffer of their own: looking must not change the run.
  cuda::Buffer<Vec4<Real>> potential_sums();

  Gravity gravity_;
  Choice choice_;
  Precision precision_;
  cuda::Stream stream_;
  std::size_t n_ = 0;
  cuda::Buffer<Mass<Real>> x_;
  cuda::Buffer<Vec4<Real>> v_, sums_;
  bool fresh_ = false;          ///< sums_ belong to x_
  cuda::Update<Real> pending_;  ///< waits for the drift that follows: one pass over memory for both
  std::uint64_t evaluations_ = 0;
};

extern template class DeviceEngine<F32>;
extern template class DeviceEngine<F64>;
extern template class DeviceEngine<Mixed>;

}  // namespace pleiad
