/// Full steps: force, kick and drift by the engine, and their overhead over the forces.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/scan.hpp"

#include <pleiad/precision.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace pleiad::bench {

/// What to measure; an empty list means a default choice.
struct StepsOptions {
  std::vector<std::size_t> sizes;  ///< 64, 256 ... 1048576, as far as a step takes less than longest_seconds
  std::vector<Precision> precisions;  ///< all
  std::vector<int> threads;           ///< of a processor: one, and all of the machine's
  /// Texts of choices (pleiad/kernel/choice.hpp), or auto, what the engine chooses. Empty: auto; on a GPU
  /// also the classic tile and all kernels for fused steps.
  std::vector<std::string> kernels;
  double budget_seconds = 0.25;  ///< per row
  double longest_seconds = 1;
};

/// Leapfrog steps (kick-drift-kick) of Plummer spheres. Batches of steps take turns with batches of bare
/// evaluations of the same kernel, so that whatever else the machine does meets both. Each row has the
/// forces' errors, and a hash of the state after some first steps, which must not depend on how they are
/// batched: a kernel that promises to be reproducible and is not has no figure, and is listed in `refused`.
Report measure_steps(const StepsOptions& options, const Progress& progress);

/// Its table without rows.
Table table_of_steps();

}  // namespace pleiad::bench
