/// Rung 24, tile forces: forces of bodies in four arrays, as in rung 23, with tiles as in rung 2: a block
/// stages m, x, y and z of its sources in four arrays of shared memory.
/// Before: rung 23 reads each source from global memory once per thread, in four pieces.
/// Cost per interaction: 14 instruction slots, and four 4-byte broadcasts from shared memory, which the
/// compiler combines to 2.75 when it unrolls: 18.75 instructions. Rungs 9 (only arrays, 17.75) and 19 (only
/// forces, 16.25) have one of the two changes each, the tile rung (15.25) none.
/// Measured on an H200: 0.455 ms for 16384 bodies in blocks of 128 (590 G/s), 3.5 % more than the tile rung;
/// 1.381 in blocks of 1024, 22 % more.
/// Where it loses: to the tile rung, by these reads and the product: 1446 G/s against 1751 at N = 245760.
/// Limit now: shared memory, as in rung 9.
/// Question: the best published time here is 7.04 ms on a K20c. How much of the gain over rung 23 comes from
/// the tile there, and how much on a GPU whose loads all use a first-level cache?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/direct/forces.hpp"

namespace pleiad {
namespace {

__global__ void tile_forces(cuda::Arrays<float> targets, std::size_t n_targets, cuda::Arrays<float> sources,
                            std::size_t n_sources, Vec4<float>* __restrict__ sums, cuda::AddForce add) {
  const auto staged = cuda::Arrays<float>::at(dynamic_shared<float>(), blockDim.x);
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // No early return: a thread without a target still stages sources and meets the barriers.
  const auto target = cuda::target_of(targets[i < n_targets ? i : 0]);
  Vec4<float> force;
  for (std::size_t first = 0; first < n_sources; first += blockDim.x) {
    const std::size_t mine = first + threadIdx.x;
    if (mine < n_sources) staged.set(threadIdx.x, sources[mine]);
    __syncthreads();
    const unsigned count =
        n_sources - first < blockDim.x ? static_cast<unsigned>(n_sources - first) : blockDim.x;
    for (unsigned j = 0; j < count; ++j) add(force, target, staged[j]);
    __syncthreads();
  }
  if (i < n_targets) sums[i] = cuda::pulls_of(force, target);
}

void run(const PairProblem<F32>& p, const LaunchShape& shape) {
  const unsigned threads = cuda::threads_of(shape);
  cuda::launch_forces("cuda/tile-forces", tile_forces,
                      {.blocks = cuda::ceil_div(p.targets.size(), threads),
                       .threads = threads,
                       .shared_bytes = threads * unsigned{sizeof(Mass<float>)}},
                      p);
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 128}, LaunchShape{.threads_per_block = 31}};

}  // namespace

extern constinit const DirectKernel cuda_tile_forces{
    .name = "cuda/tile-forces",
    .rung = 124,
    .idea = "forces G m_i m_j of bodies in four arrays, staged in shared memory by each block",
    .device = Device::cuda,
    .traits = {.periodic = false, .potential = false},
    .fma_port_operations = {.f32 = 14},
    .shapes = shapes,
    .f32 = run};

}  // namespace pleiad
