/// The published benchmarks of GPU kernels as lists of points: a rung in a launch shape for a number of
/// bodies, beside what was published for it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/experiments.hpp"
#include "bench/gpu_scan.hpp"
#include "bench/multi_gpu.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pleiad::bench {

struct GpuPoint {
  std::string variant;  ///< in the publication's words
  std::string kernel;   ///< empty: nothing to measure, the published figure only
  LaunchShape shape{};
  std::size_t n = 0;
  std::optional<double> published{};
  std::string published_on{};  ///< the hardware of that figure
  /// Full steps beside forces, on so many GPUs, which exchange in this way; 0: forces alone, on one. The
  /// kernel "auto" is what the engine chooses when it may use so many; a kernel on the CPU has 1.
  int gpus = 0;
  std::optional<cuda::Exchange> exchange{};
  bool increments = false;  ///< each adds velocity increments in the memory of all others; no exchange
};

struct GpuPoints {
  std::vector<GpuPoint> points;
  Column published;  ///< the unit of the published figures
};

/// Their table without rows, with the unit of the published figures.
Table points_table(const Column& published);

/// A row per point, in the points' order. A shape that the GPU cannot launch has a row without figures and
/// the reason in words; a measurement that fails a guard is listed in `refused`. A kernel on the CPU is
/// measured on one thread. A point for more GPUs than there are, or for one where there is none, has the
/// published figure and the reason; ResourceError when its kernel was asked for by name.
Report measure_points(const GpuPoints& what, const ExperimentOptions& options, const Progress& progress);

}  // namespace pleiad::bench
