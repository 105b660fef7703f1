/// Rung 2, tile: a block stages sources in shared memory, so each is read from global memory once per block
/// instead of once per thread.
/// Before: the naive rung loads every source through L1 for each warp and interaction, and waits for it.
/// Cost per interaction: 13 instruction slots and one 16-byte broadcast from shared memory. Its address is a
/// constant offset, while L1 needs a computed 64-bit address: 15.25 instructions. Global traffic is divided
/// by the block size; each tile needs two barriers of the block.
/// Measured on an H200: 1796 G/s at N = 245760 with blocks of 1024, 1694 with 256: 1.5 times the naive rung;
/// at N = 4096, 143 against 43.
/// Limit now: load balance and the broadcast. 960 blocks of 256 are 7.3 per multiprocessor, so some have 8
/// and the others wait for them: 9 % of the time. The remaining 17 to 18 slots for 15.25 instructions include
/// waits for shared memory and at barriers.
/// Question: the grid size follows from N. What if it followed from the GPU instead, and each block took more
/// targets when it has finished?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

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

template <class P>
void run(const PairProblem<P>& p, const LaunchShape& shape) {
  const unsigned threads = shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 256;
  const std::size_t n = p.targets.size();
  const unsigned bytes = threads * sizeof(Mass<typename P::Position>);
  cuda::with_pair(p, [&](auto pull_of) {
    cuda::launch("cuda/tile", tile<P, decltype(pull_of)>,
                 {.blocks = cuda::ceil_div(n, threads), .threads = threads, .shared_bytes = bytes}, p.stream,
                 p.targets.data(), n, p.sources.data(), p.sources.size(), p.sums.data(), pull_of);
  });
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 256}, LaunchShape{.threads_per_block = 128},
                            LaunchShape{.threads_per_block = 1024}, LaunchShape{.threads_per_block = 31}};

}  // namespace

extern constinit const DirectKernel cuda_tile{
    .name = "cuda/tile",
    .rung = 102,
    .idea =
        "a block stages sources in shared memory, so each is read once per block instead of once per thread",
    .device = Device::cuda,
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 40},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
