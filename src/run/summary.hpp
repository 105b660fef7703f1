/// What a run says at its end, on stdout and in summary.json.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/outputs.hpp"
#include "run/spent.hpp"

#include <string>

namespace pleiad::run {

struct Summary {
  Simulation& simulation;
  Outputs& outputs;
  RunDirectory& directory;
  const Options& options;
  double seconds;
  const Spent& spent;
  const std::optional<ForceErrors>& force_errors;  ///< as last measured
  std::string stopped_by;                          ///< "" at the end
  std::string state_hash;
};

/// Writes summary.json, prints the same as JSON or as words, and the trajectory table if asked for.
void print_summary(const Summary& summary, bool json);

}  // namespace pleiad::run
