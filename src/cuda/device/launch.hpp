/// Validated kernel launches: refused with a message if they cannot run, and checked afterwards.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/cuda.hpp"
#include "cuda/device/grid.hpp"

#include <cstddef>
#include <string_view>
#include <tuple>

namespace pleiad::cuda {

/// UsageError naming the limit when the kernel cannot run in this shape on the present device: threads per
/// block (also by registers), shared memory, grid size, clusters, blocks that run together. Raises the
/// kernel's limit of dynamic shared memory where the device allows it.
void need_launchable(const void* kernel, std::string_view name, const Grid& grid);
/// Number of blocks of this shape that run at once on the present device: the most for a grid whose blocks
/// wait for each other. 0 if not even one fits.
unsigned coresident_blocks(const void* kernel, std::string_view name, const Grid& grid);
/// Launches a grid of clusters, or one whose blocks run together.
void launch_coupled(const void* kernel, const Grid& grid, void* stream, void** arguments);
/// The error state after a launch, as an Error that names the kernel.
void check_launch(std::string_view name);

/// kernel(args...) on `grid`, in the order of `stream`. An empty grid is no launch at all.
template <class... Parameters, class... Arguments>
void launch(std::string_view name, void (*kernel)(Parameters...), const Grid& grid, void* stream,
            Arguments... arguments) {
  if (grid.blocks == 0 || grid.blocks_y == 0) return;
  need_launchable(reinterpret_cast<const void*>(kernel), name, grid);
#ifdef PLEIAD_EMULATE_CUDA
  (void)stream;
  emulator::run_grid(
      {grid.blocks, grid.blocks_y, 1}, {grid.threads, grid.threads_y, 1}, grid.shared_bytes,
      [&] { kernel(Parameters(arguments)...); }, grid.together, grid.cluster);
#else
  if (grid.together || grid.cluster > 1) {
    std::tuple<Parameters...> values(static_cast<Parameters>(arguments)...);
    std::apply(
        [&](auto&... value) {
          void* pointers[]{const_cast<void*>(static_cast<const void*>(&value))...};
          launch_coupled(reinterpret_cast<const void*>(kernel), grid, stream, pointers);
        },
        values);
  } else {
    kernel<<<dim3(grid.blocks, grid.blocks_y), dim3(grid.threads, grid.threads_y), grid.shared_bytes,
             static_cast<cudaStream_t>(stream)>>>(Parameters(arguments)...);
  }
#endif
  check_launch(name);
}

}  // namespace pleiad::cuda
