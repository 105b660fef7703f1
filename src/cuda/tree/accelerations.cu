/// The least acceleration of the bodies of each cell: a walk with monopoles only, a warp per cell of some
/// hundred bodies, as AccelerationWalk in src/tree/cpu/accelerations.cpp. It depends on the present positions
/// only, so that a resumed run needs no stored values.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/tree/build.hpp"
#include "cuda/tree/field_at.hpp"
#include "cuda/tree/walk.hpp"
#include "tree/scales.hpp"

#include <algorithm>

namespace pleiad::cuda::tree {
namespace {

using pleiad::tree::feel_the_same;

/// Where accelerations cancel, near the middle, relative accuracy would cost more than it is worth.
constexpr float least_share = 0.1f;

__device__ bool ends(const Cell& cell, std::uint32_t coarse) {
  return cell.children == 0 || cell.end - cell.begin <= coarse;
}

/// The sum over the lanes, the same in each.
__device__ float summed(float v) {
  for (int by = 16; by > 0; by /= 2) v += __shfl_xor_sync(~0u, v, by);
  return v;
}

/// Accelerations at a place: their sum, and the sum of the strengths of those that count: the sum of all
/// images' has no end.
struct Accelerations {
  float x = 0, y = 0, z = 0, all = 0;

  /// Adds the acceleration by a mass at the distance of the far side of the target.
  __device__ void add(float dx, float dy, float dz, float R2, float r, float eps2, float mass, bool counts) {
    const float reach = sqrtf(R2) + r, size2 = fma_rn(reach, reach, eps2);
    if (!(size2 > 0)) return;
    const float i = rsqrt_approx(size2), f = mass * i * i, per = f * i;
    x = fma_rn(per, dx, x), y = fma_rn(per, dy, y), z = fma_rn(per, dz, z);
    if (counts) all += f;
  }
  __device__ float strength() const {
    const float sx = summed(x), sy = summed(y), sz = summed(z), least = least_share * summed(all);
    const float whole = sqrtf(sx * sx + sy * sy + sz * sz);
    return whole > least ? whole : least;
  }
};

template <bool in_box>
__device__ float acceleration_on(std::uint32_t c, const Cells& cells, const Images& images,
                                 const FurtherImages& further, const Frame& frame, std::uint32_t coarse,
                                 float eps2, std::uint32_t* stack) {
  const Place target = cells.places[c];
  const std::uint32_t first = cells.cells[c].begin;
  const int lane = lane_id();
  Accelerations accelerations;
  int top = 0;
  if constexpr (in_box) {
    for (std::uint32_t some = 0; some < images.count; some += 32) push_roots(some, images, stack, top);
  } else {
    push(0, lane == 0 ? 1 : 0, stack, top);
  }
  while (top > 0) {
    const int taken = to_take(top);
    top -= taken;
    const bool mine = lane < taken;
    const std::uint32_t entry = mine ? stack[top + lane] : 0, s = cell_of<in_box>(entry, images),
                        image = image_of<in_box>(entry, images);
    __syncwarp();
    const Place p = cells.places[s];
    const Cell cell = cells.cells[s];
    float dx = p.x - target.x, dy = p.y - target.y, dz = p.z - target.z;
    if constexpr (in_box)
      if (image != 0) {
        const Vec3<double> shift = images.shifts[entry >> images.cell_bits];
        dx += float(shift.x), dy += float(shift.y), dz += float(shift.z);
      }
    const float reach = p.r + target.r;
    const float R2 = fma_rn(dx, dx, fma_rn(dy, dy, dz * dz));
    const bool counts = R2 > reach * reach || ends(cell, coarse);
    // The same body: a tree of several GPUs may have a cell twice.
    const bool itself = image == 0 && cell.begin == first && cell.end - cell.begin == 1;
    if (mine && counts && !itself)
      accelerations.add(dx, dy, dz, R2, target.r, eps2, cells.strengths[s].mass, image == 0);
    const bool opened = mine && !counts;
    if (__ballot_sync(~0u, opened) != 0)
      push(image + cell.first_child, opened ? cell.children : 0, stack, top);
  }
  if constexpr (in_box)
    if (lane == 0) {
      const auto far = pull_at(further, frame,
                               {double(target.x) + frame.middle.x, double(target.y) + frame.middle.y,
                                double(target.z) + frame.middle.z});
      accelerations.x += far.x, accelerations.y += far.y, accelerations.z += far.z;
    }
  return accelerations.strength();
}

template <bool in_box>
__global__ void __launch_bounds__(32 * walk_warps)
    walk(Cells cells, Images images, FurtherImages further, const Frame* __restrict__ frame,
         std::uint32_t count) {
  auto* stack = dynamic_shared<std::uint32_t>() + threadIdx.x / 32 * stack_room;
  const float eps = float(frame->eps);
  const std::uint32_t few = feel_the_same(cells.cells[0].end - cells.cells[0].begin);
  for (std::uint32_t c = blockIdx.x * walk_warps + threadIdx.x / 32; c < count; c += gridDim.x * walk_warps) {
    if (!ends(cells.cells[c], few) || (c > 0 && ends(cells.cells[cells.parents[c]], few))) continue;
    const float acceleration =
        acceleration_on<in_box>(c, cells, images, further, *frame, few, eps * eps, stack);
    if (lane_id() != 0) continue;
    cells.strengths[c].acceleration = acceleration;
    // Positive numbers have the order of their bits. Values that another warp has not yet passed to the cells
    // above will follow.
    for (std::uint32_t q = c; q > 0;) {
      q = cells.parents[q];
      if (!(acceleration < *static_cast<const volatile float*>(&cells.strengths[q].acceleration))) break;
      atomicMin(reinterpret_cast<unsigned*>(&cells.strengths[q].acceleration), __float_as_uint(acceleration));
    }
  }
}

/// The cells below those that walked have the pull of those.
__global__ void hand_down(Cells cells, std::uint32_t count) {
  const std::uint32_t c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c == 0 || c >= count) return;
  const std::uint32_t few = feel_the_same(cells.cells[0].end - cells.cells[0].begin);
  std::uint32_t q = c;
  while (q > 0 && ends(cells.cells[cells.parents[q]], few)) q = cells.parents[q];
  if (q != c) cells.strengths[c].acceleration = cells.strengths[q].acceleration;
}

}  // namespace

void measure_accelerations(const Cells& cells, std::uint32_t count, const Images& images,
                           const FurtherImages& further, const Frame* frame, void* stream) {
  launch("tree accelerations", images.any() ? walk<true> : walk<false>,
         {.blocks = std::min(most_walks, blocks_for(count, walk_warps)),
          .threads = 32 * walk_warps,
          .shared_bytes = stack_bytes},
         stream, cells, images, further, frame, count);
  constexpr unsigned threads = 256;
  launch("tree accelerations of parts", hand_down, {.blocks = blocks_for(count, threads), .threads = threads},
         stream, cells, count);
}

}  // namespace pleiad::cuda::tree
