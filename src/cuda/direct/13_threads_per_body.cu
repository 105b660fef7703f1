/// Rung 13, threads per body: T neighbouring threads share one target. Each takes every T-th source of the
/// tile, and shuffles add their partial sums.
/// Before: 4096 bodies are 4096 threads of the 270336 that an H200 holds.
/// Cost per interaction: 13 instruction slots and a 16-byte read from shared memory, of T different bodies
/// per warp; the tile rung broadcasts one. 18 instructions, because each thread computes its own address and
/// the loop is not unrolled. At the end there are log2 T rounds of 4 shuffles and sums per target. Every tile
/// serves T times fewer targets.
/// Measured on an H200: 864 G/s at N = 4096, 6 times the tile rung and 20 times the naive one; 1255 against
/// 583 at 16384.
/// Where it loses: at large N, by the wider reads and the T-fold staging: 1505 G/s at N = 245760, 11 % less
/// than the tile.
/// Limit now: at N = 4096 a tile of 256 sources serves few targets, and start, staging and reduction take as
/// long as the pairs.
/// Question: the threads that share a target are in one warp. Could they be in different blocks, on different
/// multiprocessors?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

template <class P, class Pull>
__global__ void threads_per_body(const Mass<typename P::Position>* __restrict__ targets,
                                 std::size_t n_targets,
                                 const Mass<typename P::Position>* __restrict__ sources,
                                 std::size_t n_sources, Vec4<typename P::Sum>* __restrict__ sums,
                                 Pull pull_of, unsigned sharing) {
  auto* staged = dynamic_shared<Mass<typename P::Position>>();
  const std::size_t i = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / sharing;
  const unsigned part = threadIdx.x % sharing;
  // No early return: a thread without a target still stages sources and meets barriers and shuffles.
  const auto target = targets[i < n_targets ? i : 0];
  Vec4<typename P::Sum> sum;
  for (std::size_t first = 0; first < n_sources; first += blockDim.x) {
    const std::size_t mine = first + threadIdx.x;
    if (mine < n_sources) staged[threadIdx.x] = sources[mine];
    __syncthreads();
    const unsigned count =
        n_sources - first < blockDim.x ? static_cast<unsigned>(n_sources - first) : blockDim.x;
    for (unsigned j = part; j < count; j += sharing) pull_of(sum, target, i, staged[j], first + j);
    __syncthreads();
  }
  for (int distance = static_cast<int>(sharing) / 2; distance > 0; distance /= 2) {
    sum.x += __shfl_xor_sync(~0u, sum.x, distance);
    sum.y += __shfl_xor_sync(~0u, sum.y, distance);
    sum.z += __shfl_xor_sync(~0u, sum.z, distance);
    sum.w += __shfl_xor_sync(~0u, sum.w, distance);
  }
  if (part == 0 && i < n_targets) sums[i] = sum;
}

/// The fewest threads per body that fill a large GPU with 2^18 threads. The number depends on the sources, so
/// that a slice of the targets gets the same sums, bit for bit, as the full set.
int enough_threads(std::size_t n) {
  int sharing = 1;
  while (sharing < 32 && n * static_cast<std::size_t>(sharing) < std::size_t{1} << 18) sharing *= 2;
  return sharing;
}

template <class P>
void run(const PairProblem<P>& p, const LaunchShape& shape) {
  const unsigned threads = shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 256;
  const std::size_t n = p.targets.size();
  const int sharing = shape.threads_per_body > 0 ? shape.threads_per_body : enough_threads(p.sources.size());
  cuda::need(sharing <= 32 && (sharing & (sharing - 1)) == 0, "cuda/threads-per-body",
             std::to_string(sharing) + " threads per body; it must be 1, 2, 4, 8, 16 or 32");
  cuda::need(threads % 32 == 0, "cuda/threads-per-body",
             std::to_string(threads) + " threads per block; it must be a multiple of 32, whole warps");
  const unsigned bytes = threads * sizeof(Mass<typename P::Position>);
  cuda::with_pair(p, [&](auto pull_of) {
    cuda::launch("cuda/threads-per-body", threads_per_body<P, decltype(pull_of)>,
                 {.blocks = cuda::ceil_div(n * static_cast<std::size_t>(sharing), threads),
                  .threads = threads,
                  .shared_bytes = bytes},
                 p.stream, p.targets.data(), n, p.sources.data(), p.sources.size(), p.sums.data(), pull_of,
                 sharing);
  });
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 256},
                            LaunchShape{.threads_per_block = 256, .threads_per_body = 4},
                            LaunchShape{.threads_per_block = 128, .threads_per_body = 8},
                            LaunchShape{.threads_per_block = 96, .threads_per_body = 2}};

}  // namespace

extern constinit const DirectKernel cuda_threads_per_body{
    .name = "cuda/threads-per-body",
    .rung = 113,
    .idea = "several threads share one target, each with a part of the sources, and add up by shuffles",
    .device = Device::cuda,
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 40},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
