/// What a whole step costs beyond its force evaluation.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/scan.hpp"

#include <pleiad/precision.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace pleiad::bench {

struct StepOptions {
  std::vector<std::size_t> sizes{256};
  std::vector<Precision> precisions{Precision::f32, Precision::mixed, Precision::f64};
  std::vector<int> threads;     ///< empty: one, and all of the machine's
  std::string kernel = "auto";  ///< as the engine chooses it
  double budget_seconds = 1;    ///< per row
};

/// Leapfrog steps (kick-drift-kick) of a Plummer sphere through the engine, against bare evaluations of the
/// same kernel in the same minute: batches of both take turns, so that whatever else the machine does meets
/// both.
Report step_overhead(const StepOptions& options, const Progress& progress);

}  // namespace pleiad::bench
