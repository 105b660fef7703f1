/// Fused steps on several devices, many in one launch on each: the kernels of steps/ whose work divides.
/// Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/multi_gpu/devices.hpp"

#include <pleiad/gravity.hpp>
#include <pleiad/kernel/steps.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace pleiad::cuda {

/// Arrays of a device, which owns the bodies `first` to `first` + `count` - 1 of all.
template <class P>
struct OwnBodies {
  using Real = typename P::Position;
  std::size_t first = 0, count = 0;
  const Mass<Real>* now = nullptr;  ///< all positions, of which it reads its own
  Mass<Real>* then = nullptr;       ///< positions of all bodies after the steps; every device can write there
  Vec4<Real>* velocities = nullptr;  ///< its own
  Vec4<typename P::Sum>* sums = nullptr;
};

/// Steps of one set of bodies.
template <class P>
class MultiGpuSteps {
 public:
  using Program = StepProgram<typename P::Position>;
  virtual ~MultiGpuSteps() = default;
  /// Queues steps, as in StepProblem, on all devices; the results of earlier steps must be on all of them. A
  /// device barrier must follow, because no device knows when the others have written their positions.
  virtual void run(std::span<const OwnBodies<P>> own, const Program& program, bool forces_current,
                   std::uint64_t steps, const LaunchShape& shape) = 0;
  virtual std::size_t bytes_per_device() const = 0;
};

/// The steps of n bodies by the kernel of that name, with its bits; null where its work does not divide.
/// `own`: the bodies at present, with positions on every device. Blocks until they are prepared.
template <class P>
std::unique_ptr<MultiGpuSteps<P>> multi_gpu_steps(std::string_view kernel, Devices& devices, std::size_t n,
                                                  const Gravity& gravity, std::span<const OwnBodies<P>> own);

}  // namespace pleiad::cuda
