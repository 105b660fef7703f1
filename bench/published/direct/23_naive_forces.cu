/// Rung 23, naive forces: five kernels as a publication writes them. They compute forces F_i = G m_i
/// sum_j m_j d / r^3 in SI units, with bodies in separate arrays of m, x, y and z; rungs 23 to 27 divide
/// the work as rungs 1 to 5 do. This one: one thread per target, which reads every source from global
/// memory.
/// Before: rungs 1 to 5 have one 16-byte load per source and one product less. This rung measures the
/// cost of writing the code like the law.
/// Cost per interaction: four 4-byte loads instead of the one 16-byte load of the naive rung, and the
/// product (G m_i) m_j: 14 instruction slots against 13, and with addresses and the loop 22.25
/// instructions against 16.25. G m_i is computed once per target. A kernel first copies the bodies into
/// the arrays, 32 bytes per body, which is negligible beside n^2 pairs.
/// Measured on an H200: 1.005 ms for 16384 bodies in blocks of 64 (267 G/s), while the naive rung takes
/// 1.495. The arrays are not the reason: with one warp per scheduler everything waits for loads, and the
/// compiler starts these earlier than those of the naive rung, which it starts one or two at a time. Rung
/// 3, whose four loads it starts together, takes 1.001.
/// Where it loses: where there are enough warps to hide the waits, with 22.25 instructions against 16.25:
/// 1115 G/s against 1230 at N = 245760 in blocks of 128.
/// Limit now: that of the naive rung, waiting for loads.
/// Question: the best published time for this kernel is 10.07 ms for 16384 bodies on a Tesla K20c, which
/// had no first-level cache for these loads. Which of the five kernels should gain least from a cache?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/direct/forces.hpp"

namespace pleiad {
namespace {

__global__ void naive_forces(cuda::Arrays<float> targets, std::size_t n_targets, cuda::Arrays<float> sources,
                             std::size_t n_sources, Vec4<float>* __restrict__ sums, cuda::AddForce add) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n_targets) return;
  const auto target = cuda::target_of(targets[i]);
  Vec4<float> force;
  for (std::size_t j = 0; j < n_sources; ++j) add(force, target, sources[j]);
  sums[i] = cuda::pulls_of(force, target);
}

void run(const PairProblem<F32>& p, const LaunchShape& shape) {
  const unsigned threads = cuda::threads_of(shape);
  cuda::launch_forces("cuda/naive-forces", naive_forces,
                      {.blocks = cuda::ceil_div(p.targets.size(), threads), .threads = threads}, p);
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 128}, LaunchShape{.threads_per_block = 31}};

}  // namespace

extern constinit const DirectKernel cuda_naive_forces{
    .name = "cuda/naive-forces",
    .rung = 123,
    .idea =
        "forces G m_i m_j of bodies in four arrays; one thread per body reads every source from global "
        "memory",
    .device = Device::cuda,
    .traits = {.periodic = false, .potential = false},
    .fma_port_operations = {.f32 = 14},
    .shapes = shapes,
    .f32 = run};

}  // namespace pleiad
