/// What the run of an ensemble says at its end, on stdout and in summary.json.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/ensemble/outputs.hpp"
#include "run/spent.hpp"

#include <string>

namespace pleiad::run {

struct EnsembleSummary {
  const Ensemble& ensemble;
  const EnsembleOutputs& outputs;
  RunDirectory& directory;
  const Scan& scan;
  const Options& options;
  double seconds, time;
  const Spent& spent;
  std::string stopped_by;  ///< "" at the end
};
/// Writes summary.json and prints the same as JSON or as words.
void print_summary(const EnsembleSummary& summary, bool json);

}  // namespace pleiad::run
