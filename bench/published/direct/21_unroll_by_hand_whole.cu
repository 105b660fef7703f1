/// Rung 21, unroll by hand, whole pairs: rung 7 without its branches. The number of sources in pairs is
/// computed before the loop, so the compiler knows the number of iterations and unrolls 32 of them, 64
/// sources, with one branch. A last source without a partner follows the loop.
/// Before: rung 7 tests j + 1 < count before every pair, 16 times in 32 interactions.
/// Cost per interaction: one 16-byte broadcast from shared memory, 13 instruction slots, and 5 loop
/// instructions in 64 interactions: 14.08 instructions, while rung 7 has 16.06 and rung 6 14.16. Sources that
/// do not fill 64 are processed in pairs, with 16 instructions each. 36 registers, and as many blocks as rung
/// 6: 6 of 256 on a multiprocessor.
/// Measured on an H200: 1686 G/s at N = 245760 in blocks of 256, 2 % more than rung 7 (1656) and 6 % less
/// than rung 6 (1785); 1712, 1698 and 1865 at N = 131072.
/// Where it loses: to rung 6, with as many instructions. Rung 6 has read three or four sources before it
/// computes a root, this loop two: the compiler keeps the order that is written explicitly. On half a Tesla
/// K80 the two gave 96.5 against 85 for the pragma (N = 131072).
/// Limit now: as rung 6, the broadcast and the tail.
/// Question: if j is an int, which must not overflow, the 16 branches of rung 7 remain. What does the
/// compiler see in j < (count & ~1u) that it does not see in j + 1 < count?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

template <class P, class Pull>
__global__ void unroll_by_hand_whole(const Mass<typename P::Position>* __restrict__ targets,
                                     std::size_t n_targets,
                                     const Mass<typename P::Position>* __restrict__ sources,
                                     std::size_t n_sources, Vec4<typename P::Sum>* __restrict__ sums,
                                     Pull pull_of) {
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

template <class P>
void run(const PairProblem<P>& p, const LaunchShape& shape) {
  const unsigned threads = shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 256;
  const std::size_t n = p.targets.size();
  const unsigned bytes = threads * sizeof(Mass<typename P::Position>);
  cuda::need_plain(p, "cuda/unroll-by-hand-whole");
  const cuda::Pair<P, false, false> pull_of(p);
  cuda::launch("cuda/unroll-by-hand-whole", unroll_by_hand_whole<P, cuda::Pair<P, false, false>>,
               {.blocks = cuda::ceil_div(n, threads), .threads = threads, .shared_bytes = bytes}, p.stream,
               p.targets.data(), n, p.sources.data(), p.sources.size(), p.sums.data(), pull_of);
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 256}, LaunchShape{.threads_per_block = 128},
                            LaunchShape{.threads_per_block = 31}};

}  // namespace

extern constinit const DirectKernel cuda_unroll_by_hand_whole{
    .name = "cuda/unroll-by-hand-whole",
    .rung = 121,
    .idea =
        "two sources per iteration; the number of iterations is known beforehand, so the loop has no test "
        "inside",
    .device = Device::cuda,
    .traits = {.periodic = false, .potential = false},
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 40},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
