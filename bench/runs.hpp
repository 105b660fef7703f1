/// Complete runs as a user starts them: `pleiad run` in a separate process, with its time divided into
/// parts.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/report.hpp"
#include "bench/scan.hpp"

#include <pleiad/kernel/direct.hpp>
#include <pleiad/precision.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::bench {

/// A Plummer sphere, eps = 0.001, leapfrog steps of 1/4096. Intervals of 0 are left to the program.
struct RunCase {
  std::string_view name;
  Device device = Device::cpu;
  std::size_t n = 0;
  std::uint64_t steps = 0;
  Precision precision = Precision::f32;
  double accuracy = 0;  ///< 0: direct sums
  std::uint64_t rows = 0, snapshots = 0, pictures = 0;
  double checkpoint_seconds = 600;
  /// What the whole run may take, over the time of its steps alone; 0: no goal.
  double goal = 0;
};
std::span<const RunCase> run_cases();

struct RunsOptions {
  std::filesystem::path program;    ///< that is run
  std::filesystem::path directory;  ///< where runs write, on the disk that is meant
  std::vector<std::string>
      cases;                  ///< by their names; none: all of the GPU if there is one, else of the processor
  int threads = 0, gpus = 0;  ///< 0: left to the program
  bool quick = false;         ///< a sixty-fourth of the bodies, and fewer steps
};
/// A row per case: seconds of the whole, what it spent them on, and the same steps by the engine alone. What
/// runs wrote is deleted. A run that fails has no row and is listed in `refused`. UsageError for a case that
/// there is not; ResourceError for one of a GPU without one.
Report measure_runs(const RunsOptions& options, const Progress& progress);

}  // namespace pleiad::bench
