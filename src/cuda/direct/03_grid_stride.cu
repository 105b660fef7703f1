/// Rung 3, grid stride: a grid of fixed size loops over the targets, so the launch does not depend on
/// their number.
/// Before: the grid of the naive rung grows with N, and for some N its last wave is half empty.
/// Cost per interaction: as the naive rung, one 16-byte load, 13 instruction slots, 16.25 instructions.
/// Two things change: the tail, a last wave in which part of the grid is idle, and the start of a
/// thread, which now serves many bodies.
/// Measured on an H200: 1273 G/s at N = 245760, 6 % more than the naive rung, and 64 against 43 at N =
/// 4096. The stride is not the reason: up to 270336 bodies each thread still has one. The compiler
/// gives this loop 40 registers instead of the naive 32, and starts the four loads of an iteration
/// together. This matters most where there are few warps to hide the wait.
/// Where it loses: a grid that is too small leaves multiprocessors idle. At N = 16384 a grid of 4
/// blocks of 32, which occupies 4 of 132 with one warp each, takes 117 ms; 128 blocks of 128 take 1.0
/// ms.
/// Limit now: that of the naive rung, waiting for loads.
/// Question: add the tile of rung 2 to this loop. Some threads of the last group have no target; may
/// they leave the loop?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

template <class P, class Pull>
__global__ void grid_stride(const Mass<typename P::Position>* __restrict__ targets, std::size_t n_targets,
                            const Mass<typename P::Position>* __restrict__ sources, std::size_t n_sources,
                            Vec4<typename P::Sum>* __restrict__ sums, Pull pull_of) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n_targets; i += stride) {
    const auto target = targets[i];
    Vec4<typename P::Sum> sum;
    for (std::size_t j = 0; j < n_sources; ++j) pull_of(sum, target, i, sources[j], j);
    sums[i] = sum;
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
  cuda::with_pair(p, [&](auto pull_of) {
    cuda::launch("cuda/grid-stride", grid_stride<P, decltype(pull_of)>,
                 {.blocks = blocks, .threads = threads}, p.stream, p.targets.data(), n, p.sources.data(),
                 p.sources.size(), p.sums.data(), pull_of);
  });
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 128}, LaunchShape{.threads_per_block = 256},
                            LaunchShape{.threads_per_block = 128, .blocks = 128},
                            LaunchShape{.threads_per_block = 31, .blocks = 3}};

}  // namespace

extern constinit const DirectKernel cuda_grid_stride{
    .name = "cuda/grid-stride",
    .rung = 103,
    .idea =
        "a grid of fixed size loops over the targets, so the launch does not depend on the number of bodies",
    .device = Device::cuda,
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 40},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
