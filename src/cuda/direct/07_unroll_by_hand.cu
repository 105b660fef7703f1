/// Rung 7, unroll by hand: each iteration reads two sources from shared memory before it uses either, so that
/// the first pair hides the latency of the second read. The loop over pairs is unrolled 16 times, to the same
/// 32.
/// Before: rung 6 leaves the order of the reads to the compiler.
/// Cost per interaction: one 16-byte broadcast from shared memory, 13 instruction slots, and 16.06
/// instructions; rung 6 has 14.16. From j + 1 < count and steps of two the compiler cannot derive the number
/// of iterations, so it keeps a test and a branch in each of the 16 copies.
/// Measured on an H200: 1660 G/s at N = 245760, 7 % less than rung 6, 2 % less than the plain tile.
/// Where it loses: by those tests, and by the explicit order, which rung 21 has without the tests: the
/// compiler alone reads more sources ahead. On half a Tesla K80 the two gave 96.5 against 85 for the pragma
/// (N = 131072).
/// Limit now: the loop again.
/// Question: with the condition j < (count & ~1u) the machine code has 14.16 instructions per interaction,
/// like rung 6. Why? Read the machine code (cuobjdump -sass) before and after. (Rung 21 unrolls it 32 times.)
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

template <class P, class Pull>
__global__ void unroll_by_hand(const Mass<typename P::Position>* __restrict__ targets, std::size_t n_targets,
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
    unsigned j = 0;
#pragma unroll 16
    for (; j + 1 < count; j += 2) {
      const auto even = staged[j], odd = staged[j + 1];
      pull_of(sum, target, i, even, first + j);
      pull_of(sum, target, i, odd, first + j + 1);
    }
    if (j < count) pull_of(sum, target, i, staged[j], first + j);
    __syncthreads();
  }
  if (i < n_targets) sums[i] = sum;
}

template <class P>
void run(const PairProblem<P>& p, const LaunchShape& shape) {
  const unsigned threads = shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 256;
  const std::size_t n = p.targets.size();
  const unsigned bytes = threads * sizeof(Mass<typename P::Position>);
  cuda::need_plain(p, "cuda/unroll-by-hand");
  const cuda::Pair<P, false, false> pull_of(p);
  cuda::launch("cuda/unroll-by-hand", unroll_by_hand<P, cuda::Pair<P, false, false>>,
               {.blocks = cuda::ceil_div(n, threads), .threads = threads, .shared_bytes = bytes}, p.stream,
               p.targets.data(), n, p.sources.data(), p.sources.size(), p.sums.data(), pull_of);
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 256}, LaunchShape{.threads_per_block = 128},
                            LaunchShape{.threads_per_block = 31}};

}  // namespace

extern constinit const DirectKernel cuda_unroll_by_hand{
    .name = "cuda/unroll-by-hand",
    .rung = 107,
    .idea = "two sources per turn of the loop, both read from shared memory before either is used",
    .device = Device::cuda,
    .traits = {.periodic = false, .potential = false},
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 40},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
