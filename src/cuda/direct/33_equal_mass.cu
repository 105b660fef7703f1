/// Rung 33, equal masses: when all bodies weigh the same, r^-3 d itself is added to both sums, and the mass
/// is applied to a tile's sums: 15 slots a pair. Cost per interaction: 7.5 instruction slots. Measured 3531
/// G/s on an H200 at N = 245760 with 10 targets a thread, 3458 with 8 (the exploration that it comes from:
/// 3662); the scaled source (rung 32) has 3263. Systems of unequal masses are summed by the general form,
/// at its rate.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/scaled_source.hpp"
#include "cuda/direct/symmetric_sum.hpp"

namespace pleiad {
namespace {

using Sums = cuda::ExactSums<float>;
constexpr std::array<cuda::Sweep<float, Sums>, 2> compiled{
    cuda::sweep_of<cuda::EqualMass, Sums, 4, 10, 8, 3>(),
    cuda::sweep_of<cuda::EqualMass, Sums, 4, 8, 8, 4>()};
constexpr auto general = cuda::sweep_of<cuda::General, Sums, 4, 8, 8, 4>();

struct Rung {
  using Precision = F32;
  using Sums = pleiad::Sums;
  static constexpr std::string_view name = "cuda/equal-mass";
  static auto sweeps(const LaunchShape& shape, std::size_t) {
    return std::array{cuda::sweep_for<float, Sums>(compiled, shape, name), general};
  }
};
void run(const PairProblem<F32>& p, const LaunchShape& shape) {
  cuda::run_symmetric(p, cuda::equal_mass, shape);
}

constexpr std::array shapes{compiled[0].shape, compiled[1].shape};

}  // namespace

constinit const cuda::SymmetricSum<F32> cuda::equal_mass = cuda::symmetric_sum_of<Rung>();
extern constinit const DirectKernel cuda_equal_mass{
    .name = Rung::name,
    .rung = 133,
    .idea = "bodies of one mass need it only at the end: two multiplications less per pair",
    .device = Device::cuda,
    .traits = {.separate_targets = false, .periodic = false, .potential = false},
    .fma_port_operations = {.f32 = 7.5},
    .shapes = shapes,
    .f32 = run};

}  // namespace pleiad
