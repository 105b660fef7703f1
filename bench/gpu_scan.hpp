/// The scan on a GPU: kernels x precisions x numbers of bodies x launch shapes.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/scan.hpp"

#include <span>
#include <vector>

namespace pleiad::bench {

/// What to measure; an empty list means a default choice (shapes: each kernel's own choice).
struct GpuScanOptions {
  std::span<const DirectKernel* const> kernels;
  std::vector<std::size_t> sizes;
  std::vector<Precision> precisions;
  std::vector<Masses> masses;  ///< else equal ones, and any too for kernels that compute each pair once
  std::vector<LaunchShape> shapes;
  bool all_shapes = false;  ///< those that each kernel lists
  TimingRules rules;
};

/// Plummer spheres as in scan(), one evaluation per row, timed by the GPU. What a kernel does not take, it
/// refuses with UsageError. A kernel that computes each pair once has forms of its own for equal masses: its
/// rate depends on them. In a one-sided sum a mass is a factor, whatever it is.
Report gpu_scan(const GpuScanOptions& options, const Progress& progress);

}  // namespace pleiad::bench
