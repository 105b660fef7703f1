/// Block time steps (block-kdk) of the bodies on one GPU: the sets of bodies are lists in its memory, which
/// it divides, kicks and moves. The host learns how many bodies a set has, and no more.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/body_sets.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/steps/set_steps.hpp"
#include "engine/force_solver.hpp"
#include "engine/force_term.hpp"
#include "integrate/block_schedule.hpp"

#include <pleiad/gravity.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/kernel/force_method.hpp>
#include <pleiad/precision.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace pleiad {

/// Sets of fewer bodies are faster by direct sums than by a tree: a tree of few bodies takes some time
/// whatever their number, in which a GPU sums the pairs of these sets.
std::size_t worth_a_device_tree(Precision precision);

/// P: the precision policy. Forces of a set are those of its members by themselves: of all bodies by the
/// method of the run, of others by it or, where trees have few bodies, by direct sums. Sets of up to
/// cuda::most_members bodies make whole steps by themselves, with all finer ones, in one launch, if nothing
/// but their mutual gravity acts on them in static space.
template <class P>
class DeviceBlocks {
 public:
  using Real = typename P::Position;

  /// What the engine has of all its bodies; it outlives the object.
  struct Engine {
    const ForceMethod& method;
    const Gravity& gravity;
    const double& heaviest;
    std::span<const double> eps;  ///< of each body, if the softening is not plain
    std::size_t n = 0;
    Mass<Real>* x = nullptr;
    Vec4<Real>*v = nullptr, *sums = nullptr;  ///< sums: of set 0
    ForceTerms<Real>& terms;
    void* stream = nullptr;
    std::function<void()> begin{};
    /// Evaluates set 0 at its present positions, which are those of `time`; false: its sums were current.
    /// `last`: after the last step.
    std::function<bool(double time, bool last)> evaluate{};
    std::function<void()> moved{};                       ///< must be called when bodies move
    std::function<void(std::uint64_t steps)> started{};  ///< and after steps dt
  };
  explicit DeviceBlocks(Engine engine);

  /// Makes steps dt. Returns the number of evaluations, once all is done.
  std::uint64_t advance(const StepPlan& plan, std::uint64_t steps);
  /// The mean number of pairs of an evaluation; 0: there was none.
  double interactions() const { return evaluations_ > 0 ? interactions_ / double(evaluations_) : 0; }
  std::size_t bytes() const;

  // What make_block_step asks for.
  bool alone(const BlockStep& step);
  void need_accelerations(int set, double at);
  Finer find_finer(const BlockStep& step);
  double kick_over(const StepPart& part) const;
  void kick(int set, double length);
  void drift(int set, const StepPart& part, bool coarse);
  void moved(int set) { sets_[std::size_t(set)]->current = false; }
  void forget_from(int set);

 private:
  struct Set {
    std::size_t count = 0, coarse_count = 0;
    cuda::Buffer<std::uint32_t> members;  ///< none of set 0, which has all
    cuda::Buffer<std::uint32_t> coarse;   ///< those that are not in the next set
    cuda::Buffer<Mass<Real>> x;           ///< of the members
    cuda::Buffer<Vec4<Real>> sums;        ///< of x; of set 0 where it makes its steps by itself
    std::unique_ptr<ForceSolver<P>> solver;
    bool small = false;    ///< the solver is for few bodies
    bool current = false;  ///< sums are those of the present positions
  };
  cuda::BodySet members(std::size_t set) const;
  const Vec4<Real>* sums_of(std::size_t set) const {
    return set == 0 ? engine_.sums : sets_[set]->sums.data();
  }
  /// Whether the sets of so few bodies make their steps by themselves.
  bool are_small_alone() const;
  bool is_alone(std::size_t set) const;
  /// Starts whole steps of a set.
  void start(const BlockStep& step, unsigned steps);
  void evaluate(Set& set, double time);
  void make_solver(Set& set);
  bool softened() const { return !engine_.gravity.softening.plain(); }
  double share() const { return plan_->blocks.single_step ? 0 : most_split_; }
  double time_at(double part) const { return part == 1 ? to_ : from_ + part * plan_->dt; }
  cuda::StepCriterion criterion() const;

  Engine engine_;
  double most_split_;
  cuda::SetDivider divider_;
  cuda::Buffer<double> eps_;                ///< of each body, if the softening is not plain
  std::vector<std::unique_ptr<Set>> sets_;  ///< each is a subset of the one before
  cuda::Buffer<unsigned char> workplace_;
  cuda::Buffer<cuda::SetWork> work_;
  bool small_alone_ = false;  ///< sets of few bodies make their steps by themselves
  const StepPlan* plan_ = nullptr;
  double from_ = 0, to_ = 0;  ///< times of the present step dt
  bool is_last_ = false;      ///< it is the last one before someone looks at the bodies
  std::uint64_t evaluations_ = 0;
  double interactions_ = 0;
};

extern template class DeviceBlocks<F32>;
extern template class DeviceBlocks<F64>;
extern template class DeviceBlocks<Mixed>;

}  // namespace pleiad
