/// Measurements on a GPU: bodies in its memory, CUDA events, the limit of its rate, and occupancy. A build
/// without CUDA has the same functions, which refuse.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/peak.hpp"
#include "bench/published/builds/builds.hpp"

#include <pleiad/kernel/direct.hpp>
#include <pleiad/kernel/steps.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pleiad::bench {

struct Gpu {
  std::string name, driver, runtime;  ///< versions as "13.0"
  int multiprocessors = 0, lanes = 0;
  double clock = 0;  ///< Hz, measured under load
};

/// Why nothing can be measured on a GPU here, or "".
std::string why_no_gpu();
/// ResourceError with that reason when there is one.
Gpu this_gpu();

/// Kernels compiled in several ways; none without a GPU's kernels.
std::vector<const cuda::KernelBuild*> kernel_builds();

/// Instruction slots per second: multiprocessors x lanes x clock, the clock measured now. What costs on the
/// GPU are counted in.
double gpu_peak(const FmaKind& kind, int trials);

/// How the launch of a kernel fills the GPU.
struct GpuFill {
  unsigned blocks = 0, threads = 0;  ///< in all dimensions
  int registers = 0;                 ///< per thread
  std::size_t shared_bytes = 0;      ///< per block
  std::size_t local_bytes = 0;       ///< per thread: spilled registers
  int resident_blocks = 0;           ///< per multiprocessor
  double occupancy = 0;              ///< resident warps over the most there can be
  double waves = 0, tail = 0;        ///< how often the GPU is filled, and how full the last time
};

/// Bodies and sums in the memory of a GPU.
template <class P>
class GpuForces {
 public:
  virtual ~GpuForces() = default;
  virtual void put(std::span<const Vec4<typename P::Sum>> sums) = 0;
  virtual void get(std::span<Vec4<typename P::Sum>> sums) = 0;
  /// Seconds that the device spends on `count` evaluations; with `cold`, its L2 cache is filled with other
  /// things before.
  virtual double seconds(const DirectKernel& kernel, const LaunchShape& shape, int count, bool cold) = 0;
  /// The pulls that a kernel of fused steps computes when it is asked for no step.
  virtual void evaluate(const StepKernel& kernel, const LaunchShape& shape) = 0;
  /// Of the kernel's own launch in the last call of seconds().
  virtual GpuFill fill() const = 0;
};
template <class P>
std::unique_ptr<GpuForces<P>> make_gpu_forces(std::span<const Mass<typename P::Position>> bodies,
                                              const Softening& softening, const Boundary& space);

/// kernel.run<P>()(problem, shape) where all spans are the host's.
template <class P>
void evaluate_on_gpu(const DirectKernel& kernel, const PairProblem<P>& problem, const LaunchShape& shape);

}  // namespace pleiad::bench
