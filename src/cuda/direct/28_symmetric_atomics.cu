/// Rung 28, symmetric atomics: Newton's third law. Each pair of bodies is computed once and added to both.
/// Several blocks then add to the same body concurrently, by float atomics, and the order of these additions
/// determines the last bits. symmetric.hpp has the loop.
/// Before: every rung so far computes each pair twice, once for either body.
/// Cost per interaction: 8.5 instruction slots instead of 13: 17 for a pair; per tile of 32 sources and 32 K
/// targets 3 atomics per lane.
/// Measured on an H200: 3181 G/s at N = 245760, while the tile rung has 1694 in the same run; rms error
/// 3e-7.
/// Where it loses: below some 8000 bodies, where there are too few pairs of blocks to fill the GPU. The bits
/// differ in every run.
/// Limit now: the reads of registers. A pair needs 32 of them in 17.4 slots, from two banks that deliver one
/// per clock, and they do not divide evenly: 21 clocks.
/// Question: can many blocks add to one body in any order, and still give the same bits?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/symmetric_sum.hpp"

namespace pleiad {
namespace {

using Sums = cuda::AtomicSums;
constexpr cuda::Sweeps<float, Sums, 2> compiled{cuda::sweep_of<cuda::General, Sums, 2, 12, 8, 6>(65536),
                                                cuda::sweep_of<cuda::General, Sums, 1, 4, 8, 24>(0)};
struct Rung {
  using Precision = F32;
  using Sums = pleiad::Sums;
  static constexpr std::string_view name = "cuda/symmetric-atomics";
  static constexpr const cuda::SymmetricSum<Precision>* diagnostic_sums = nullptr;
  static auto sweeps(const LaunchShape& shape, std::size_t n) {
    return std::array{cuda::sweep_for(compiled, shape, n, name)};
  }
};
void run(const PairProblem<F32>& p, const LaunchShape& shape) {
  cuda::run_symmetric(p, cuda::symmetric_atomics, shape);
}

constexpr auto shapes = cuda::shapes_of(compiled);

}  // namespace

constinit const cuda::SymmetricSum<F32> cuda::symmetric_atomics = cuda::symmetric_sum_of<Rung>();
extern constinit const DirectKernel cuda_symmetric_atomics{
    .name = Rung::name,
    .rung = 128,
    .idea = "each pair is computed once and added to both bodies; blocks add to a body by float atomics",
    .device = Device::cuda,
    .traits = {.reproducible = false, .separate_targets = false, .periodic = false, .potential = false},
    .fma_port_operations = {.f32 = 8.5},
    .shapes = shapes,
    .f32 = run};

}  // namespace pleiad
