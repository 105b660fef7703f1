/// Rung 26, grid stride tile forces: forces of bodies in four arrays, as in rung 23; the blocks of a fixed
/// grid stage sources for one group of targets after another, as in rung 4.
/// Before: rung 25 reads each source from global memory once per thread.
/// Cost per interaction: as rung 24: 14 instruction slots and four 4-byte broadcasts, combined to 2.75: 18.75
/// instructions.
/// Measured on an H200: 0.425 ms for 16384 bodies with 128 blocks of 128 (632 G/s), the best of the five, and
/// 8 % more than rung 4.
/// Where it loses: to rung 4, by these reads and the product (1512 G/s against 1760 at N = 245760); like rung
/// 4, with a grid that does not divide the groups of targets evenly. Limit now: shared memory, as in rung 24.
/// Question: the publication found 64 blocks of 256 best on a K20c, 7.20 ms. This is one thread per body for
/// 16384 bodies. Does the stride then have any effect?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/direct/forces.hpp"

namespace pleiad {
namespace {

__global__ void grid_stride_tile_forces(cuda::Arrays<float> targets, std::size_t n_targets,
                                        cuda::Arrays<float> sources, std::size_t n_sources,
                                        Vec4<float>* __restrict__ sums, cuda::AddForce add) {
  const auto staged = cuda::Arrays<float>::at(dynamic_shared<float>(), blockDim.x);
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t group = std::size_t{blockIdx.x} * blockDim.x; group < n_targets; group += stride) {
    const std::size_t i = group + threadIdx.x;
    const auto target = cuda::target_of(targets[i < n_targets ? i : 0]);
    Vec4<float> force;
    for (std::size_t first = 0; first < n_sources; first += blockDim.x) {
      const std::size_t mine = first + threadIdx.x;
      if (mine < n_sources) staged.set(threadIdx.x, sources[mine]);
      __syncthreads();
      const unsigned count =
          n_sources - first < blockDim.x ? static_cast<unsigned>(n_sources - first) : blockDim.x;
      for (unsigned j = 0; j < count; ++j) add(force, target, staged[j]);
      __syncthreads();
    }
    if (i < n_targets) sums[i] = cuda::pulls_of(force, target);
  }
}

void run(const PairProblem<F32>& p, const LaunchShape& shape) {
  const unsigned threads = cuda::threads_of(shape);
  cuda::launch_forces("cuda/grid-stride-tile-forces", grid_stride_tile_forces,
                      {.blocks = cuda::blocks_of(shape, p.targets.size()),
                       .threads = threads,
                       .shared_bytes = threads * unsigned{sizeof(Mass<float>)}},
                      p);
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 128},
                            LaunchShape{.threads_per_block = 128, .blocks = 128},
                            LaunchShape{.threads_per_block = 31, .blocks = 3}};

}  // namespace

extern constinit const DirectKernel cuda_grid_stride_tile_forces{
    .name = "cuda/grid-stride-tile-forces",
    .rung = 126,
    .idea =
        "forces G m_i m_j of bodies in four arrays; the blocks of a fixed grid stage sources for one group "
        "of targets after another",
    .device = Device::cuda,
    .traits = {.periodic = false, .potential = false},
    .fma_port_operations = {.f32 = 14},
    .shapes = shapes,
    .f32 = run};

}  // namespace pleiad
