/// Rung 4, grid stride with tiles: a block of the fixed grid
/// stages sources for one group of targets after
/// another. The loop over groups uses the first target of the block, which is equal for all its threads.
/// If each thread used its own target, threads past the end would leave early and miss the barriers.
/// Before: rung 3 reads each source from L1 again for every warp.
/// Cost per interaction: as the tile rung, one 16-byte broadcast from shared memory, 13 instruction slots,
/// 15.25 instructions. Every group of targets stages all sources again.
/// Measured on an H200: 1758 G/s at N = 245760, the same as the tile rung with blocks of 128 (1756): with
/// one group per block both do the same work. At N = 16384 it is 12 % faster (0.39 ms against 0.44),
/// because the compiler orders the reads differently.
/// Where it loses: like the grid stride, with a grid that does not divide the groups of targets evenly. At
/// N = 16384 it takes 0.39 ms with 128 blocks of 128, and 0.60 ms with any grid from 32 blocks of 512 on.
/// Limit now: the broadcast and the barriers, as in rung 2.
/// Question: the 32 threads of a warp run together in any case. Could they share sources without shared
/// memory, and so without a barrier?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

template <class P, class Pull>
__global__ void grid_stride_tile(const Mass<typename P::Position>* __restrict__ targets,
                                 std::size_t n_targets,
                                 const Mass<typename P::Position>* __restrict__ sources,
                                 std::size_t n_sources, Vec4<typename P::Sum>* __restrict__ sums,
                                 Pull pull_of) {
  auto* staged = dynamic_shared<Mass<typename P::Position>>();
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t group = std::size_t{blockIdx.x} * blockDim.x; group < n_targets; group += stride) {
    const std::size_t i = group + threadIdx.x;
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
}

/// 16 blocks of 128 threads fill a multiprocessor; an H200 has 132.
constexpr unsigned resident_blocks = 16 * 132;

template <class P>
void run(const PairProblem<P>& p, const LaunchShape& shape) {
  const unsigned threads = shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 128;
  const std::size_t n = p.targets.size();
  const unsigned blocks = shape.blocks > 0 ? static_cast<unsigned>(shape.blocks)
                                           : std::min(cuda::ceil_div(n, threads), resident_blocks);
  const unsigned bytes = threads * sizeof(Mass<typename P::Position>);
  cuda::with_pair(p, [&](auto pull_of) {
    cuda::launch("cuda/grid-stride-tile", grid_stride_tile<P, decltype(pull_of)>,
                 {.blocks = blocks, .threads = threads, .shared_bytes = bytes}, p.stream, p.targets.data(), n,
                 p.sources.data(), p.sources.size(), p.sums.data(), pull_of);
  });
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 128}, LaunchShape{.threads_per_block = 256},
                            LaunchShape{.threads_per_block = 128, .blocks = 128},
                            LaunchShape{.threads_per_block = 31, .blocks = 3}};

}  // namespace

extern constinit const DirectKernel cuda_grid_stride_tile{
    .name = "cuda/grid-stride-tile",
    .rung = 104,
    .idea = "the blocks of a fixed grid stage sources for one group of targets after another",
    .device = Device::cuda,
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 40},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
