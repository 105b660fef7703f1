/// Rung 6, unroll: the loop over a tile is unrolled 32 times, so that counter, branch and shared memory
/// addresses are computed once for 32 interactions.
/// Before: the compiler unrolls the tile rung 4 times by itself, with 5 loop instructions per 4
/// interactions.
/// Cost per interaction: one 16-byte broadcast from shared memory, 13 instruction slots, 14.16 instructions
/// instead of 15.25. The code grows to 32 pairs, and the remainder of a tile uses a loop with single steps.
/// 40 registers instead of 32 allow 6 blocks of 256 per multiprocessor instead of 8.
/// Measured on an H200, in blocks of 256: 1821 G/s at N = 65536 and 1785 at 245760; the tile rung has 1642
/// and 1694, a gain of 11 % and 5 %.
/// Where it loses: nowhere, but the compiler's own unrolling already had most of the gain. On half a Tesla
/// K80 it gave 85 against 69 (N = 131072).
/// Limit now: the tail at N = 245760, 960 blocks of which 792 are resident at once.
/// Question: the read of the second source could start before the first pair is finished. Does it help to
/// write this explicitly?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

template <class P, class Pull>
__global__ void unroll(const Mass<typename P::Position>* __restrict__ targets, std::size_t n_targets,
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
#pragma unroll 32
    for (unsigned j = 0; j < count; ++j) pull_of(sum, target, i, staged[j], first + j);
    __syncthreads();
  }
  if (i < n_targets) sums[i] = sum;
}

template <class P>
void run(const PairProblem<P>& p, const LaunchShape& shape) {
  const unsigned threads = shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 256;
  const std::size_t n = p.targets.size();
  const unsigned bytes = threads * sizeof(Mass<typename P::Position>);
  cuda::need_plain(p, "cuda/unroll");
  const cuda::Pair<P, false, false> pull_of(p);
  cuda::launch("cuda/unroll", unroll<P, cuda::Pair<P, false, false>>,
               {.blocks = cuda::ceil_div(n, threads), .threads = threads, .shared_bytes = bytes}, p.stream,
               p.targets.data(), n, p.sources.data(), p.sources.size(), p.sums.data(), pull_of);
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 256}, LaunchShape{.threads_per_block = 128},
                            LaunchShape{.threads_per_block = 1024}, LaunchShape{.threads_per_block = 31}};

}  // namespace

extern constinit const DirectKernel cuda_unroll{
    .name = "cuda/unroll",
    .rung = 106,
    .idea = "the loop over a tile is unrolled 32 times, so that its counter and branch cost next to nothing",
    .device = Device::cuda,
    .traits = {.periodic = false, .potential = false},
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 40},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
