/// The integrations that trials compare: a scheme with its step, or with the eta of its adaptive steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/block_forecast.hpp"
#include "control/pair_times.hpp"

#include <pleiad/gravity.hpp>
#include <pleiad/simulation.hpp>

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace pleiad::control {

/// Bodies of which trials cost nothing.
constexpr std::size_t few_bodies = 100;
/// Number of bodies above which trials cost as much as steps of the run.
constexpr std::size_t many_bodies = 256;
constexpr double largest_eta = 0.1;
/// Lengths of trials in pair times: what a trial of periodic orbits needs to see the largest error, and what
/// few bodies may have, so that each goes around once.
constexpr double long_trial = 64, longest_trial = 1e4;
/// Trials of a candidate: those that aim at an error, and those after a step that was far too long.
constexpr int most_rounds = 4, most_failures = 3;
constexpr double never = std::numeric_limits<double>::infinity();

/// Evaluations of the forces of n bodies that take a processor about a second; those of trees are cheaper
/// than sums over all pairs.
double evaluations_of_a_second(std::size_t n);
/// The time of an evaluation for this scheme, in those of the forces alone: of few bodies the rest of a step
/// counts, of many the pairs. With jerks it is 0.3 for 3 bodies, 4.2 for 100 and 4.8 for many.
double cost_of_evaluation(const Integrator& integrator, std::size_t n);

/// Block time steps as a candidate: its parameter is the length of all steps, in units of those that eta = 1
/// makes, from which both eta and the longest step follow.
struct BlockPlan {
  WantedSteps wanted;
  BlockSteps steps;
  EvaluationTime time;
  double most_dt = 0;  ///< the longest step may be
  double dt(double parameter) const;
  double eta(double parameter) const { return wanted.eta(parameter); }
  BlockForecast forecast(double parameter) const;
  /// Evaluations of all bodies in a unit of time.
  double rate(double parameter) const { return forecast(parameter).work / dt(parameter); }
  /// The parameter of a first trial, and the largest one that is taken.
  double first() const;
  double largest() const;
};

/// A scheme with its parameter: the step, or eta. Work is counted in evaluations of the forces alone.
struct Candidate {
  const Integrator* integrator = nullptr;
  bool adaptive = false;
  double parameter = 0;
  double order = 0;       ///< of the error in the parameter
  double cost_order = 1;  ///< by which the work grows with 1 / parameter
  double error = never;   ///< of the run, by the last trial
  double work = never;    ///< of the run, by the last trial
  double trial = 0;       ///< length of that trial

  double cost = 1;                            ///< of an evaluation: cost_of_evaluation
  std::shared_ptr<const BlockPlan> blocks{};  ///< of block time steps

  double work_of_step() const {
    return blocks ? blocks->forecast(parameter).work : cost * integrator->evaluations;
  }
  /// The method, whose adaptive steps are at most `longest`.
  Method method(double longest) const;
  std::string text() const;  ///< "blanes-moan4 with dt = 0.01"
  std::string parameter_text() const;
};

/// What the trials are for.
struct CandidateDemand {
  double error = 0;                  ///< that is asked for
  const Integrator* only = nullptr;  ///< the one to be tried; null: all that may do
};
/// The schemes that may suit these bodies, cheap steps first, with the parameter of a first trial.
/// Block time steps are none of them.
std::vector<Candidate> candidates_of(std::size_t bodies, const Gravity& gravity, const PairTimes& pairs,
                                     const CandidateDemand& demand, double step);

/// Block time steps with the parameter of a first trial.
Candidate candidate_of_blocks(BlockPlan plan);

/// A parameter, and the work of the run with it.
struct Aim {
  double parameter = 0, work = 0;
};
/// Those with which a candidate has an error, by its last trial and the order of its scheme.
Aim aimed(const Candidate& c, double error, double longest_step);

/// Work by which candidates are compared: within a fifth a scheme of equal steps comes first.
inline double compared(const Candidate& c, double work) { return c.adaptive || c.blocks ? 1.2 * work : work; }

}  // namespace pleiad::control
