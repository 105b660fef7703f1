/// Rung 12, targets in registers: each thread holds K targets, so that one read of a source from shared
/// memory serves K interactions, and K independent sums hide each other's latency.
/// Before: every rung so far reads a source for each interaction.
/// Cost per interaction: 13 instruction slots and 1/K of a 16-byte broadcast and of the loop: 13.33
/// instructions for K = 4, 13.2 for 8. Tiles are padded with massless bodies, so that the loop over a tile
/// has a fixed length and no remainder. K targets and sums need registers: 56 for K = 4; the tile rung has
/// 32.
/// Measured on an H200: 1705 G/s at N = 245760, no more than the tile rung, and 70 at N = 4096, half of it.
/// Where it loses: where there are too few threads. A block of 64 threads with 4 targets each covers 256
/// bodies, so 245760 bodies make 960 blocks: 7.3 per multiprocessor, where 18 fit. Only 15 of the 64 warps
/// hide each other's waits, and multiprocessors with fewer than 8 blocks wait for the others. Rung 15 solves
/// this.
/// Limit now: parallelism. The best inner loop so far has too little work.
/// Question: there are few targets per GPU but many sources: what else can be divided among threads?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

template <int K, class P, class Pull>
__global__ void targets_in_registers(const Mass<typename P::Position>* __restrict__ targets,
                                     std::size_t n_targets,
                                     const Mass<typename P::Position>* __restrict__ sources,
                                     std::size_t n_sources, Vec4<typename P::Sum>* __restrict__ sums,
                                     Pull pull_of) {
  auto* staged = dynamic_shared<Mass<typename P::Position>>();
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x * K + threadIdx.x;
  Mass<typename P::Position> target[K];
  Vec4<typename P::Sum> sum[K];
#pragma unroll
  for (unsigned k = 0; k < K; ++k) {
    const std::size_t mine = i + k * blockDim.x;
    target[k] = targets[mine < n_targets ? mine : 0];
  }
  for (std::size_t first = 0; first < n_sources; first += blockDim.x) {
    const std::size_t mine = first + threadIdx.x;
    staged[threadIdx.x] = mine < n_sources ? sources[mine] : Mass<typename P::Position>{};
    __syncthreads();
    [[maybe_unused]] constexpr int unrolled = (sizeof(staged->x) == 4 ? 64 : 16) / K;
#pragma unroll unrolled
    for (unsigned j = 0; j < blockDim.x; ++j) {
      const auto source = staged[j];
#pragma unroll
      for (unsigned k = 0; k < K; ++k) pull_of(sum[k], target[k], i + k * blockDim.x, source, first + j);
    }
    __syncthreads();
  }
#pragma unroll
  for (unsigned k = 0; k < K; ++k) {
    const std::size_t mine = i + k * blockDim.x;
    if (mine < n_targets) sums[mine] = sum[k];
  }
}

template <int K, class P>
void run_with(const PairProblem<P>& p, unsigned threads) {
  const std::size_t n = p.targets.size();
  const unsigned bytes = threads * sizeof(Mass<typename P::Position>);
  const cuda::Pair<P, false, false> pull_of(p);
  cuda::launch(
      "cuda/targets-in-registers", targets_in_registers<K, P, cuda::Pair<P, false, false>>,
      {.blocks = cuda::ceil_div(n, std::size_t{threads} * K), .threads = threads, .shared_bytes = bytes},
      p.stream, p.targets.data(), n, p.sources.data(), p.sources.size(), p.sums.data(), pull_of);
}

template <class P>
void run(const PairProblem<P>& p, const LaunchShape& shape) {
  const unsigned threads = shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 64;
  const int bodies = shape.bodies_per_thread > 0 ? shape.bodies_per_thread : 4;
  cuda::need_plain(p, "cuda/targets-in-registers");
  cuda::need(bodies == 2 || bodies == 4 || bodies == 8, "cuda/targets-in-registers",
             std::to_string(bodies) + " bodies per thread; it must be 2, 4 or 8");
  if (bodies == 2) run_with<2>(p, threads);
  else if (bodies == 4) run_with<4>(p, threads);
  else run_with<8>(p, threads);
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 64, .bodies_per_thread = 4},
                            LaunchShape{.threads_per_block = 128, .bodies_per_thread = 2},
                            LaunchShape{.threads_per_block = 128, .bodies_per_thread = 4},
                            LaunchShape{.threads_per_block = 64, .bodies_per_thread = 8},
                            LaunchShape{.threads_per_block = 31, .bodies_per_thread = 2}};

}  // namespace

extern constinit const DirectKernel cuda_targets_in_registers{
    .name = "cuda/targets-in-registers",
    .rung = 112,
    .idea = "each thread holds several targets, so that one read of a source serves them all",
    .device = Device::cuda,
    .traits = {.periodic = false, .potential = false},
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 40},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
