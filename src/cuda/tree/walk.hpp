/// Common part of the warps that walk down the tree: a stack of cells that wait to be tested.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/launch.hpp"
#include "cuda/device/ptx.hpp"
#include "cuda/tree/images.hpp"

namespace pleiad::cuda::tree {

constexpr unsigned walk_warps = 8;  ///< of a block
/// Places on the stack of one warp. Taken one by one, cells need 7 per level at most, so that fewer are taken
/// at a time when room gets scarce, and it never ends.
constexpr int stack_room = 1024, stack_reserve = 7 * deepest;
constexpr unsigned stack_bytes = walk_warps * stack_room * unsigned(sizeof(std::uint32_t));
constexpr unsigned most_walks = 1056;  ///< blocks that a large GPU runs at once, and again

/// Number of cells to take from a stack of `top`, one per lane at most.
__device__ inline int to_take(int top, int room = stack_room) {
  const int scarce = (room - stack_reserve - top) / 7;
  const int most = scarce > 32 ? 32 : scarce > 1 ? scarce : 1;
  return top < most ? top : most;
}

/// Adds `count` cells from `first` on, of each lane, to the stack.
__device__ inline void push(std::uint32_t first, std::uint32_t count, std::uint32_t* stack, int& top) {
  int upto = int(count);
  for (int by = 1; by < 32; by *= 2) {
    const int other = __shfl_up_sync(~0u, upto, by);
    if (lane_id() >= by) upto += other;
  }
  const int at = top + upto - int(count);
  for (std::uint32_t k = 0; k < count; ++k) stack[unsigned(at) + k] = first + k;
  top += __shfl_sync(~0u, upto, 31);
  __syncwarp();
}

/// Adds the roots of the images from `first` on, as many as there are lanes.
__device__ inline void push_roots(std::uint32_t first, const Images& images, std::uint32_t* stack, int& top) {
  const std::uint32_t image = first + unsigned(lane_id());
  push(image << images.cell_bits, image < images.count ? 1 : 0, stack, top);
}

}  // namespace pleiad::cuda::tree
