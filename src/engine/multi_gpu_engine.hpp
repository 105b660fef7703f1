/// The engine on several GPUs of one host: all hold all positions, each owns a range of bodies.
///
/// A step on each GPU: the pulls on its own bodies, their kicks and drifts, and their new positions to all
/// others. Kernels with separate targets sum all sources for the GPU's own targets. Symmetric kernels sum a
/// part of the pairs of blocks into integers for all bodies, and give each GPU those of its own bodies, which
/// it totals. With a tree each GPU finds the pulls of a part of its leaves and gives them to the GPUs that
/// own the bodies. Either way no bit depends on how many there are: they are those of DeviceEngine.
///
/// Positions are kept twice, in turn: while some GPU still reads those of this step, the next ones can be
/// written. The host queues and never waits within a batch of steps (cuda/multi_gpu/devices.hpp); a step that
/// comes again is recorded and replayed. Kernels of fused steps (cuda/multi_gpu/steps.hpp) do all of
/// this among themselves.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"
#include "cuda/device/overlap.hpp"
#include "cuda/multi_gpu/devices.hpp"
#include "cuda/multi_gpu/exchange.hpp"
#include "cuda/multi_gpu/recording.hpp"
#include "cuda/multi_gpu/steps.hpp"
#include "engine/gpu_engine.hpp"
#include "engine/multi_gpu_solver.hpp"
#include "engine/repeats.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace pleiad {

/// P: the precision policy; its Position is the type of the state.
template <class P>
class MultiGpuEngine final : public GpuEngine<P> {
 public:
  using Real = typename P::Position;

  /// Makes an engine on GPUs 0 to choice.gpus - 1. Without `exchange`: direct if a test proves that the GPUs
  /// access each other's memory, else through the host. ResourceError if there are fewer GPUs, if they are of
  /// different kinds, which round differently, or if the requested exchange, or the one that choice.steps
  /// needs, is impossible; UsageError when a kernel or tree cannot be divided.
  MultiGpuEngine(const Bodies& bodies, const Gravity& gravity, Choice choice, Precision precision,
                 std::optional<cuda::Exchange> exchange = {});
  ~MultiGpuEngine() override {
    this->release_memory();  // their memory belongs to streams of devices_
    devices_.abandon();
  }

  void load(const Bodies& bodies) override;
  void set_user_force(UserForce force, double time) override {
    Engine::set_user_force(std::move(force), time);
  }
  EngineDescription describe() const override;
  cuda::Exchange exchange() const { return exchange_; }

 private:
  /// The memory of one GPU.
  struct Share {
    std::size_t first = 0, count = 0;                      ///< its own bodies
    std::array<cuda::Reachable<Mass<Real>>, 2> positions;  ///< of all bodies
    cuda::Buffer<Vec4<Real>> velocities;                   ///< of its own
    cuda::Reachable<Vec4<Real>> sums;                      ///< of its own; those of a tree come from all
    /// sums with potentials, between steps, once they were requested
    cuda::Reachable<Vec4<Real>> potentials;
  };

  using typename SteppedEngine<P>::List;
  using typename GpuEngine<P>::Part;
  using GpuEngine<P>::gravity_, GpuEngine<P>::choice_, GpuEngine<P>::precision_, GpuEngine<P>::steps_;
  /// Locations of the positions between two lists.
  struct State {
    int now = 0;                ///< index of the present positions
    bool on_their_way = false;  ///< sent, and not waited for yet
    /// State after the work of the list.
    State after(const List& list) const;
    bool operator==(const State&) const = default;
  };
  /// A list and the state at its beginning: together they determine the queued work.
  struct Work {
    List list;
    State before;
    bool operator==(const Work&) const = default;
  };

  Share& share(int device) { return shares_[static_cast<std::size_t>(device)]; }
  cuda::Reachable<Mass<Real>>& present(Share& s) { return s.positions[static_cast<std::size_t>(state_.now)]; }
  void need_room(const Bodies& bodies) const;
  /// Whether test particles have sums of their own: fused steps and trees are of all bodies.
  bool particles_apart(const ForceMethod& method) const {
    return massive_.size() < n_ && !method.tree && !this->fuses();
  }
  void make_share(int device);
  void make_fused_steps();
  std::vector<cuda::OwnBodies<P>> owned();
  std::size_t size() const override { return n_; }
  std::vector<Part> parts() override;
  void each_part(const std::function<void(const Part&)>& work) override {
    const auto all = parts();
    devices_.each([&](int d) { work(all[static_cast<std::size_t>(d)]); });
  }
  const Mass<Real>* own_positions() override { return present(share(0)).data(); }
  void evaluate_potentials() override;
  void settle() override;
  bool copies_between() const override { return exchange_ != cuda::Exchange::host; }
  void put(std::span<const Mass<Real>> positions, std::span<const Vec4<Real>> velocities) override;
  void make_solver(const ForceMethod& method) override;
  void forget_recordings() override { recordings_.clear(); }
  /// Carries out a list, which may change the state of the exchange.
  void carry_out(const List& list) override;
  void carry_out_again(const List& list) override;
  void evaluate_forces() override { evaluate(&Share::sums, false); }
  void run_step_kernel(const StepProgram<Real>& program, std::uint64_t steps) override;
  void started(std::uint64_t steps) override;
  void wait() override { devices_.wait(); }
  /// Evaluates the forces into these sums of each GPU.
  void evaluate(cuda::Reachable<Vec4<Real>> Share::*sums, bool potential);
  /// Behind it, each GPU has the positions that the others have sent.
  void receive();
  void update(const Update<Real>& asked);
  /// Sends positions that the update has not sent itself.
  void send(int device, int next);

  cuda::Exchange exchange_ = cuda::Exchange::direct;
  std::string why_not_direct_;
  cuda::Devices devices_;
  std::size_t n_ = 0;
  std::vector<std::size_t> massive_;  ///< the numbers of the bodies with mass
  std::vector<Share> shares_;
  std::array<cuda::Pinned<Mass<Real>>, 2> positions_of_host_;
  std::unique_ptr<MultiGpuSolver<P>> solver_;
  State state_;
  Repeats<Work, cuda::Recording> recordings_;
  std::unique_ptr<cuda::MultiGpuSteps<P>> fused_;  ///< of choice_.method.steps
  std::optional<cuda::Backlog> backlog_;           ///< of GPU 0, with which the others keep step
};

extern template class MultiGpuEngine<F32>;
extern template class MultiGpuEngine<F64>;
extern template class MultiGpuEngine<Mixed>;

}  // namespace pleiad
