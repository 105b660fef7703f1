/// Rung 5, shuffle: a warp keeps 32 sources in its registers and rotates them by shuffles, without shared
/// memory and without a barrier of the block.
/// Before: rung 4 stops the whole block twice per tile.
/// Cost per interaction: 4 shuffles and 13 slots of arithmetic, 17 in single precision (a double takes two
/// shuffles: 8 of them), 19.5 instructions in all. A multiprocessor shuffles for one warp per clock but adds
/// for four, so the 4 shuffles alone take as long as 16 slots. A source is read from global memory once per
/// warp.
/// Measured on an H200: 1189 G/s at N = 245760, 0.68 of rung 4.
/// Where it loses: to the tile rung, whose 16-byte broadcast is one instruction instead of four. On a Tesla
/// K20c it was the best of its five (6.84 ms at N = 16384 against 7.04 for the tile and 7.20 for rung 4; here
/// 0.67 against 0.44 and 0.39).
/// Limit now: the shuffles. An idea that avoids a cost (the barrier) must cost less than what it avoids.
/// Question: rung 2 spends 2.25 of its 15.25 instructions on the loop and the broadcast. Which of them can be
/// made less often?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

constexpr unsigned warp = 32;

template <class T>
__device__ Mass<T> shuffled(Mass<T> mine, unsigned lane) {
  const int from = static_cast<int>(lane);
  return {__shfl_sync(~0u, mine.x, from), __shfl_sync(~0u, mine.y, from), __shfl_sync(~0u, mine.z, from),
          __shfl_sync(~0u, mine.m, from)};
}

template <class P, class Pull>
__global__ void shuffle(const Mass<typename P::Position>* __restrict__ targets, std::size_t n_targets,
                        const Mass<typename P::Position>* __restrict__ sources, std::size_t n_sources,
                        Vec4<typename P::Sum>* __restrict__ sums, Pull pull_of) {
  const unsigned lane = threadIdx.x % warp;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  // By the warp's first target: a shuffle needs all lanes, also those without a target.
  for (std::size_t group = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane; group < n_targets;
       group += stride) {
    const std::size_t i = group + lane;
    const auto target = targets[i < n_targets ? i : 0];
    Vec4<typename P::Sum> sum;
    for (std::size_t first = 0; first < n_sources; first += warp) {
      const std::size_t mine = first + lane;
      const auto source = mine < n_sources ? sources[mine] : Mass<typename P::Position>{};
      const unsigned count = n_sources - first < warp ? static_cast<unsigned>(n_sources - first) : warp;
      for (unsigned j = 0; j < count; ++j) pull_of(sum, target, i, shuffled(source, j), first + j);
    }
    if (i < n_targets) sums[i] = sum;
  }
}

/// 16 blocks of 128 threads fill a multiprocessor; an H200 has 132.
constexpr unsigned resident_blocks = 16 * 132;

template <class P>
void run(const PairProblem<P>& p, const LaunchShape& shape) {
  const unsigned threads = shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 128;
  cuda::need(threads % warp == 0, "cuda/shuffle",
             std::to_string(threads) + " threads per block; it must be a multiple of 32, whole warps");
  const std::size_t n = p.targets.size();
  const unsigned blocks = shape.blocks > 0 ? static_cast<unsigned>(shape.blocks)
                                           : std::min(cuda::ceil_div(n, threads), resident_blocks);
  cuda::with_pair(p, [&](auto pull_of) {
    cuda::launch("cuda/shuffle", shuffle<P, decltype(pull_of)>, {.blocks = blocks, .threads = threads},
                 p.stream, p.targets.data(), n, p.sources.data(), p.sources.size(), p.sums.data(), pull_of);
  });
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 128}, LaunchShape{.threads_per_block = 256},
                            LaunchShape{.threads_per_block = 128, .blocks = 128},
                            LaunchShape{.threads_per_block = 32, .blocks = 3}};

}  // namespace

extern constinit const DirectKernel cuda_shuffle{
    .name = "cuda/shuffle",
    .rung = 105,
    .idea = "a warp keeps 32 sources in its registers and rotates them by shuffles",
    .device = Device::cuda,
    .fma_port_operations = {.f32 = 17, .f64 = 40, .mixed = 48},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
