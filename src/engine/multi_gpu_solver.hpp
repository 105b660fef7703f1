/// Solvers for the accelerations of bodies on several GPUs: each GPU has all positions and gets the sums of
/// its own bodies. Results are those of a ForceSolver on one GPU, bit for bit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/multi_gpu/devices.hpp"
#include "cuda/multi_gpu/exchange.hpp"
#include "cuda/tree/request.hpp"
#include "engine/device_kernels.hpp"

#include <pleiad/gravity.hpp>
#include <pleiad/kernel/direct.hpp>
#include <pleiad/kernel/force_method.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace pleiad {

/// Arrays in the memory of one GPU.
template <class P>
struct OnGpu {
  using Real = typename P::Position;
  std::size_t first = 0, count = 0;         ///< its own bodies among all
  std::span<const Mass<Real>> bodies{};     ///< all
  std::span<Vec4<typename P::Sum>> sums{};  ///< of its own, where every GPU can write
};

/// P: the precision policy.
template <class P>
class MultiGpuSolver {
 public:
  virtual ~MultiGpuSolver() = default;
  /// Queues all work and exchanges of the GPUs, after which each has the sums of its bodies. Every GPU must
  /// have all positions.
  virtual void evaluate(std::span<const OnGpu<P>> gpus, bool potential) = 0;
  /// Bytes of memory on all GPUs.
  virtual std::size_t bytes() const = 0;
};

/// Data that every solver needs.
struct MultiGpuPlace {
  cuda::Devices& devices;
  cuda::Exchange exchange = cuda::Exchange::direct;
  Gravity gravity;
  double heaviest = 0;  ///< see PairProblem
};

/// All bodies, on those of one GPU.
template <class P>
PairProblem<P> own_problem(const MultiGpuPlace& place, int device, const OnGpu<P>& gpu, bool potential) {
  return {.targets = gpu.bodies.subspan(gpu.first, gpu.count),
          .sources = gpu.bodies,
          .sums = gpu.sums,
          .softening = place.gravity.softening,
          .heaviest = place.heaviest,
          .boundary = place.gravity.boundary,
          .self = static_cast<std::ptrdiff_t>(gpu.first),
          .potential = potential,
          .stream = place.devices.stream(device)};
}

/// Direct sums by a kernel. UsageError if they cannot be divided.
template <class P>
std::unique_ptr<MultiGpuSolver<P>> make_multi_gpu_sums(const MultiGpuPlace& place, const ForceMethod& method,
                                                       std::span<const std::size_t> counts);
/// The same where only the bodies with the numbers `massive` have mass: see make_device_particle_solver.
template <class P>
std::unique_ptr<MultiGpuSolver<P>> make_multi_gpu_particle_sums(const MultiGpuPlace& place,
                                                                const ForceMethod& method,
                                                                std::span<const std::size_t> counts,
                                                                std::span<const std::size_t> massive);
/// A tree of n bodies.
template <class P>
std::unique_ptr<MultiGpuSolver<P>> make_multi_gpu_tree(const MultiGpuPlace& place,
                                                       const TreeSettings& settings, std::size_t n,
                                                       cuda::tree::FirstRoom room = {});

/// `counts`: the bodies that each GPU owns. `massive`: with direct sums, the numbers of the bodies with mass,
/// where others are test particles; else nothing. UsageError for a kernel or tree that cannot be divided.
template <class P>
std::unique_ptr<MultiGpuSolver<P>> make_multi_gpu_solver(
    const MultiGpuPlace& place, const ForceMethod& method, std::span<const std::size_t> counts,
    const std::optional<std::vector<std::size_t>>& massive = {});

}  // namespace pleiad
