/// Choice of the integration for an energy error: short trials on the bodies themselves.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/simulation.hpp>

#include <functional>
#include <limits>
#include <string>

namespace pleiad::control {

/// What pairs of bodies say of the steps.
struct PairTimes {
  /// The shortest of R / v and sqrt(R^3 / (G (m_i + m_j))) of any pair, with R^2 = r^2 + eps^2; infinite
  /// without a pair of which one has mass.
  double shortest = std::numeric_limits<double>::infinity();
  /// Relative energy error by the rounding of positions: 2^-53 (|x| / R) (G m_i m_j / R) / |E| of the pair
  /// with the largest one.
  double rounding = 0;
  bool dominated = false;  ///< one body has more than half of the mass
};
/// Finds them; of more than 32768 bodies a part is taken, with all others.
PairTimes pair_times(const Bodies& bodies, double G, double eps, double energy);

struct TimeDemand {
  double budget = 0;                                         ///< the largest |dE / E| of the run
  double length = 0;                                         ///< of the run
  double longest = std::numeric_limits<double>::infinity();  ///< step
  const Integrator* only = nullptr;                          ///< the one to be tried; null: all that may do
};

/// An integration that keeps the budget in the trials, at the least work.
struct TimeChoice {
  const Integrator* integrator = nullptr;
  double dt = 0;           ///< the step, or with `adaptive` the longest one
  double eta = 0.02;       ///< of adaptive steps
  bool adaptive = false;   ///< by the criterion of the scheme; else steps are equal
  double trial = 0;        ///< length of the trial that was the last one
  double predicted = 0;    ///< energy error of the run
  double evaluations = 0;  ///< of the run, as the trial predicts
  double spent = 0;        ///< evaluations of all trials
  double longest = 0;      ///< step that may be taken later
  PairTimes pairs;
  Method method() const;
};

/// Chooses by counted evaluations, in which one with jerks counts twice, and not by time: every machine, and
/// every number of threads and ranks, chooses the same. `all`: the bodies of all ranks. Collective.
/// UsageError where no candidate keeps the budget, with the best that was found.
TimeChoice choose_time(const Snapshot& own, const Bodies& all, const Gravity& gravity,
                       const EngineOptions& engine, const TimeDemand& demand,
                       const std::function<void(const std::string&)>& tell);

}  // namespace pleiad::control
