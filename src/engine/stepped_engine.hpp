/// The steps of every engine: lists of evaluations and updates, which the engine carries out where its bodies
/// are, or full steps by one kernel.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "direct/why_not.hpp"
#include "engine/carried_steps.hpp"
#include "engine/force_term.hpp"
#include "engine/step_list.hpp"
#include "integrate/stepper.hpp"
#include "potentials/hill_drift.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/kernel/choice.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace pleiad {

/// UsageError of an engine whose bodies are not on the host in double precision.
[[noreturn]] inline void throw_no_doubles(const ForceMethod& method, const Integrator& integrator) {
  need_able(method, {.integrator = &integrator});
  throw UsageError(std::string("this engine has no bodies for integrator ").append(integrator.name));
}

/// UsageError of an engine that evaluates all bodies together.
[[noreturn]] inline void throw_no_sets(const ForceMethod& method, const Integrator& integrator) {
  need_able(method, {.integrator = &integrator});
  throw UsageError(
      std::string("this engine evaluates no sets of bodies for integrator ").append(integrator.name));
}

/// P: the precision policy; its Position is the type of the state.
template <class P>
class SteppedEngine : public Engine, protected SteppedState {
 public:
  using Real = typename P::Position;
  static_assert(std::is_same_v<Real, typename P::Sum>, "kicks add sums to velocities without a conversion");

  void advance(const StepPlan& plan, std::uint64_t steps) override {
    stepper_for(*plan.integrator).advance(plan, steps);
    now_ = plan.time_of(steps);
  }
  double suggest_dt(const Integrator& integrator, double eta) override {
    return stepper_for(integrator).suggest_dt(eta);
  }
  std::uint64_t evaluations() const final { return evaluations_; }
  void set_user_force(UserForce force, double time) override {
    std::erase_if(terms_, [](const auto& term) { return term->of_user(); });
    if (force) terms_.push_back(make_user_term(std::move(force)));
    now_ = time;
    steps_.forces_current = false;
  }
  void set_time(double time) override {
    if (time == now_) return;
    show_bodies();
    returned_to(time);
  }
  /// A tree's accelerations have the same bits with potentials; those of direct sums need not.
  void expect_potentials() final { potentials_expected_ = choice_.method.tree.has_value(); }
  /// Benchmark hook: recomputes the forces of the present state `times` times, with the arithmetic and result
  /// of the steps, bit for bit. Blocks.
  void evaluate_again(std::uint64_t times) {
    for (; times > 0; --times) {
      steps_.forces_current = false;
      need_forces();
    }
    wait();
  }

 protected:
  using List = typename StepList<Real>::List;
  /// The largest number of steps in one launch, or between two queries of a GPU's progress: some milliseconds
  /// for the shortest steps.
  static constexpr std::uint64_t most_steps = 1024;

  SteppedEngine(const Gravity& gravity, Choice choice, Precision precision)
      : gravity_(gravity),
        choice_(std::move(choice)),
        precision_(precision),
        frame_(potentials::hill_frame_of(gravity.potentials)) {}

  /// Discards potentials and forces that were computed for diagnostics.
  virtual void forget_diagnostics() = 0;
  /// Starts to carry out a list.
  virtual void carry_out(const List& list) = 0;
  /// Carries out a list that may occur again, and may be recorded.
  virtual void carry_out_again(const List& list) { carry_out(list); }
  /// Evaluates the forces of mutual gravity for the steps, in the present state.
  virtual void evaluate_forces() = 0;
  /// Adds the terms at the time now_ to the sums that make the steps.
  virtual void add_terms() = 0;
  virtual std::unique_ptr<ForceTerm<Real>> make_user_term(UserForce force) = 0;
  /// Evaluates the forces of mutual gravity together with the potentials for diagnostics, by one evaluation
  /// of a tree.
  virtual void evaluate_with_potentials() = 0;
  /// Makes fused steps by the kernel choice_.method.steps. Without steps: evaluates the forces, with the
  /// result that its steps have, bit for bit.
  virtual void run_step_kernel(const StepProgram<Real>& program, std::uint64_t steps) = 0;
  /// Whether test particles are carried through many steps at once, with the bits of single steps.
  virtual bool carries_particles() const { return false; }
  /// Makes steps so; calls count for some at a time.
  virtual void carry_particles(const StepPlan&, const StepProgram<Real>&, std::uint64_t /*steps*/) {}
  /// Reports that `steps` more steps were started; waits if too many are not complete.
  virtual void started(std::uint64_t steps) = 0;
  /// Waits until all started work is complete.
  virtual void wait() = 0;

  void make_splitting_steps(const StepPlan& plan, std::uint64_t steps) final {
    forget_diagnostics();
    const bool potentials = std::exchange(potentials_expected_, false);
    now_ = plan.time;
    // A caller that requests the length of each step waits there.
    const bool waits = !(std::exchange(asked_, false) && steps == 1);
    const bool carries = !fuses() && !lattice_.chosen() && steps > 1 && carries_particles();
    const auto program =
        fuses() || carries ? program_of<Real>(plan, gravity_.G) : std::optional<StepProgram<Real>>{};
    if (program && carries) carry_particles(plan, *program, steps);
    else if (program) make_fused_steps(*program, steps);
    else make_steps(plan, steps, potentials);
    if (waits) wait();
  }
  DoubleState& in_doubles(const Integrator& integrator) override {
    throw_no_doubles(choice_.method, integrator);
  }
  BlockState& in_sets(const Integrator& integrator) override { throw_no_sets(choice_.method, integrator); }
  /// The stepper of an integrator: its own, or one for the place where the bodies are.
  virtual std::unique_ptr<Stepper> make_stepper(const Integrator& integrator) {
    return integrator.make(*this);
  }
  Stepper& stepper_for(const Integrator& integrator) {
    if (integrator_ != &integrator) {
      show_bodies();
      forget_stepper();
      stepper_ = make_stepper(integrator);
      integrator_ = &integrator;
    }
    return *stepper_;
  }
  /// The bodies are those of an earlier state, of this time; what was found for the present one is not.
  void returned_to(double time) {
    steps_.forces_current = false;
    potentials_expected_ = false;
    now_ = time;
    forget_diagnostics();
    forget_stepper();
  }
  /// Must be called before the bodies are read.
  void show_bodies() {
    if (stepper_) stepper_->show_bodies();
  }
  /// What the stepper remembers belongs to another state.
  void forget_stepper() { stepper_.reset(), integrator_ = nullptr; }
  /// Switches to this method, as after a checkpoint.
  void go_on_by(const ForceMethod& method) {
    choice_.method = method;
    steps_.forces_current = false;
    forget_diagnostics();
  }
  /// Whether a kernel makes full steps: those include mutual gravity and straight drifts of doubles only.
  bool fuses() const {
    return choice_.method.steps != nullptr && terms_.empty() && !frame_ && !has_low_parts();
  }
  /// Whether the bodies have low parts (Bodies::low), which such a kernel does not know.
  virtual bool has_low_parts() const { return false; }
  /// NumericalError if a body has `left` the lattice of the present steps.
  void need_within_lattice(bool left) const {
    if (!left) return;
    throw NumericalError(fmt::format(
        "a body has left the lattice before t = {:g}: coordinates end at {:g} and velocities at {:g}; set "
        "larger time.lattice_units, or a softening",
        now_, lattice_.length * 0x1p62, lattice_.velocity * 0x1p62));
  }
  /// Whether an evaluation can be recorded and replayed, as far as its terms are concerned.
  bool terms_recordable() const {
    return std::ranges::all_of(terms_, [](const auto& term) { return term->recordable(); });
  }
  /// The present method.
  ForceMethod method() const {
    auto method = choice_.method;
    if (!fuses()) method.steps = nullptr, method.step_shape = {};
    return method;
  }
  /// An evaluation of a list.
  void evaluate() {
    evaluate_forces();
    if (!terms_.empty()) add_terms();
  }
  /// An evaluation of a list, with potentials for diagnostics.
  void evaluate_with_diagnostics() {
    evaluate_with_potentials();
    if (!terms_.empty()) add_terms();
  }
  /// Counts the evaluations of steps of a program that have been started.
  void count(const StepProgram<Real>& program, std::uint64_t steps) {
    evaluations_ += evaluations_of_step(program, steps_.forces_current);
    // From the second step on, each begins as the one before has ended.
    if (steps > 1) evaluations_ += (steps - 1) * evaluations_of_step(program, steps_.forces_current);
    started(steps);
  }
  /// Must be called after each update.
  void moved(const StepWork<Real>& work) {
    if (work.update.drifts) now_ = work.time;
  }
  void need_forces() {
    if (steps_.forces_current) return;
    // By the arithmetic that makes the steps: a run that is resumed here has to go on with the same bits.
    if (fuses()) run_step_kernel({}, 0);
    else if (std::exchange(potentials_expected_, false)) evaluate_with_diagnostics();
    else evaluate();
    ++evaluations_;
    steps_.forces_current = true;
  }

  Gravity gravity_;
  Choice choice_;
  Precision precision_;
  std::optional<potentials::HillFrame> frame_;  ///< in which free bodies drift on epicycles
  StepList<Real> steps_;
  std::uint64_t evaluations_ = 0;
  bool asked_ = false;  ///< the length of a step was requested, and will be again
  bool potentials_expected_ = false;
  std::unique_ptr<Stepper> stepper_;        ///< of integrator_
  const Integrator* integrator_ = nullptr;  ///< that has made the last steps
  ForceTerms<Real> terms_;                  ///< added to mutual gravity in this order
  double now_ = 0;                          ///< time of the positions, for terms_
  LatticeUnits lattice_;                    ///< of the present steps; not chosen: none

 private:
  /// `potentials`: also those of the state afterwards, where the last step ends with an evaluation.
  void make_steps(const StepPlan& plan, std::uint64_t steps, bool potentials) {
    std::uint64_t made = 0;
    auto step = plan;
    // Times that nobody asks for are not looked up, which would take longer than a short step.
    const bool timed = !terms_recordable() || !plan.factors->constant();
    if (!timed) step.end = plan.time;
    for (; steps > 0; --steps) {
      if (timed) {
        now_ = step.time = plan.time_of(made);
        step.end = plan.time_of(made + 1);
      }
      ++made;
      auto list = steps_.step(step, gravity_.G);
      evaluations_ += static_cast<std::uint64_t>(std::ranges::count(list, true, &StepWork<Real>::evaluates));
      if (steps == 1 && potentials && !list.empty() && list.back().evaluates) {
        list.pop_back();
        carry_out(list);
        evaluate_with_diagnostics();
      } else if (plan.factors->constant()) {
        carry_out_again(list);
      } else {
        carry_out(list);
      }
      started(1);
    }
    carry_out(steps_.rest());
  }
  void make_fused_steps(const StepProgram<Real>& program, std::uint64_t steps) {
    for (std::uint64_t now = 0; steps > 0; steps -= now) {
      now = std::min(steps, most_steps);
      run_step_kernel(program, now);
      count(program, now);
    }
  }
};

}  // namespace pleiad
