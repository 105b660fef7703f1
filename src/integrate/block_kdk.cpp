/// Block time steps: a leapfrog in which each body has a step of its own, dt 2^-k, and momentum is kept
/// (hierarchical splitting: Pelupessy, Jaenes & Portegies Zwart 2012, arXiv:1205.5668; Springel, Pakmor,
/// Zier & Reinecke 2021, arXiv:2010.03567).
///
/// S_k are the bodies of level k or finer, and V(S) the potential energy of a set of bodies by itself. The
/// potential energy is the sum of V(S_k) - V(S_k+1), and each of these terms kicks with the step h_k of its
/// level, from outside of what the finer levels do meanwhile. So a pair is kicked with the step of its
/// coarser body, by the same impulse on both, and the momentum is kept whatever the levels. At a time where
/// level k is the coarsest that begins or ends, the bodies of S_k are kicked by h_k / 2 times their
/// accelerations by S_k, and those of each finer level l by (h_l - h_l-1) / 2 times theirs by S_l.
///
/// Levels are found from coarse to fine, since at most times only the accelerations by the present set are
/// known: of the bodies of S_k, those whose step by these is shorter than h_k make up S_k+1. If that is most
/// of them, all go. Levels follow from positions and velocities alone, so a run that is resumed between two
/// steps dt has the same bits.
///
/// Levels that follow from the beginning of a step are others on the way back, and the error of the energy
/// then grows with each orbit. With StepPlan::symmetric_steps the bodies of S_k+1 are those that need a
/// shorter step at either end of the step of S_k: where its end adds some, the step is made again with them
/// (Hernandez & Dehnen 2023, arXiv:2301.06253). The way back then has the same sets, but where a body is so
/// near to the limit that the other end of its step moves it across.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "integrate/stepper.hpp"

#include <pleiad/integrator.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace pleiad {

extern const Integrator integrator_block_kdk;

namespace {

class BlockStepper final : public Stepper {
 public:
  explicit BlockStepper(BlockState& state) : state_(state) {
    auto& all = sets_.emplace_back();
    for (std::size_t i = 0; i < state.bodies(); ++i) all.members.push_back(static_cast<std::uint32_t>(i));
    all.count = count(all.members);
  }

  void advance(const StepPlan& plan, std::uint64_t steps) override {
    state_.begin_steps();
    plan_ = &plan;
    for (std::uint64_t k = 0; k < steps; ++k) {
      from_ = plan.time_of(k), to_ = plan.time_of(k + 1);
      is_last_ = k + 1 == steps;
      step(0, 0, {0, 1}, {});
    }
    plan_ = nullptr;
  }
  /// Steps are parts of dt.
  double suggest_dt(double) override { return std::numeric_limits<double>::infinity(); }

 private:
  /// A part of the step dt. Both ends are multiples of a power of two.
  struct Part {
    double begin, end;
    double middle() const { return begin + (end - begin) / 2; }
  };
  /// Kicks of the set around, of half its step, at the beginning and at the end of a step of the set within
  /// it; 0 where that is no end of its step.
  struct Outer {
    double first = 0, last = 0;
  };
  struct Set {
    std::vector<std::uint32_t> members;  ///< of this rank
    std::vector<std::uint32_t> coarse;   ///< those that are not in the next set
    std::size_t count = 0;               ///< of members on all ranks that decide
    bool current = false;                ///< accelerations are those of the present positions
  };
  enum class Finer { none, some, all };

  void step(std::size_t set, int level, Part part, Outer outer, bool has_steps = false);
  void make(std::size_t set, int level, Part part, Outer outer, Finer finer, bool has_steps);
  void need_accelerations(std::size_t set, double at);
  Finer find_finer(std::size_t set, double h, bool has_steps);
  Finer divide(std::size_t set);
  bool add_from_end(std::size_t set, double h, std::vector<std::uint32_t>& wanted);
  void forget_from(std::size_t set) {
    for (; set < sets_.size(); ++set) sets_[set].current = false;
  }
  /// Number of bodies on all ranks that decide what all do.
  std::size_t count(const std::vector<std::uint32_t>& bodies) const {
    return state_.on_all_ranks(
        std::size_t(std::ranges::count_if(bodies, [this](std::uint32_t i) { return state_.decides(i); })));
  }
  /// Whether this is so on all ranks.
  bool everywhere(bool here) const { return state_.on_all_ranks(here ? 0 : 1) == 0; }

  double time_at(double part) const { return part == 1 ? to_ : from_ + part * plan_->dt; }
  /// The length of a kick over a part of the step, with G.
  double kick_over(Part part) const {
    return state_.G() * (part.end - part.begin) * plan_->dt *
           plan_->factors->kick(time_at(part.begin), time_at(part.end));
  }
  double drift_over(Part part) const {
    return (part.end - part.begin) * plan_->dt *
           plan_->factors->drift(time_at(part.begin), time_at(part.end));
  }

  BlockState& state_;
  std::vector<Set> sets_;  ///< each is a subset of the one before
  const StepPlan* plan_ = nullptr;
  double from_ = 0, to_ = 0;  ///< times of the present step dt
  bool is_last_ = false;      ///< it is the last one before someone looks at the bodies
  std::vector<double> steps_;
  std::vector<std::uint32_t> finer_;
  std::array<std::vector<std::uint32_t>, 32>
      wanted_;  ///< by level: bodies that are found to need a finer one
};

void BlockStepper::need_accelerations(std::size_t set, double at) {
  if (std::exchange(sets_[set].current, true)) return;
  state_.evaluate(set, time_at(at), is_last_ && at == 1);
}

/// A step of the bodies of a set, whose length is that of `level`. `has_steps`: those of its members were
/// just found.
void BlockStepper::step(std::size_t set, int level, Part part, Outer outer, bool has_steps) {
  need_accelerations(set, part.begin);
  const double h = (part.end - part.begin) * plan_->dt;
  const bool divides = plan_->eta > 0 && level + 1 < plan_->blocks.levels;
  auto finer = divides ? find_finer(set, h, has_steps) : Finer::none;
  const bool looks_back = plan_->symmetric_steps && divides && finer != Finer::all;
  auto& wanted = wanted_[std::size_t(level)];
  if (looks_back) wanted = finer_, state_.keep(set, level);
  make(set, level, part, outer, finer, true);
  while (looks_back && finer != Finer::all && add_from_end(set, h, wanted)) {
    state_.go_back(set, level);
    sets_[set].current = true;
    forget_from(set + 1);
    finer_ = wanted;
    finer = divide(set);
    make(set, level, part, outer, finer, false);
  }
}

/// Makes the step with the present next set. `has_steps`: as above.
void BlockStepper::make(std::size_t set, int level, Part part, Outer outer, Finer finer, bool has_steps) {
  const Part one{part.begin, part.middle()}, two{part.middle(), part.end};
  if (finer == Finer::all) {
    step(set, level + 1, one, {outer.first, 0}, has_steps);
    step(set, level + 1, two, {0, outer.last});
    return;
  }
  const double first = kick_over(one), last = kick_over(two);
  state_.kick(set, first - outer.first);
  if (finer == Finer::some) {
    step(set + 1, level + 1, one, {first, 0});
    step(set + 1, level + 1, two, {0, last});
    state_.drift(sets_[set].coarse, drift_over(part));
  } else {
    state_.drift(sets_[set].members, drift_over(part));
  }
  sets_[set].current = false;
  if (finer == Finer::none) forget_from(set + 1);
  need_accelerations(set, part.end);
  state_.kick(set, last - outer.last);
}

/// Which bodies of a set need a shorter step than h: they become the next set.
BlockStepper::Finer BlockStepper::find_finer(std::size_t set, double h, bool has_steps) {
  const auto& members = sets_[set].members;
  steps_.resize(members.size());
  if (!has_steps) state_.find_steps(set, plan_->blocks, plan_->eta, steps_);
  finer_.clear();
  for (std::size_t k = 0; k < members.size(); ++k)
    if (steps_[k] < h) finer_.push_back(members[k]);
  return divide(set);
}

/// Adds bodies of a set that need a shorter step than h, by its end, where they are now. Whether there were
/// any.
bool BlockStepper::add_from_end(std::size_t set, double h, std::vector<std::uint32_t>& wanted) {
  const auto& members = sets_[set].members;
  steps_.resize(members.size());
  state_.find_steps_back(set, plan_->blocks, plan_->eta, steps_);
  finer_.clear();
  for (std::size_t k = 0; k < members.size(); ++k)
    if (steps_[k] < h || std::ranges::binary_search(wanted, members[k])) finer_.push_back(members[k]);
  if (everywhere(finer_.size() == wanted.size())) return false;
  wanted = finer_;
  return true;
}

/// The bodies of finer_ become the next set, unless there are none, or all follow them.
BlockStepper::Finer BlockStepper::divide(std::size_t set) {
  if (everywhere(finer_.empty())) return Finer::none;
  const std::size_t deciding = count(finer_), of = sets_[set].count;
  // Particles alone follow, and pull nothing: only fields act on them with a shorter step.
  if (deciding == 0 && of > 0 && !state_.has_fields()) return Finer::none;
  const bool most = double(deciding) > state_.most_split() * double(of);
  if (of > 0 ? most || (plan_->blocks.single_step && deciding > 0) : true) return Finer::all;
  if (set + 1 == sets_.size()) sets_.emplace_back();
  auto& next = sets_[set + 1];
  if (!everywhere(next.members == finer_)) {
    next.members = finer_, next.count = deciding, next.current = false;
    state_.set_members(set + 1, next.members, deciding);
    // Bodies that are no longer in this set move without the finer sets that still have them.
    if (set + 2 < sets_.size() && !everywhere(std::ranges::includes(finer_, sets_[set + 2].members)))
      forget_from(set + 2);
  }
  auto& coarse = sets_[set].coarse;
  coarse.clear();
  auto skipped = finer_.begin();
  for (const auto i : sets_[set].members) {
    if (skipped != finer_.end() && *skipped == i) ++skipped;
    else coarse.push_back(i);
  }
  return Finer::some;
}

std::unique_ptr<Stepper> make_block_kdk(SteppedState& state) {
  return std::make_unique<BlockStepper>(state.in_sets(integrator_block_kdk));
}

}  // namespace

extern const Integrator integrator_block_kdk{
    .name = "block-kdk",
    .idea =
        "leapfrog kick-drift-kick in which each body has a step of its own and momentum is kept "
        "(Pelupessy et al. 2012); for systems of very different densities",
    .order = 2,
    .symplectic = false,
    .time_reversible = false,
    .in_blocks = true,
    .adapts_by_softening = false,
    .make = make_block_kdk};

}  // namespace pleiad
