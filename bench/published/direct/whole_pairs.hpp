/// The kernel of rung 7 with a loop over whole pairs of sources, without a test before each pair: what rungs
/// 21 and 22 share.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/published/direct/tile.hpp"

namespace pleiad::cuda {

template <class P, class Pull>
__global__ void whole_pairs(const Mass<typename P::Position>* __restrict__ targets, std::size_t n_targets,
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
    const unsigned whole = count & ~1u;
#pragma unroll 32
    for (unsigned j = 0; j < whole; j += 2) {
      const auto even = staged[j], odd = staged[j + 1];
      pull_of(sum, target, i, even, first + j);
      pull_of(sum, target, i, odd, first + j + 1);
    }
    if (whole < count) pull_of(sum, target, i, staged[whole], first + whole);
    __syncthreads();
  }
  if (i < n_targets) sums[i] = sum;
}

}  // namespace pleiad::cuda
