/// Rung 29, symmetric fixed point: rung 28 with sums that do not depend on order. Tile sums are added to
/// 64-bit integers. Their addition is exact, so the bits are the same in every run and for every
/// schedule (pair_sums.hpp describes the windows of exponents, which need no estimated scale and cannot
/// overflow).
/// Before: float atomics round at every addition, in an undefined order.
/// Cost per interaction: 8.5 instruction slots, and some 10 more per tile of about 12000 pairs.
/// Measured on an H200: 3183 G/s at N = 245760, while float atomics have 3181, and an rms error of 4e-8
/// against 3e-7.
/// Where it loses: as rung 28, below some 8000 bodies.
/// Limit now: as rung 28, the reads of registers.
/// Question: of the 17 slots of a pair, two multiply by masses. Are they necessary?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/scaled_source.hpp"

namespace pleiad {
namespace {

using Sums = cuda::ExactSums<float>;
constexpr cuda::Sweeps<float, Sums, 3> compiled{cuda::sweep_of<cuda::General, Sums, 2, 12, 8, 6>(81920),
                                                cuda::sweep_of<cuda::General, Sums, 1, 8, 8, 16>(24576),
                                                cuda::sweep_of<cuda::General, Sums, 1, 4, 8, 24>(0)};
struct Rung {
  using Precision = F32;
  using Sums = pleiad::Sums;
  static constexpr std::string_view name = "cuda/symmetric-fixed-point";
  static constexpr const cuda::SymmetricSum<Precision>* diagnostic_sums = &cuda::diagnostics_f32;
  static auto sweeps(const LaunchShape& shape, std::size_t n) {
    return std::array{cuda::sweep_for(compiled, shape, n, name)};
  }
};
void run(const PairProblem<F32>& p, const LaunchShape& shape) {
  cuda::run_symmetric(p, cuda::symmetric_fixed_point, shape);
}

constexpr auto shapes = cuda::shapes_of(compiled);

}  // namespace

constinit const cuda::Sweeps<float, Sums, 3> cuda::general_sweeps = compiled;
constinit const cuda::SymmetricSum<F32> cuda::symmetric_fixed_point = cuda::symmetric_sum_of<Rung>();
extern constinit const DirectKernel cuda_symmetric_fixed_point{
    .name = Rung::name,
    .rung = 129,
    .idea =
        "each pair is computed once and added to both bodies; the sums are integers, so order is irrelevant",
    .device = Device::cuda,
    .traits = {.separate_targets = false, .periodic = false},
    .fma_port_operations = {.f32 = 8.5},
    .shapes = shapes,
    .f32 = run};

}  // namespace pleiad
