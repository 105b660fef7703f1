/// Rung 9, arrays: bodies as a structure of arrays, with x, y, z and m separate, in global and in shared
/// memory, instead of one 16-byte load per body.
/// Before: all rungs so far read a body as one aligned record. This rung uses arrays, to measure the value of
/// the record.
/// Cost per interaction: four 4-byte broadcasts from shared memory; the tile rung has one of 16 bytes
/// (doubles: 4 against 2). The compiler unrolls by 4 and reads some of them for several sources at once: 2.75
/// reads, 17.75 instructions against 15.25. A kernel first packs the bodies into the arrays: 32 bytes of
/// traffic per body and one launch, which is negligible compared with n^2 pairs.
/// Measured on an H200: 1427 G/s at N = 245760, 16 % less than the tile in the same blocks of 256.
/// Where it loses: everywhere on a GPU, by these reads. Arrays are useful if a loop needs only some of the
/// fields, or on a CPU, whose vectors need one field of many bodies.
/// Limit now: shared memory, which serves one warp per clock.
/// Question: the naive rung declares by __restrict__ that nothing writes the sources meanwhile. How does the
/// compiler use this?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/memory.hpp"
#include "cuda/direct/body_arrays.hpp"
#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

template <class P, class Pull>
__global__ void arrays(const Mass<typename P::Position>* __restrict__ targets, std::size_t n_targets,
                       const cuda::Arrays<typename P::Position> sources, std::size_t n_sources,
                       Vec4<typename P::Sum>* __restrict__ sums, Pull pull_of) {
  using T = typename P::Position;
  const auto staged = cuda::Arrays<T>::at(dynamic_shared<T>(), blockDim.x);
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // No early return: a thread without a target still stages sources and meets the barriers.
  const auto target = targets[i < n_targets ? i : 0];
  Vec4<typename P::Sum> sum;
  for (std::size_t first = 0; first < n_sources; first += blockDim.x) {
    const std::size_t mine = first + threadIdx.x;
    if (mine < n_sources) staged.set(threadIdx.x, sources[mine]);
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
  using T = typename P::Position;
  const unsigned threads = shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 256;
  const std::size_t n = p.targets.size(), n_sources = p.sources.size();
  cuda::Buffer<T> memory(4 * n_sources, p.stream);
  const auto sources = cuda::Arrays<T>::at(memory.data(), n_sources);
  cuda::launch("cuda/arrays", cuda::pack<T>,
               {.blocks = cuda::ceil_div(n_sources, threads), .threads = threads}, p.stream, p.sources.data(),
               n_sources, sources);
  const unsigned bytes = threads * sizeof(Mass<T>);
  cuda::with_pair(p, [&](auto pull_of) {
    cuda::launch("cuda/arrays", arrays<P, decltype(pull_of)>,
                 {.blocks = cuda::ceil_div(n, threads), .threads = threads, .shared_bytes = bytes}, p.stream,
                 p.targets.data(), n, sources, n_sources, p.sums.data(), pull_of);
  });
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 256}, LaunchShape{.threads_per_block = 128},
                            LaunchShape{.threads_per_block = 31}};

}  // namespace

extern constinit const DirectKernel cuda_arrays{
    .name = "cuda/arrays",
    .rung = 109,
    .idea = "a structure of arrays, x, y, z and m apart, instead of one 16-byte load per body",
    .device = Device::cuda,
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 40},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
