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
  /// The sample that the tree was measured on, as large as that of the checks.
  std::optional<MeasuredSample> sample{};
};

/// Devices on which trees may be tried with these options, the likeliest first. Never empty: an unusable
/// device is refused when the engine is made.
std::vector<Device> places_for_trees(const EngineOptions& options, const Gravity& gravity);

/// "force error 8.3e-04 (7.0e-04 to 9.8e-04, 99 % of 1000 bodies)".
std::string error_in_words(const ForceErrors& errors);

/// The plan that needs no measurement: direct sums if they are requested, or if nothing else is possible.
/// UsageError if the named solver is impossible.
std::optional<Plan> plain(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
                          const SolverRequest& request);

/// Makes a plan. UsageError if the request cannot be met. `progress` is called with messages; `options` have
/// the backend, precision and threads of direct sums, which `make` makes. `evaluations`: number in the run
/// that the plan is for; it bounds the search (Budget). `clock` measures all times.
Plan plan(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
          const SolverRequest& request, const MakeEngine& make, const Progress& progress,
          Search search = Search::whole, double evaluations = 0, TimeSource clock = seconds);

/// One evaluation by direct sums of all bodies, from a part of them when they are many.
struct DirectSums {
  double seconds = 0;
  std::size_t measured = 0;  ///< bodies; when there are more, seconds are scaled by the square
  int gpus = 0;              ///< 0: on the processor
};
/// `most`: number of bodies that are measured; 0: as many as are needed for a good measurement.
DirectSums time_direct_sums(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
                            const MakeEngine& make, std::size_t most = 0, TimeSource clock = seconds);

}  // namespace pleiad::tune
