/// The scan: kernels x precisions x threads x numbers of bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/measure.hpp"
#include "bench/report.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace pleiad::bench {

/// Told what is measured now.
using Progress = std::function<void(const std::string&)>;

/// What to measure; an empty list means all (threads: one, and all of the machine's).
struct ScanOptions {
  std::span<const DirectKernel* const> kernels;
  std::vector<std::size_t> sizes;
  std::vector<Precision> precisions;
  std::vector<int> threads;
  TimingRules rules;
  double longest_seconds =
      2;  ///< with the default sizes: a kernel stops growing before one evaluation takes longer
};

/// Plummer spheres with eps = 0.01 in Henon units, one evaluation of the forces per row. A measurement that
/// fails a guard has no row and is listed in `refused`.
Report scan(const ScanOptions& options, const Progress& progress, const PeakMeter& peak = {});

/// The catalogue: what each rung is, has and promises.
Report list_kernels(std::span<const DirectKernel* const> kernels);

}  // namespace pleiad::bench
