/// Rung 33, equal masses: when all bodies weigh the same, r^-3 d itself is added to both sums, and the mass
/// is applied to a tile's sums: 15 slots a pair. Cost per interaction: 7.5 instruction slots. Measured 3531
/// G/s on an H200 at N = 245760 with 10 targets a thread, 3458 with 8 (the exploration that it comes from:
/// 3662); the scaled source (rung 32) has 3263. Systems of unequal masses are summed by the general form,
/// at its rate.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/scaled_source.hpp"

namespace pleiad {
namespace {

using Sums = cuda::ExactSums<float>;
constexpr std::array<cuda::Sweep<float, Sums>, 2> sweeps{cuda::sweep_of<cuda::EqualMass, Sums, 4, 10, 8, 3>(),
                                                         cuda::sweep_of<cuda::EqualMass, Sums, 4, 8, 8, 4>()};
constexpr auto general = cuda::sweep_of<cuda::General, Sums, 4, 8, 8, 4>();

void run(const PairProblem<F32>& p, const LaunchShape& shape) {
  const auto& sweep = cuda::sweep_for<float, Sums>(sweeps, shape, "cuda/equal-mass");
  cuda::run_symmetric<F32, Sums>(p, "cuda/equal-mass", {sweep, general});
}

constexpr std::array shapes{sweeps[0].shape, sweeps[1].shape};

}  // namespace

extern constinit const DirectKernel cuda_equal_mass{
    .name = "cuda/equal-mass",
    .rung = 133,
    .idea = "bodies of one mass need it only at the end: two multiplications less per pair",
    .device = Device::cuda,
    .traits = {.separate_targets = false, .periodic = false, .potential = false},
    .fma_port_operations = {.f32 = 7.5},
    .shapes = shapes,
    .f32 = run};

}  // namespace pleiad
