/// Rung 27, shuffle forces: forces of bodies in four arrays, as in rung 23; a warp keeps 32 sources in its
/// registers and rotates them by shuffles, as in rung 5.
/// Before: rung 26 stops the whole block twice per tile.
/// Cost per interaction: 14 instruction slots and 4 shuffles, 18; 20.5 instructions. The four arrays cost
/// nothing here: a source is read once per warp, by 32 threads that read 32 neighbours of each array, and
/// then it is four registers in any case.
/// Measured on an H200: 0.726 ms for 16384 bodies with 256 blocks of 64 (370 G/s), 8 % more than rung 5.
/// Where it loses: to rung 26 (1129 G/s against 1512 at N = 245760), because a multiprocessor shuffles for
/// one warp per clock but adds for four. It was the best of its five on a Tesla K20c, 6.84 ms with 128 blocks
/// of 128.
/// Limit now: the shuffles.
/// Question: a K20c also shuffled for one warp per clock. What did its tile, rung 26, wait for instead?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/direct/forces.hpp"

namespace pleiad {
namespace {

constexpr unsigned warp = 32;

__device__ Mass<float> shuffled(Mass<float> mine, unsigned lane) {
  const int from = static_cast<int>(lane);
  return {__shfl_sync(~0u, mine.x, from), __shfl_sync(~0u, mine.y, from), __shfl_sync(~0u, mine.z, from),
          __shfl_sync(~0u, mine.m, from)};
}

__global__ void shuffle_forces(cuda::Arrays<float> targets, std::size_t n_targets,
                               cuda::Arrays<float> sources, std::size_t n_sources,
                               Vec4<float>* __restrict__ sums, cuda::AddForce add) {
  const unsigned lane = threadIdx.x % warp;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  // By the warp's first target: a shuffle needs all lanes, also those without a target.
  for (std::size_t group = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane; group < n_targets;
       group += stride) {
    const std::size_t i = group + lane;
    const auto target = cuda::target_of(targets[i < n_targets ? i : 0]);
    Vec4<float> force;
    for (std::size_t first = 0; first < n_sources; first += warp) {
      const std::size_t mine = first + lane;
      const auto source = mine < n_sources ? sources[mine] : Mass<float>{};
      const unsigned count = n_sources - first < warp ? static_cast<unsigned>(n_sources - first) : warp;
      for (unsigned j = 0; j < count; ++j) add(force, target, shuffled(source, j));
    }
    if (i < n_targets) sums[i] = cuda::pulls_of(force, target);
  }
}

void run(const PairProblem<F32>& p, const LaunchShape& shape) {
  const unsigned threads = cuda::threads_of(shape);
  cuda::need(threads % warp == 0, "cuda/shuffle-forces",
             std::to_string(threads) + " threads per block; it must be a multiple of 32, whole warps");
  cuda::launch_forces("cuda/shuffle-forces", shuffle_forces,
                      {.blocks = cuda::blocks_of(shape, p.targets.size()), .threads = threads}, p);
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 128},
                            LaunchShape{.threads_per_block = 128, .blocks = 128},
                            LaunchShape{.threads_per_block = 32, .blocks = 3}};

}  // namespace

extern constinit const DirectKernel cuda_shuffle_forces{
    .name = "cuda/shuffle-forces",
    .rung = 127,
    .idea = "forces G m_i m_j of bodies in four arrays; a warp rotates 32 sources by shuffles",
    .device = Device::cuda,
    .traits = {.periodic = false, .potential = false},
    .fma_port_operations = {.f32 = 18},
    .shapes = shapes,
    .f32 = run};

}  // namespace pleiad
