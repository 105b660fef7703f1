/// Rung 1, naive: one thread per target; every thread reads every source from global memory.
/// Cost per interaction: one 16-byte load that the L1 cache serves to the whole warp at once, 13 instruction
/// slots.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

template <class P, class Pull>
__global__ void naive(const Mass<typename P::Position>* __restrict__ targets, std::size_t n_targets,
                      const Mass<typename P::Position>* __restrict__ sources, std::size_t n_sources,
                      Vec4<typename P::Sum>* __restrict__ sums, Pull pull_of) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n_targets) return;
  const auto target = targets[i];
  Vec4<typename P::Sum> sum;
  for (std::size_t j = 0; j < n_sources; ++j) pull_of(sum, target, i, sources[j], j);
  sums[i] = sum;
}

template <class P>
void run(const PairProblem<P>& p, const LaunchShape& shape) {
  const unsigned threads = shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 256;
  const std::size_t n = p.targets.size();
  cuda::with_pair(p, [&](auto pull_of) {
    cuda::launch("cuda/naive", naive<P, decltype(pull_of)>,
                 {.blocks = cuda::ceil_div(n, threads), .threads = threads}, p.stream, p.targets.data(), n,
                 p.sources.data(), p.sources.size(), p.sums.data(), pull_of);
  });
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 256}, LaunchShape{.threads_per_block = 128},
                            LaunchShape{.threads_per_block = 1024}, LaunchShape{.threads_per_block = 31}};

}  // namespace

extern constinit const DirectKernel cuda_naive{
    .name = "cuda/naive",
    .rung = 101,
    .idea = "one thread per body reads every source from global memory",
    .device = Device::cuda,
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 40},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
