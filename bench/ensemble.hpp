/// Many small systems at once: full steps of all systems together.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/scan.hpp"

#include <pleiad/precision.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace pleiad::bench {

struct EnsembleBench {
  std::size_t systems = 10000;
  std::vector<std::size_t> sizes;     ///< bodies of a system; empty: 64
  std::vector<Precision> precisions;  ///< empty: all
  std::string kernel = "auto", backend = "auto";
  double budget_seconds = 0.5;  ///< per row
};

/// Leapfrog steps of Plummer spheres, each from a seed of its own. steps_per_second counts steps of all
/// systems together, interactions all of theirs. Errors are those of the pulls that a step is made of, over
/// some bodies of the first, middle and last systems; the hash is that of all systems after 16 steps.
Report measure_ensemble(const EnsembleBench& options, const Progress& progress);

}  // namespace pleiad::bench
