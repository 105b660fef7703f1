/// Rung 15, split and reduced: K targets per thread in registers, with the sources split over blocks. The
/// partial sums are written to scratch memory, and a second kernel adds them in a fixed order: the same bits
/// in every run.
/// Before: rung 12 has the best loop but too little work, rung 14 has the work but another loop, and its sums
/// are not reproducible.
/// Cost per interaction: 13 instruction slots and 1/K of a 16-byte broadcast and of the loop, 13.33
/// instructions for K = 4. Per target and split one partial sum is written and read, 2 x 16 bytes for n/S
/// interactions, and there is one more launch. Scratch has S sums per target; for many bodies fewer splits
/// keep it within 256 MiB.
/// Measured on an H200: 2071 G/s at N = 245760, 81 % of the limit and 15 % more than the best tile; 1768 at
/// 16384, 916 at 4096.
/// Where it loses: to the symmetric rungs, which spend 8.5 slots instead of 13. Its S separate sums per
/// target are also more accurate than one sum: 2.4e-7 rms at N = 245760, while the tile rung has 6.9e-6.
/// Limit now: an interaction takes 16.2 slots for 13.33 instructions. Loads and barriers are cheap here; the
/// rest is probably the register file, whose banks cannot always deliver three operands to every multiply-add
/// (as was measured for the symmetric loop).
/// Question: is 13 the minimum? Before you continue: which of the 13 does the mathematics require?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/memory.hpp"
#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

/// partial[s * n_targets + i]: the pull of the pages s, s + S, s + 2 S, ... of sources on target i.
template <int K, class P, class Pull>
__global__ void split_reduced(const Mass<typename P::Position>* __restrict__ targets, std::size_t n_targets,
                              const Mass<typename P::Position>* __restrict__ sources, std::size_t n_sources,
                              Vec4<typename P::Sum>* __restrict__ partial, Pull pull_of) {
  auto* staged = dynamic_shared<Mass<typename P::Position>>();
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x * K + threadIdx.x;
  Mass<typename P::Position> target[K];
  Vec4<typename P::Sum> sum[K];
#pragma unroll
  for (unsigned k = 0; k < K; ++k) {
    const std::size_t mine = i + k * blockDim.x;
    target[k] = targets[mine < n_targets ? mine : 0];
  }
  const std::size_t stride = std::size_t{gridDim.y} * blockDim.x;
  for (std::size_t first = std::size_t{blockIdx.y} * blockDim.x; first < n_sources; first += stride) {
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
    if (mine < n_targets) partial[blockIdx.y * n_targets + mine] = sum[k];
  }
}

template <class S>
__global__ void add_up(const Vec4<S>* __restrict__ partial, unsigned splits, std::size_t n,
                       Vec4<S>* __restrict__ sums) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Vec4<S> sum;
  for (unsigned s = 0; s < splits; ++s) {
    const auto part = partial[s * n + i];
    sum.x += part.x, sum.y += part.y, sum.z += part.z, sum.w += part.w;
  }
  sums[i] = sum;
}

/// 32 splits, or as many as there are pages of sources, or as 256 MiB of partial sums allow. By the sources
/// where they are more than the targets, so that a slice of the targets gets the sums of the whole.
template <class P>
unsigned enough_splits(const PairProblem<P>& p, unsigned threads) {
  const std::size_t pages = cuda::ceil_div(p.sources.size(), threads);
  const std::size_t bodies = std::max({p.targets.size(), p.sources.size(), std::size_t{1}});
  const std::size_t fit = (std::size_t{256} << 20) / (bodies * sizeof(Vec4<typename P::Sum>));
  return static_cast<unsigned>(std::max(std::min({pages, fit, std::size_t{32}}), std::size_t{1}));
}

template <int K, class P, class Pull>
void run_with(const PairProblem<P>& p, unsigned threads, unsigned splits, Pull pull_of) {
  using S = typename P::Sum;
  const std::size_t n = p.targets.size();
  const unsigned bytes = threads * sizeof(Mass<typename P::Position>);
  cuda::Buffer<Vec4<S>> partial(splits * n, p.stream);
  cuda::launch("cuda/split-reduced", split_reduced<K, P, Pull>,
               {.blocks = cuda::ceil_div(n, std::size_t{threads} * K),
                .threads = threads,
                .shared_bytes = bytes,
                .blocks_y = splits},
               p.stream, p.targets.data(), n, p.sources.data(), p.sources.size(), partial.data(), pull_of);
  cuda::launch("cuda/split-reduced", add_up<S>, {.blocks = cuda::ceil_div(n, 256), .threads = 256}, p.stream,
               partial.data(), splits, n, p.sums.data());
}

template <class P>
void run(const PairProblem<P>& p, const LaunchShape& shape) {
  const unsigned threads = shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 64;
  const int bodies = shape.bodies_per_thread > 0 ? shape.bodies_per_thread : 4;
  const unsigned splits =
      shape.source_splits > 0 ? static_cast<unsigned>(shape.source_splits) : enough_splits(p, threads);
  cuda::need(bodies == 2 || bodies == 4 || bodies == 8, "cuda/split-reduced",
             std::to_string(bodies) + " bodies per thread; it must be 2, 4 or 8");
  if (!p.boundary.periodic && !p.potential) {
    const cuda::Pair<P, false, false> pull_of(p);
    if (bodies == 2) run_with<2>(p, threads, splits, pull_of);
    else if (bodies == 4) run_with<4>(p, threads, splits, pull_of);
    else run_with<8>(p, threads, splits, pull_of);
    return;
  }
  // The rarer pairs in one width only: each would be three more kernels.
  cuda::need(
      bodies == 4, "cuda/split-reduced",
      std::to_string(bodies) + " bodies per thread; with a periodic box or the potential it must be 4");
  cuda::with_pair(p, [&](auto pull_of) { run_with<4>(p, threads, splits, pull_of); });
}

constexpr std::array shapes{
    LaunchShape{.threads_per_block = 64, .bodies_per_thread = 4},
    LaunchShape{.threads_per_block = 128, .bodies_per_thread = 4, .source_splits = 16},
    LaunchShape{.threads_per_block = 256, .bodies_per_thread = 4, .source_splits = 32},
    LaunchShape{.threads_per_block = 64, .bodies_per_thread = 8, .source_splits = 32},
    LaunchShape{.threads_per_block = 128, .bodies_per_thread = 2, .source_splits = 32},
    LaunchShape{.threads_per_block = 31, .bodies_per_thread = 2, .source_splits = 3}};

}  // namespace

extern constinit const DirectKernel cuda_split_reduced{
    .name = "cuda/split-reduced",
    .rung = 115,
    .idea =
        "several targets per thread, sources split over blocks, and the partial sums added in a fixed order",
    .device = Device::cuda,
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 40},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
