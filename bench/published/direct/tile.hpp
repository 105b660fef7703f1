/// The kernel of the tile rung with any pull, and its launch: what the rungs 16 to 22 and the kernels of
/// builds/ share.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/direct/rung.hpp"

namespace pleiad::cuda {

template <class P, class Pull>
__global__ void tile(const Mass<typename P::Position>* __restrict__ targets, std::size_t n_targets,
                     const Mass<typename P::Position>* __restrict__ sources, std::size_t n_sources,
                     Vec4<typename P::Sum>* __restrict__ sums, Pull pull_of) {
  auto* staged = dynamic_shared<Mass<typename P::Position>>();
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // No early return: a thread without a target still stages sources and meets the barriers.
  const auto target = targets[i < n_targets ? i : 0];
  Vec4<typename P::Sum> sum;
  for (std::size_t first = 0; first < n_sources; first += blockDim.x) {
    const std::size_t mine = first + threadIdx.x;
    if (mine < n_sources) staged[threadIdx.x] = sources[mine];
    __syncthreads();
    const unsigned count =
        n_sources - first < blockDim.x ? static_cast<unsigned>(n_sources - first) : blockDim.x;
    for (unsigned j = 0; j < count; ++j) pull_of(sum, target, i, staged[j], first + j);
    __syncthreads();
  }
  if (i < n_targets) sums[i] = sum;
}

/// Launches a kernel with a thread per target and a source per thread in shared memory.
template <class P, class Kernel, class Pull>
void launch_tiles(const char* rung, Kernel* kernel, const PairProblem<P>& p, const LaunchShape& shape,
                  const Pull& pull_of) {
  const unsigned threads = shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 256;
  const std::size_t n = p.targets.size();
  const unsigned bytes = threads * sizeof(Mass<typename P::Position>);
  launch(rung, kernel, {.blocks = ceil_div(n, threads), .threads = threads, .shared_bytes = bytes}, p.stream,
         p.targets.data(), n, p.sources.data(), p.sources.size(), p.sums.data(), pull_of);
}

inline constexpr std::array tile_shapes{LaunchShape{.threads_per_block = 256},
                                        LaunchShape{.threads_per_block = 128},
                                        LaunchShape{.threads_per_block = 31}};

}  // namespace pleiad::cuda
