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
#include "cuda/direct/symmetric_parts.hpp"
#include "cuda/multi_gpu/devices.hpp"
#include "cuda/multi_gpu/exchange.hpp"
#include "cuda/multi_gpu/partial_sums.hpp"
#include "cuda/multi_gpu/recording.hpp"
#include "cuda/multi_gpu/steps.hpp"
#include "cuda/multi_gpu/trees.hpp"
#include "cuda/splat.hpp"
#include "cuda/state.hpp"
#include "engine/device_copy.hpp"
#include "engine/repeats.hpp"
#include "engine/stepped_engine.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/kernel/choice.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace pleiad {

/// P: the precision policy; its Position is the type of the state.
template <class P>
class MultiGpuEngine final : public SteppedEngine<P> {
 public:
  using Real = typename P::Position;

  /// On GPUs 0 to choice.gpus - 1. Without `exchange`: direct where it is proved that the GPUs reach each
  /// other's memory, else through the host. ResourceError when there are not so many GPUs, when they are of
  /// different kinds, which round differently, or when the exchange that is asked for, or that choice.steps
  /// need, cannot be; UsageError when a kernel or tree cannot be divided, and for velocity increments, which
  /// change bits.
  MultiGpuEngine(const Bodies& bodies, const Gravity& gravity, Choice choice, Precision precision,
                 std::optional<cuda::Exchange> exchange = {});
  ~MultiGpuEngine() override { devices_.abandon(); }

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
  cuda::Exchange exchange() const { return exchange_; }

 private:
  /// Of one GPU.
  struct Share {
    std::size_t first = 0, count = 0;                      ///< its own bodies
    std::array<cuda::Reachable<Mass<Real>>, 2> positions;  ///< of all bodies
    cuda::Buffer<Vec4<Real>> velocities;                   ///< of its own
    cuda::Reachable<Vec4<Real>> sums;                      ///< of its own; those of a tree come from all
    cuda::Reachable<Vec4<Real>> diagnostic_sums;           ///< the same, between steps
    cuda::Reachable<std::byte> partial_sums;               ///< of all bodies, for symmetric sums
    cuda::Reachable<std::byte> boxes;                      ///< of its own, from the others
    cuda::Pinned<std::byte> partial_sums_on_host;
    std::optional<cuda::Framed<P>> framed;
  };

  using typename SteppedEngine<P>::List;
  using SteppedEngine<P>::gravity_, SteppedEngine<P>::choice_, SteppedEngine<P>::precision_,
      SteppedEngine<P>::steps_, SteppedEngine<P>::evaluations_;
  /// Where positions are, between two pieces of work.
  struct State {
    int now = 0;                ///< which of the positions are the present ones
    bool on_their_way = false;  ///< sent, and not waited for yet
    /// Where the work of the list leaves them.
    State after(const List& list) const;
    bool operator==(const State&) const = default;
  };
  /// A list and the state that it begins with: what decides what is queued.
  struct Work {
    List list;
    State before;
    bool operator==(const Work&) const = default;
  };

  Share& share(int device) { return shares_[static_cast<std::size_t>(device)]; }
  cuda::Reachable<Mass<Real>>& present(Share& s) { return s.positions[static_cast<std::size_t>(state_.now)]; }
  PairProblem<P> problem(int device, std::span<Vec4<Real>> sums, bool potential);
  void need_room(std::size_t n) const;
  void make_share(int device);
  void make_fused_steps();
  std::vector<cuda::OwnBodies<P>> owned();
  /// All accelerations by the tree, into these of each GPU. The next evaluation overwrites `diagnostic_sums`.
  void add_tree_sums(cuda::Reachable<Vec4<Real>> Share::*sums, bool potential);
  void send_tree_sums(cuda::Reachable<Vec4<Real>> Share::*sums, bool potential);
  void forget_diagnostics() override { diagnostic_sums_.clear(); }
  /// From one state to another.
  void carry_out(const List& list) override;
  void carry_out_again(const List& list) override;
  /// With all that the GPUs must tell each other before each has the sums of its bodies.
  void evaluate_forces() override;
  void run_step_kernel(const StepProgram<Real>& program, std::uint64_t steps) override;
  void started(std::uint64_t steps) override;
  void wait() override { devices_.wait(); }
  /// Behind it, each GPU has the positions that the others have sent.
  void receive();
  void sum_pairs();
  void sum_pairs_through_host();
  /// The GPU's part of the pairs, added to partial sums that are zero.
  void sweep_part(int device, const cuda::SymmetricSum<P>& sum, const LaunchShape& shape,
                  std::byte* partial_sums);
  /// Whether the pairs give the potentials too.
  bool diagnoses_by_pairs() const;
  void diagnose_by_pairs();
  PairProblem<P> all_pairs(int device);
  void update(const Update<Real>& change);
  /// What the update of positions has not sent itself.
  void send(int device, int next);
  /// Waits until every GPU has all present positions.
  void settle();
  /// Of the bodies of each GPU, in buffers of their own: diagnostics must not change the run.
  /// Kept until the bodies move.
  const std::vector<cuda::Buffer<Vec4<Real>>>& potential_parts();
  std::vector<Vec4<Real>> potential_sums();
  /// Those that make the steps, of all bodies, on the host.
  std::vector<Vec4<Real>> force_sums();
  /// Of all bodies, on the host.
  std::vector<Vec4<Real>> velocities();

  cuda::Exchange exchange_ = cuda::Exchange::direct;
  std::string why_not_direct_;
  const cuda::SymmetricSum<P>* symmetric_;  ///< null: the kernel takes separate targets
  cuda::Devices devices_;
  std::size_t n_ = 0;
  std::vector<Share> shares_;
  std::array<cuda::Pinned<Mass<Real>>, 2> positions_of_host_;
  cuda::Pinned<Vec4<Real>> sums_of_host_;         ///< of a tree
  std::unique_ptr<cuda::MultiGpuTrees<P>> tree_;  ///< null: choice_.method.kernel makes the forces
  State state_;
  Repeats<Work, cuda::Recording> recordings_;
  std::unique_ptr<cuda::MultiGpuSteps<P>> fused_;  ///< of choice_.method.steps
  std::vector<std::shared_ptr<DeviceCopy<Real>>> copies_;
  std::vector<cuda::Buffer<Vec4<Real>>>
      diagnostic_sums_;                   ///< of potential_parts; empty: not those of the bodies now
  std::optional<cuda::Backlog> backlog_;  ///< of GPU 0, with which the others keep step
  std::shared_ptr<cuda::LayerStaging> staging_;
};

extern template class MultiGpuEngine<F32>;
extern template class MultiGpuEngine<F64>;
extern template class MultiGpuEngine<Mixed>;

}  // namespace pleiad
