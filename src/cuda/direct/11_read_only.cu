/// Rung 11, read only: explicit __ldg loads on pointers without __restrict__, for data that the programmer
/// knows to be constant, but the compiler does not.
/// Before: the compiler of rung 10 could not know this.
/// Cost per interaction: as the naive rung, one 16-byte load, 13 instruction slots, 16.25 instructions. A
/// body in double precision is two 16-byte loads in both rungs.
/// Measured on an H200: 1201 G/s at N = 245760, as rungs 1 and 10.
/// Where it loses: nowhere against the naive rung, whose loop has the same ld.global.nc loads. But __ldg
/// needs a CUDA vector type, while __restrict__ works with any type.
/// Limit now: that of the naive rung: a better load does not help if there are too many of them.
/// Question: one read serves one interaction in every rung so far. How could it serve four?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/ptx.hpp"
#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

template <class P, class Pull>
__global__ void read_only(const Mass<typename P::Position>* targets, std::size_t n_targets,
                          const Mass<typename P::Position>* sources, std::size_t n_sources,
                          Vec4<typename P::Sum>* sums, Pull pull_of) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n_targets) return;
  const auto target = targets[i];
  Vec4<typename P::Sum> sum;
  for (std::size_t j = 0; j < n_sources; ++j) pull_of(sum, target, i, cuda::read_only(sources + j), j);
  sums[i] = sum;
}

template <class P>
void run(const PairProblem<P>& p, const LaunchShape& shape) {
  const unsigned threads = shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 256;
  const std::size_t n = p.targets.size();
  cuda::with_pair(p, [&](auto pull_of) {
    cuda::launch("cuda/read-only", read_only<P, decltype(pull_of)>,
                 {.blocks = cuda::ceil_div(n, threads), .threads = threads}, p.stream, p.targets.data(), n,
                 p.sources.data(), p.sources.size(), p.sums.data(), pull_of);
  });
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 256}, LaunchShape{.threads_per_block = 128},
                            LaunchShape{.threads_per_block = 31}};

}  // namespace

extern constinit const DirectKernel cuda_read_only{
    .name = "cuda/read-only",
    .rung = 111,
    .idea = "explicit read-only loads: __ldg instead of __restrict__",
    .device = Device::cuda,
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 40},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
