/// The summary of an ensemble run, and its part in summary.json.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/ensemble/outputs.hpp"
#include "run/summary.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace pleiad::run {

struct EnsembleSummary : Summary {
  std::size_t systems = 0, points = 0;  ///< of the scan
  double mean_time = 0;                 ///< mean time of the systems; `time`: the time that all have reached
  std::vector<std::pair<std::string, std::size_t>> statuses;
  /// Quantiles of the worst energy errors of systems that have not failed; NaN of none.
  double median_error = 0, high_error = 0, largest_error = 0;
  const char* energy_error_name = "dE/E";  ///< name with the reference of the energy errors
  std::size_t massless_systems = 0;        ///< that have massless bodies, and have not failed
  double largest_massless_change = 0;      ///< of their energies per mass
  std::size_t escaped = 0;
  double median_escape_time = 0;
};

/// Writes summary.json, and returns its content. `known` has the options, times and reason to stop of the
/// run.
EnsembleSummary summarised(EnsembleSummary known, const Scan& scan, const Ensemble& ensemble,
                           const EnsembleOutputs& outputs, RunDirectory& directory);

}  // namespace pleiad::run
