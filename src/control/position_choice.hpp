/// Choice of the integration for an error of the positions: trials on the few bodies themselves, each beside
/// one with half the step.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/simulation.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace pleiad::control {

struct PositionDemand {
  double error = 0;   ///< the largest position_error at the end of the run
  double length = 0;  ///< of the run
  double longest = std::numeric_limits<double>::infinity();  ///< step
  const Integrator* only = nullptr;                          ///< the one to be tried; null: all that may do
  bool adaptive = false;                                     ///< only schemes of adaptive steps
};

struct PositionChoice {
  const Integrator* integrator = nullptr;
  double dt = 0;           ///< the fixed step, of which the run has a whole number; the longest adaptive one
  double eta = 0.02;       ///< of adaptive steps
  bool adaptive = false;   ///< by the criterion of the scheme; else steps are fixed
  double trial = 0;        ///< length of the last trial; that of the run, if the whole run was tried
  double predicted = 0;    ///< position error at the end of the run
  std::uint64_t body = 0;  ///< id of the body whose it is
  double power = 0;        ///< of time, with which the error of a shorter trial is taken to grow
  double evaluations = 0;  ///< of the run
  double spent = 0;        ///< evaluations of all trials, by their costs (cost_of_evaluation)
};

/// The bodies of all ranks from those of this one. Collective.
using AllBodies = std::function<Bodies(const Bodies&)>;

/// Chooses by counted evaluations, as choose_time. Where that takes no more than about a second the trials
/// are the whole run; else their errors are extrapolated. UsageError for more than 100 bodies, and where no
/// candidate keeps the error, with the best that was found and until when it does. Collective.
PositionChoice choose_positions(const Snapshot& own, const AllBodies& all, const Gravity& gravity,
                                const EngineOptions& engine, const PositionDemand& demand,
                                const std::function<void(const std::string&)>& tell);

/// What the user is told of a choice, in a run of this length.
std::string words_of(const PositionChoice& choice, double error, double length);

/// The method of a simulation that has made no step, with the choice for it; `note` is told of it. `engine`
/// is that of the trials, in one process.
Method method_for_positions(Simulation& begun, EngineOptions engine, const PositionDemand& demand,
                            const std::function<void(const std::string&)>& tell,
                            const std::function<void(const std::string&)>& note);

}  // namespace pleiad::control
