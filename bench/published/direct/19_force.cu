/// Rung 19, force: the sum of forces F_i = m_i sum_j m_j d / r^3, as the law is written, divided by m_i at
/// the end because the integrator needs accelerations. The caller applies G, as everywhere.
/// Before: nothing was wasted; a publication computes forces, and this is its formulation.
/// Cost per interaction: as the tile rung plus the product m_i m_j, 14 instruction slots against 13, 16.25
/// instructions against 15.25.
/// Measured on an H200: 1522 G/s at N = 245760, 10 % less than the tile in blocks of 256.
/// Where it loses: everywhere, by this product, and in range: in single precision products of masses
/// overflow where the masses do not, in kg from 2e19 on, and vanish below 1e-19. Negative masses are
/// refused.
/// Limit now: as the tile.
/// Question: m_i m_j r^-3 d is the force on i, and with the other sign that on j. What would it save to add
/// both at once? (Rung 28.)
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/direct/tile.hpp"

namespace pleiad {
namespace {

template <class P, class Pull>
__global__ void force(const Mass<typename P::Position>* __restrict__ targets, std::size_t n_targets,
                      const Mass<typename P::Position>* __restrict__ sources, std::size_t n_sources,
                      Vec4<typename P::Sum>* __restrict__ sums, Pull pull_of) {
  auto* staged = dynamic_shared<Mass<typename P::Position>>();
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // No early return: a thread without a target still stages sources and meets the barriers.
  const auto target = targets[i < n_targets ? i : 0];
  // A massless body feels no force but has an acceleration: that of a body of mass 1.
  const auto weight = target.m > 0 ? target.m : typename P::Position{1};
  Vec4<typename P::Sum> sum;
  for (std::size_t first = 0; first < n_sources; first += blockDim.x) {
    const std::size_t mine = first + threadIdx.x;
    if (mine < n_sources) staged[threadIdx.x] = sources[mine];
    __syncthreads();
    const unsigned count =
        n_sources - first < blockDim.x ? static_cast<unsigned>(n_sources - first) : blockDim.x;
    for (unsigned j = 0; j < count; ++j) {
      auto source = staged[j];
      source.m *= weight;
      pull_of(sum, target, i, source, first + j);
    }
    __syncthreads();
  }
  if (i < n_targets) sums[i] = {sum.x / weight, sum.y / weight, sum.z / weight, sum.w / weight};
}

template <class P>
void run(const PairProblem<P>& p, const LaunchShape& shape) {
  auto products = p;  // of two masses, which are what the pair gets for a mass
  products.heaviest *= std::max(1.0, p.heaviest);
  cuda::with_pair(products, [&](auto pull_of) {
    cuda::launch_tiles("cuda/force", force<P, decltype(pull_of)>, p, shape, pull_of);
  });
}

}  // namespace

extern constinit const DirectKernel cuda_force{
    .name = "cuda/force",
    .rung = 119,
    .idea = "forces G m_i sum m_j d / r^3 instead of accelerations, divided by m_i at the end",
    .device = Device::cuda,
    .fma_port_operations = {.f32 = 14, .f64 = 34, .mixed = 42},
    .shapes = cuda::tile_shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
