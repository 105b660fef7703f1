/// Rung 31, symmetric fixed point: rung 30 with sums that have no order. Tile sums go into 64-bit integers,
/// whose addition is exact, so the same bits come out in every run and for every schedule (pair_sums.hpp has
/// the windows of exponents that make it so without a scale to guess and without overflow).
/// Cost per interaction: 8.5 instruction slots, and some 10 more per tile of about 5000 pairs. Measured on an
/// H200 at N = 245760: 3054 G/s against 3093 with float atomics, 1.3 %, and an rms error of 4e-8 against
/// 4e-7. Where it loses: as rung 30, below some 16384 bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/symmetric.hpp"

namespace pleiad {
namespace {

using Sums = cuda::ExactSums<float>;
constexpr std::array<cuda::Sweep<float, Sums>, 2> sweeps{cuda::sweep_of<cuda::General, Sums, 4, 8, 8, 4>(),
                                                         cuda::sweep_of<cuda::General, Sums, 1, 4, 8, 16>()};

void run(const PairProblem<F32>& p, const LaunchShape& shape) {
  const auto& sweep = cuda::sweep_for<float, Sums>(sweeps, shape, "cuda/symmetric-fixed-point");
  cuda::run_symmetric<F32, Sums>(p, "cuda/symmetric-fixed-point", {sweep});
}

constexpr std::array shapes{sweeps[0].shape, sweeps[1].shape};

}  // namespace

extern constinit const DirectKernel cuda_symmetric_fixed_point{
    .name = "cuda/symmetric-fixed-point",
    .rung = 131,
    .idea = "each pair is computed once and pulls both ways; blocks add to the same body by float atomics",
    .device = Device::cuda,
    .traits = {.separate_targets = false, .periodic = false, .potential = false},
    .fma_port_operations = {.f32 = 8.5},
    .shapes = shapes,
    .f32 = run};

}  // namespace pleiad
