/// One force evaluation as an experiment: bodies, marked outputs, and errors against the reference.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/gpu.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/kernel/choice.hpp>
#include <pleiad/kernel/direct.hpp>
#include <pleiad/kernel/steps.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace pleiad::bench {

/// The relative error |da| / |a| over a sample of bodies.
struct ForceError {
  double rms = 0, p99 = 0, max = 0;
  std::size_t sample = 0;
  /// The largest |da| in units of what rounding can explain (see force_problem.cpp): a sound kernel stays
  /// below 1. NaN is not below 1.
  double excess = 0;
};

/// A self-gravitating set of bodies in one precision, and the arrays that a kernel fills.
class ForceProblem {
 public:
  virtual ~ForceProblem() = default;
  virtual std::size_t size() const = 0;
  virtual Masses masses() const = 0;
  /// Fills the outputs with a NaN of one known pattern.
  virtual void poison() = 0;
  virtual void evaluate(const DirectKernel& kernel, const LaunchShape& shape) = 0;
  /// The pulls that a kernel of fused steps computes before its first step.
  virtual void evaluate(const StepKernel& kernel, const LaunchShape& shape) = 0;
  /// Pulls that something else has computed for these bodies, to be judged as if a kernel had.
  virtual void take(std::span<const Vec3<double>> pulls) = 0;
  /// Seconds that `count` evaluations take: by the host's clock, and on a GPU by the GPU's. With `cold` the
  /// GPU's L2 cache holds none of the bodies at the start.
  virtual double seconds(const DirectKernel& kernel, const LaunchShape& shape, int count, bool cold);
  /// How the last evaluation's launch filled the GPU; nothing for a kernel on the CPU.
  virtual std::optional<GpuFill> fill() const { return {}; }
  /// What is wrong with the outputs ("left 3 of 256 sums unwritten, the first that of body 7"), or "" when
  /// all are written and finite.
  virtual std::string unwritten() const = 0;
  /// Against the reference on the sample, which is computed on first use.
  virtual ForceError error() = 0;
};

std::unique_ptr<ForceProblem> make_force_problem(const Bodies& bodies, Softening softening,
                                                 Precision precision, const Boundary& space = {});

}  // namespace pleiad::bench
