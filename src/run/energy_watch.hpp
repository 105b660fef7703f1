/// The energy error that a run may have, kept: shares of its intervals, and the way back where one is
/// exceeded.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/checkpoint.hpp>
#include <pleiad/simulation.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace pleiad::run {

/// The length of the next adaptive step where another eta, or the step of equal ones, holds from now on.
double scaled_step(double dt, const Method& from, const Method& to);
/// "dt = 0.1", "eta = 0.02", or both: what an interval is made again with.
std::string step_text(const Method& method);

/// A run is divided into intervals, which end where outputs are due and at the times of a grid. The start of
/// the present one is kept. At an interval that begins with the error e0 after a share s of the run, a budget
/// B lets the error come to |e0| + B ds / 2 + (B (1/2 + s/2) - |e0|) / 2: by induction it stays below B
/// (docs/adr/0024). Where it would not, the interval is made again with half the step. Everything follows
/// from the energies, which are the same on any number of threads and ranks.
class EnergyWatch {
 public:
  struct Plan {
    double budget = 0;  ///< largest |dE / E|
    double start = 0, end = 0;
    double interval = 0;  ///< of the grid
    double span = 0;      ///< without need of a short step, before a longer one is tried
    double longest = 0;   ///< step, or eta
  };
  explicit EnergyWatch(const Plan& plan) : plan_(plan) {}
  static bool is_in(const Checkpoint& checkpoint);
  /// The watch of a checkpoint; InputError, which begins with `where`, for what `save` has not written.
  static EnergyWatch restored(const Checkpoint& checkpoint, const std::string& where);
  /// Between two intervals.
  void save(Checkpoint& checkpoint) const;

  /// An interval begins in the present state, with its error, and ends at the next output or before; the
  /// state is kept.
  void begin(Simulation& simulation, double error, double next_output);
  bool begun() const { return kept_.has_value(); }
  double until() const { return until_; }
  /// No step of the interval has been made.
  bool fresh(const Simulation& simulation) const {
    return begun() && attempts_ == 0 && simulation.step() == clock_.step;
  }
  /// Steps from one look at the energy to the next, counted from the start of the interval.
  static std::uint64_t steps_between_looks(const Integrator& integrator, std::size_t bodies);
  std::uint64_t first_step() const { return clock_.step; }

  /// Sees an error of the interval; false: the interval must be made again.
  bool look(double error, bool at_end);
  /// A state, and how steps go on from it.
  struct Point {
    Snapshot snapshot;
    Clock clock;
    Method method;
  };
  /// The start of the interval, with half the step; those until `step` were made in vain. NumericalError
  /// where no shorter step helps: the budget is not kept.
  Point again(const Method& method, std::uint64_t step);
  /// The start of the interval as it was, for the checkpoint of a run that is stopped.
  Point start_of_interval();
  /// The interval is accepted; the method with twice the step, where that is to be tried.
  std::optional<Method> accept(const Method& method);

  double largest() const { return most_; }  ///< error of the interval so far
  std::uint64_t redone() const { return now_.redone; }
  const Plan& plan() const { return plan_; }
  double worst() const { return now_.worst; }
  /// Returns one sentence about the run after `steps` steps.
  std::string result(std::uint64_t steps) const;

 private:
  bool stalled() const;
  /// The method with twice or half the step.
  Method with_step(Method method, double factor) const;

  Plan plan_;
  /// What an interval changes when it is made again or accepted.
  struct Counts {
    double worst = 0;     ///< error so far
    double wasted = 0;    ///< steps that were made again
    double quiet = 0;     ///< time without need of the present step
    double patience = 1;  ///< factor of Plan::span
    std::uint64_t redone = 0;
    bool lengthened = false;  ///< the last change was to a longer step
  };
  Counts now_, at_start_;
  std::optional<Snapshot> kept_;
  Clock clock_;
  Method method_;
  bool by_pairs_ = false;  ///< block time steps follow from pairs of bodies
  double until_ = 0, error0_ = 0, limit_ = 0, most_ = 0;
  double first_ = 0;  ///< error at the start of the interval, with its sign
  double swing_ = 0;  ///< the largest change from it
  int attempts_ = 0;
  double earlier_[2] = {0, 0};  ///< the largest errors of the last two whole attempts
};

}  // namespace pleiad::run
