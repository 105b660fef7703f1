/// Grids on several devices that work as one: launched on all, with a barrier at which all their blocks wait.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/barrier.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/device/ptx.hpp"
#include "cuda/multi_gpu/device_barrier.hpp"

#include <string_view>
#include <tuple>
#include <vector>

namespace pleiad::cuda {

/// Each block reports its arrival to every device, and polls the memory of its own until all have arrived:
/// one way over the link between devices, not two as with a block that reports for all. The counts continue
/// from launch to launch, so that no device must know whether another one has begun.
class DeviceBarrier {
 public:
  __device__ explicit DeviceBarrier(const BarrierState& m) : m_(m), goal_(*m.passed) {}
  /// Writes of any thread on any device before it are visible to every thread after it. If a device does not
  /// arrive, the host is notified, and no further barrier waits.
  __device__ void wait() {
    goal_ += gridDim.x;
    __syncthreads();
    if (threadIdx.x < 32) {
      const int other = static_cast<int>(threadIdx.x);
      if (other < m_.devices) arrive_for_all(m_.arrived[other] + m_.me);
      __syncwarp();
      if (other < m_.devices && !given_up_) given_up_ = !comes(other);
    }
    __syncthreads();
  }
  /// After the last barrier.
  __device__ void end() const {
    if (blockIdx.x == 0 && threadIdx.x == 0) *m_.passed = goal_;
  }

 private:
  __device__ bool comes(int other) const {
    const auto* const count = m_.arrived[m_.me] + other;
    const auto begin = nanoseconds();
    for (unsigned polls = 1; load_from_any(count) < goal_; ++polls) {
      spin();
      // The clock and the host's memory are far away: seldom.
      if (polls % 4096 != 0) continue;
      if (*m_.stop != 0) return false;
      if (nanoseconds() - begin > patience_seconds * 1'000'000'000) {
        *m_.late = 1 + other;
        *m_.stop = 1;
        return false;
      }
    }
    return true;
  }

  const BarrierState& m_;
  BarrierState::Number goal_;  ///< arrivals of each device when all have come
  bool given_up_ = false;
};

/// kernel(arguments[d]...) on every device d, in the order of its stream; their blocks may wait for each
/// other. UsageError where not all blocks of a device run at once.
template <class... Parameters>
void launch_on_all(std::string_view name, void (*kernel)(Parameters...), const Grid& grid,
                   const Devices& devices, const std::vector<std::tuple<Parameters...>>& arguments) {
  // Driver work of a first launch is done before some kernel waits for the others.
  devices.each([&](int) { need_launchable(reinterpret_cast<const void*>(kernel), name, grid); });
#ifdef PLEIAD_EMULATE_CUDA
  emulator::run_grid(
      {grid.blocks, 1, static_cast<unsigned>(devices.size())}, {grid.threads, 1, 1}, grid.shared_bytes,
      [&] { std::apply(kernel, arguments[blockIdx.z]); }, true);
#else
  devices.each([&](int d) {
    std::apply([&](const auto&... each) { launch(name, kernel, grid, devices.stream(d), each...); },
               arguments[static_cast<std::size_t>(d)]);
  });
#endif
}

}  // namespace pleiad::cuda
