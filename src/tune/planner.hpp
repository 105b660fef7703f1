/// The planner: tries solvers on the actual bodies, and takes the fastest that meets an accuracy.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tune/accuracy_parameter.hpp"
#include "tune/search.hpp"
#include "tune/solver_request.hpp"
#include "tune/trial.hpp"
#include "tune/tuner.hpp"

#include <pleiad/engine.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pleiad::tune {

struct Plan {
  std::optional<ForceMethod> method{};  ///< none: direct sums
  std::string why{};
  std::vector<Measurement> tried{};
  double seconds = 0;      ///< of one evaluation; 0: nothing was measured
  bool cut_short = false;  ///< a longer run would have been searched for longer
  /// What the tree was measured on, as large as for looks at it.
  std::optional<MeasuredSample> sample{};
};

/// Where trees may be tried with these options, the likeliest first. Never empty: what cannot be used there
/// is refused when the engine is made.
std::vector<Device> places_for_trees(const EngineOptions& options, const Gravity& gravity);

/// "force error 8.3e-04 (7.0e-04 to 9.8e-04, 99 % of 1000 bodies)".
std::string error_in_words(const ForceErrors& errors);

/// What needs no measuring: direct sums where they were asked for, or nothing else will do. UsageError when
/// the solver that is named cannot be.
std::optional<Plan> plain(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
                          const SolverRequest& request);

/// UsageError when the request cannot be met by what it leaves open. `progress` is told what goes on;
/// `options` say the backend, precision and threads for direct sums, which `make` makes. `evaluations`: of
/// the run that it is for, which bound the search (Budget). `clock`: all times are by it.
Plan plan(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
          const SolverRequest& request, const MakeEngine& make, const Progress& progress,
          Search search = Search::whole, double evaluations = 0, TimeSource clock = seconds);

/// One evaluation by direct sums of all bodies, from a part of them when they are many.
struct DirectSums {
  double seconds = 0;
  std::size_t measured = 0;  ///< bodies; when there are more, seconds are scaled by the square
  int gpus = 0;              ///< 0: on the processor
};
/// `most`: bodies that are measured, 0: as many as tell.
DirectSums time_direct_sums(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
                            const MakeEngine& make, std::size_t most = 0, TimeSource clock = seconds);

}  // namespace pleiad::tune
