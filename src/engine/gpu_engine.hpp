/// Diagnostics between the steps for bodies on one GPU or several, and for those of several ranks with a GPU
/// each. Sums over all bodies are formed in parts that do not depend on the number of GPUs or ranks: on the
/// first GPU, or on that of every rank for its own bodies, and joined on the host.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/two_sum.hpp"
#include "cuda/multi_gpu/send.hpp"
#include "cuda/splat.hpp"
#include "engine/device_added_forces.hpp"
#include "engine/device_copy.hpp"
#include "engine/stepped_engine.hpp"
#include "ranks/collective.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/kernel/choice.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pleiad {

/// Bytes of GPU memory for n bodies: the state, and the memory of an evaluation. ResourceError on overflow.
/// For a tree a lower bound, because only the evaluation determines the size. With several GPUs the bytes on
/// each: all of them, except that with a tree a GPU has the state of its own bodies only.
std::size_t device_engine_bytes(std::size_t n, Precision precision, bool tree = false, std::size_t gpus = 1);

/// P: the precision policy; its Position is the type of the state.
template <class P>
class GpuEngine : public SteppedEngine<P> {
 public:
  using Real = typename P::Position;

  void advance(const StepPlan& plan, std::uint64_t steps) final;
  void copy_to_host(Bodies& bodies) final;
  void fields(Snapshot& snapshot) final;
  Totals totals() final;
  Radii radii() final;
  SampledAccelerations computed_accelerations(std::span<const std::size_t> chosen) final;
  std::vector<Vec3<double>> exact_accelerations(std::span<const std::size_t> chosen) final;
  std::vector<Vec3<double>> exact_accelerations_of(const Bodies& bodies,
                                                   std::span<const std::size_t> chosen) final;
  std::vector<double> rounding_of_exact(const std::function<const Bodies&()>& bodies, const Sample& sample,
                                        std::span<const Vec3<double>> exact) final;
  Sample sample(const Bodies& bodies, std::size_t most) final;
  std::size_t on_all_ranks(std::size_t own) const final { return all_.bodies(own); }
  std::function<void(Snapshot&)> begin_copy(bool fields) final;
  bool finite() final;
  std::function<splat::ImagePlanes()> begin_image_planes(const splat::Request& request) final;
  void reverse_velocities() final;
  std::function<void()> keep_state() final;
  void retune(const ForceMethod& method) final;
  std::array<double, 2> work() const final { return work_; }
  void set_work(std::array<double, 2> work) final { work_ = work; }

 protected:
  GpuEngine(const Gravity& gravity, Choice choice, Precision precision)
      : SteppedEngine<P>(gravity, std::move(choice), precision) {
    if (!gravity.forces.empty()) added_.emplace(gravity);
    this->terms_ = device_terms<Real>(gravity, added_ ? &*added_ : nullptr);
  }
  using SteppedEngine<P>::gravity_, SteppedEngine<P>::choice_, SteppedEngine<P>::precision_,
      SteppedEngine<P>::steps_, SteppedEngine<P>::evaluations_, SteppedEngine<P>::lattice_;

  /// The bodies of one GPU, in its memory.
  struct Part {
    int device = 0;
    void* stream = nullptr;
    std::size_t first = 0, count = 0;
    const Mass<Real>* positions = nullptr;
    Vec4<Real>* velocities = nullptr;
    Vec4<Real>* sums = nullptr;        ///< those that make the steps
    Vec4<Real>* potentials = nullptr;  ///< sums with potentials, where they were found
    /// Positions of all bodies that this GPU has, of which its own begin with number `number`.
    std::span<const Mass<Real>> all{};
    std::size_t number = 0;
  };
  /// Number of bodies of this rank.
  virtual std::size_t size() const = 0;
  /// work(part) for each GPU whose work is queued now, on it: when work is recorded, that is one at a time.
  virtual void each_part(const std::function<void(const Part&)>& work) {
    for (const auto& part : parts()) work(part);
  }
  /// The parts in the order of the bodies; together they have all bodies of this rank, from number 0 on.
  virtual std::vector<Part> parts() = 0;
  /// Positions of all bodies of this rank, in the memory of the first part's GPU.
  virtual const Mass<Real>* own_positions() = 0;
  /// Sums with potentials, in memory of their own: diagnostics must not change the run.
  virtual void evaluate_potentials() = 0;
  /// Waits until every GPU has the data that it needs of the others, and of other ranks.
  virtual void settle() = 0;
  /// Whether one GPU's memory can be copied to another's.
  virtual bool copies_between() const = 0;
  /// Work that was recorded is queued anew: it knows memory that is released, or another lattice.
  virtual void forget_recordings() = 0;
  /// Positions and velocities of all bodies of this rank, from the host.
  virtual void put(std::span<const Mass<Real>> positions, std::span<const Vec4<Real>> velocities) = 0;
  /// From now on forces are found so.
  virtual void make_solver(const ForceMethod& method) = 0;

  void forget_diagnostics() override { potentials_current_ = false; }
  /// Finds the largest mass of these bodies and those of all ranks; collective.
  void find_heaviest(const Bodies& bodies);
  void evaluate_with_potentials() final;
  void add_terms() final;
  /// Whether kicks are implicit.
  bool depends_on_velocities() const { return added_ && added_->any(AddedForces::Which::of_velocities); }
  /// A kick by the sums and the forces of velocities; h includes G. The first GPU of each rank makes it for
  /// all bodies of all ranks. Collective.
  void kick_implicitly(Real h);
  void add_work(double work) { work_[0] = two_sum(work_[0], work_[1], work); }
  /// Terms, forces and low parts have memory of streams, which engines have as members: their destructors
  /// call this.
  void release_memory() { this->terms_.clear(), added_.reset(), low_.clear(); }
  /// Low parts of bodies that have some, where there is room for the bodies. Without them no step is one of a
  /// lattice.
  void load_low(const Bodies& bodies);
  /// An update on the present lattice of the bodies of part number `part`; new positions go to these places.
  void update_on_lattice(const Update<Real>& update, const Part& bodies, std::size_t part,
                         const cuda::Destinations<Real>& to);
  bool has_low_parts() const final { return has_low_; }
  /// Bytes of low parts on all GPUs.
  std::size_t bytes_of_low() const;
  std::unique_ptr<ForceTerm<Real>> make_user_term(UserForce force) final {
    return device_term<Real>(std::move(force));
  }
  double softening_step(double eta) final;
  /// Discards copies of the old state, for load.
  void forget_copies() { copies_.clear(); }
  /// The reason for the method, and the kernel of the potentials.
  std::string why() const;

  ranks::Collective all_;

  double heaviest_ = 0;      ///< mass
  std::vector<double> eps_;  ///< softenings of the bodies of all ranks, if softened()
  std::optional<DeviceAddedForces> added_;
  /// Whether pairs have a spline or softenings of their own.
  bool softened() const { return !gravity_.softening.plain(); }

 private:
  /// `velocities`: of all bodies, where forces depend on them.
  AddedOnDevice<Real> added_on(const Part& part, cuda::Buffer<Vec4<Real>>& velocities) const {
    return {.time = this->now_,
            .all = part.all,
            .first = part.number,
            .count = part.count,
            .velocities = velocities.data(),
            .stream = part.stream};
  }
  /// What the GPUs of all ranks have of their own bodies, on the GPU of one part, after settle(). Collective.
  cuda::Buffer<Vec4<Real>> of_all(const Part& on, Vec4<Real>* Part::*what);
  /// The velocities of all bodies there if forces depend on them, else none.
  cuda::Buffer<Vec4<Real>> velocities_for_forces(const Part& on) {
    return depends_on_velocities() ? of_all(on, &Part::velocities) : cuda::Buffer<Vec4<Real>>();
  }
  /// The sums with potentials of a part, and the effects of the added forces.
  cuda::Buffer<Vec4<Real>> sums_with_added(const Part& part);
  /// Brings them to the host.
  void get(std::span<Mass<Real>> positions, std::span<Vec4<Real>> velocities);
  /// Parts with potentials, which are kept until the bodies move.
  std::vector<Part> parts_with_potentials();
  /// Accelerations of the chosen bodies of all ranks.
  std::vector<Vec3<double>> picked(const std::vector<Part>& parts, Vec4<Real>* Part::*sums,
                                   std::span<const std::size_t> chosen) const;

  /// Makes low parts of 0, or none.
  void make_low(bool wanted);
  /// The lattice of the next steps.
  void take_lattice(const LatticeUnits& units);
  /// Whether a body of this rank has left it since the last call.
  bool left_lattice();
  std::vector<std::array<double, 6>> low_parts();
  void put_low(std::span<const std::array<double, 6>> low);

  /// Memory of one part on a lattice.
  struct Low {
    cuda::Buffer<std::array<double, 6>> parts;  ///< see Bodies::low
    cuda::Buffer<int> left;                     ///< 1: a body has left the lattice
  };
  bool has_low_ = false;
  std::vector<Low> low_;  ///< of each part, if has_low_

  bool potentials_current_ = false;
  std::vector<std::shared_ptr<DeviceCopy<Real>>> copies_;
  std::shared_ptr<cuda::LayerStaging> staging_;
  int stages_ = 1;  ///< of implicit kicks
  std::array<double, 2> work_{};
};

extern template class GpuEngine<F32>;
extern template class GpuEngine<F64>;
extern template class GpuEngine<Mixed>;

}  // namespace pleiad
