/// Rung 14, split with atomics: several blocks share one block of targets. Each takes every S-th page of
/// sources ("block stride") and adds its partial sums atomically.
/// Before: rung 13 fills the GPU, but its reads differ within a warp, and its tiles serve few targets.
/// Cost per interaction: as the tile rung, one 16-byte broadcast, 13 instruction slots, 15.25
/// instructions. Each target and split needs 4 atomic additions, and the sums are zeroed first.
/// Measured on an H200: 987 G/s at N = 4096 (blocks of 128, 32 splits; 1033 with 64 and 64), 1655 at
/// 16384, 1873 at 245760, where 61440 small blocks leave no tail: 10 % more than the tile in blocks of
/// 256.
/// Where it loses: the order of the additions differs from run to run, and with it the last bits of the
/// sums. A publication suspects the atomics, but for many bodies they cost nothing: at N = 262144 there is
/// one addition in 2048 interactions, and 1872 G/s are more than the 1806 of the same loop without them.
/// Rung 15, without atomics, gains 11 % there by a loop of 13 % fewer instructions.
/// Limit now: at small N the launch and the zeroing, at large N the broadcast in every interaction.
/// Question: combine K targets in registers with splits, and add the partial sums in a fixed order.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/memory.hpp"
#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

template <class P, class Pull>
__global__ void split_atomics(const Mass<typename P::Position>* __restrict__ targets, std::size_t n_targets,
                              const Mass<typename P::Position>* __restrict__ sources, std::size_t n_sources,
                              Vec4<typename P::Sum>* __restrict__ sums, Pull pull_of) {
  auto* staged = dynamic_shared<Mass<typename P::Position>>();
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // No early return: a thread without a target still stages sources and meets the barriers.
  const auto target = targets[i < n_targets ? i : 0];
  Vec4<typename P::Sum> sum;
  const std::size_t stride = std::size_t{gridDim.y} * blockDim.x;
  for (std::size_t first = std::size_t{blockIdx.y} * blockDim.x; first < n_sources; first += stride) {
    const std::size_t mine = first + threadIdx.x;
    if (mine < n_sources) staged[threadIdx.x] = sources[mine];
    __syncthreads();
    const unsigned count =
        n_sources - first < blockDim.x ? static_cast<unsigned>(n_sources - first) : blockDim.x;
    for (unsigned j = 0; j < count; ++j) pull_of(sum, target, i, staged[j], first + j);
    __syncthreads();
  }
  if (i >= n_targets) return;
  atomicAdd(&sums[i].x, sum.x);
  atomicAdd(&sums[i].y, sum.y);
  atomicAdd(&sums[i].z, sum.z);
  atomicAdd(&sums[i].w, sum.w);
}

template <class P>
void run(const PairProblem<P>& p, const LaunchShape& shape) {
  const unsigned threads = shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 128;
  const unsigned pages = std::max(cuda::ceil_div(p.sources.size(), threads), 1u);
  const unsigned splits =
      shape.source_splits > 0 ? static_cast<unsigned>(shape.source_splits) : std::min(pages, 32u);
  const std::size_t n = p.targets.size();
  const unsigned bytes = threads * sizeof(Mass<typename P::Position>);
  cuda::fill(p.sums.data(), 0, p.sums.size_bytes(), p.stream);
  cuda::with_pair(p, [&](auto pull_of) {
    cuda::launch(
        "cuda/split-atomics", split_atomics<P, decltype(pull_of)>,
        {.blocks = cuda::ceil_div(n, threads), .threads = threads, .shared_bytes = bytes, .blocks_y = splits},
        p.stream, p.targets.data(), n, p.sources.data(), p.sources.size(), p.sums.data(), pull_of);
  });
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 128},
                            LaunchShape{.threads_per_block = 64, .source_splits = 16},
                            LaunchShape{.threads_per_block = 31, .source_splits = 3}};

}  // namespace

extern constinit const DirectKernel cuda_split_atomics{
    .name = "cuda/split-atomics",
    .rung = 114,
    .idea =
        "several blocks share one block of targets; each takes every S-th page of sources and adds its "
        "sums atomically",
    .device = Device::cuda,
    .traits = {.reproducible = false},
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 40},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
