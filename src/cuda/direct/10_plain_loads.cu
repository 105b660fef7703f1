/// Rung 10, plain loads: the naive rung without __restrict__. The sums might then overlap the sources,
/// so the compiler must use ordinary loads (ld.global) instead of the read-only loads (ld.global.nc)
/// of the naive rung, and must not move them across a store.
/// Before: nothing was wasted; this rung and the next measure the value of __restrict__.
/// Cost per interaction: as the naive rung, one 16-byte load, 13 instruction slots, 16.25
/// instructions.
/// Measured on an H200: 1201 G/s at N = 245760, the naive rung's 1202.
/// Where it loses: on Kepler, whose first-level cache held only read-only data. Since Volta both kinds
/// of load take the same path. The sum stays in a register until the loop ends, so there is no store
/// to wait for.
/// Limit now: that of the naive rung.
/// Question: make `sums[i]` itself the accumulator. What must every iteration of the loop do then, and
/// what with __restrict__?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

template <class P, class Pull>
__global__ void plain_loads(const Mass<typename P::Position>* targets, std::size_t n_targets,
                            const Mass<typename P::Position>* sources, std::size_t n_sources,
                            Vec4<typename P::Sum>* sums, Pull pull_of) {
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
    cuda::launch("cuda/plain-loads", plain_loads<P, decltype(pull_of)>,
                 {.blocks = cuda::ceil_div(n, threads), .threads = threads}, p.stream, p.targets.data(), n,
                 p.sources.data(), p.sources.size(), p.sums.data(), pull_of);
  });
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 256}, LaunchShape{.threads_per_block = 128},
                            LaunchShape{.threads_per_block = 31}};

}  // namespace

extern constinit const DirectKernel cuda_plain_loads{
    .name = "cuda/plain-loads",
    .rung = 110,
    .idea =
        "the naive kernel without __restrict__: the compiler may not assume that the sources stay "
        "constant",
    .device = Device::cuda,
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 40},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
