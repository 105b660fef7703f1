/// Choice of the integration for an energy error: short trials on the bodies themselves.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/block_forecast.hpp"
#include "control/pair_times.hpp"

#include <pleiad/simulation.hpp>

#include <functional>
#include <limits>
#include <optional>
#include <string>

namespace pleiad::control {

struct TimeDemand {
  double budget = 0;                                         ///< the largest |dE / E| of the run
  double length = 0;                                         ///< of the run
  double longest = std::numeric_limits<double>::infinity();  ///< step
  const Integrator* only = nullptr;                          ///< the one to be tried; null: all that may do
  BlockSteps blocks{};                                       ///< how block time steps are made
};

/// An integration that keeps the budget in the trials, at the least work.
struct TimeChoice {
  const Integrator* integrator = nullptr;
  double dt = 0;          ///< the step, or with `adaptive` the longest one
  double eta = 0.02;      ///< of adaptive steps
  bool adaptive = false;  ///< by the criterion of the scheme; else steps are equal
  BlockSteps blocks{};    ///< of block time steps
  /// What block time steps gain, chosen or not; empty: they were no candidate.
  std::optional<BlockForecast> forecast{};
  double trial = 0;        ///< length of the trial that was the last one
  double predicted = 0;    ///< energy error of the run
  double evaluations = 0;  ///< of the run, as the trial predicts
  double spent = 0;        ///< evaluations of all trials, by their costs
  double longest = 0;      ///< step that may be taken later
  double rounding = 0;     ///< relative energy error by the rounding of the closest pair
  PairTimes pairs;
  Method method() const;
};

/// Chooses by counted evaluations, with costs that do not depend on the machine (cost_of_evaluation), and not
/// by time: every machine, and every number of threads and ranks, chooses the same. The trials take a
/// twentieth of the work of the run, or about a second of one processor. `all`: the bodies of all ranks.
/// Collective. UsageError where no candidate keeps the budget, with the best that was found.
TimeChoice choose_time(const Snapshot& own, const Bodies& all, const Gravity& gravity,
                       const EngineOptions& engine, const TimeDemand& demand,
                       const std::function<void(const std::string&)>& tell);

}  // namespace pleiad::control
