/// Rung 25, grid stride forces: forces of bodies in four arrays, as in rung 23, with a grid of fixed size
/// that loops over the targets, as in rung 3.
/// Before: the grid of rung 23 follows from the number of bodies.
/// Cost per interaction: as rung 23: 14 instruction slots, four 4-byte loads, 22.25 instructions.
/// Measured on an H200: 0.912 ms for 16384 bodies with 512 blocks of 32 (294 G/s), 1.007 by rung 3. As in
/// rung 23, the rate depends on how early the compiler starts the loads.
/// Where it loses: a grid that is too small leaves multiprocessors idle. The publication's own scan has grids
/// down to 4 blocks; it was the slowest of its five on a K20c, 11.14 ms.
/// Limit now: that of rung 23, waiting for loads.
/// Question: at which grid do all 132 multiprocessors of an H200 have work for 16384 bodies?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/direct/forces.hpp"

namespace pleiad {
namespace {

__global__ void grid_stride_forces(cuda::Arrays<float> targets, std::size_t n_targets,
                                   cuda::Arrays<float> sources, std::size_t n_sources,
                                   Vec4<float>* __restrict__ sums, cuda::AddForce add) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n_targets; i += stride) {
    const auto target = cuda::target_of(targets[i]);
    Vec4<float> force;
    for (std::size_t j = 0; j < n_sources; ++j) add(force, target, sources[j]);
    sums[i] = cuda::pulls_of(force, target);
  }
}

void run(const PairProblem<F32>& p, const LaunchShape& shape) {
  const unsigned threads = cuda::threads_of(shape);
  cuda::launch_forces("cuda/grid-stride-forces", grid_stride_forces,
                      {.blocks = cuda::blocks_of(shape, p.targets.size()), .threads = threads}, p);
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 128},
                            LaunchShape{.threads_per_block = 128, .blocks = 128},
                            LaunchShape{.threads_per_block = 31, .blocks = 3}};

}  // namespace

extern constinit const DirectKernel cuda_grid_stride_forces{
    .name = "cuda/grid-stride-forces",
    .rung = 125,
    .idea = "forces G m_i m_j of bodies in four arrays; a grid of fixed size loops over the targets",
    .device = Device::cuda,
    .traits = {.periodic = false, .potential = false},
    .fma_port_operations = {.f32 = 14},
    .shapes = shapes,
    .f32 = run};

}  // namespace pleiad
