/// Rung 30, scaled source: the mass of a source becomes a scale of lengths. With p = m_j^(-1/2), d' = p d and
/// eps' = p eps, v'^3 d' is m_j v^3 d: the pull on the target needs no factor, and m_i times it is the force
/// on both bodies. One factor then serves both sums, which are divided by the target's mass once per block of
/// targets, and multiplied by p^2 once per tile.
/// Before: two products per pair with masses, and two factors that are read for three sums each.
/// Cost per interaction: 8 instruction slots: for a pair 3 separations p x_j - p x_i, which are
/// multiply-adds, 3 for the square, 1 root, 2 for its cube, 1 factor, 6 sums.
/// Measured on an H200 (G/s): 3432 at N = 245760 with 2 warps and 13 targets per thread, 3411 at 245759, 3233
/// at 100003, 3121 at 65536, 2718 at 32768; the general form (rung 29) has 3183 at 245760. Without the common
/// factor the same loop reached 3299. The force form of the general masses, m_i m_j v^3 d in 17 slots,
/// reached 3261 and is not a rung.
/// Where it loses: in the last digit. p x_j is rounded by 2^-25 of the distance from the origin, as if single
/// precision had rounded the position again: 7.5e-8 rms; the general form has 3.9e-8. Coincident bodies then
/// exert a small force, which without softening would be arbitrary: such systems, and those with massless
/// bodies, are summed by the general form.
/// Limit now: 86 % of the issue slots are busy (docs/ncu-h200.md); the rest waits for registers.
/// Question: which multiplications remain if all masses are equal?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/scaled_source.hpp"

namespace pleiad {
namespace {

using Sums = cuda::ExactSums<float>;
constexpr cuda::Sweeps<float, Sums, 3> compiled{cuda::sweep_of<cuda::ScaledSource, Sums, 2, 13, 8, 5>(65536),
                                                cuda::sweep_of<cuda::ScaledSource, Sums, 1, 8, 8, 16>(24576),
                                                cuda::sweep_of<cuda::ScaledSource, Sums, 1, 4, 8, 24>(0)};
struct Rung {
  using Precision = F32;
  using Sums = pleiad::Sums;
  static constexpr std::string_view name = "cuda/scaled-source";
  static constexpr const cuda::SymmetricSum<Precision>* diagnostic_sums = &cuda::diagnostics_f32;
  static auto sweeps(const LaunchShape& shape, std::size_t n) {
    return std::array{cuda::sweep_for(compiled, shape, n, name),
                      cuda::sweep_for(cuda::general_sweeps, {}, n, name)};
  }
};
void run(const PairProblem<F32>& p, const LaunchShape& shape) {
  cuda::run_symmetric(p, cuda::scaled_source, shape);
}

constexpr auto shapes = cuda::shapes_of(compiled);

}  // namespace

constinit const cuda::Sweeps<float, Sums, 3> cuda::scaled_sweeps = compiled;
constinit const cuda::SymmetricSum<F32> cuda::scaled_source = cuda::symmetric_sum_of<Rung>();
extern constinit const DirectKernel cuda_scaled_source{
    .name = Rung::name,
    .rung = 130,
    .idea = "a source's mass becomes a scale of lengths, which saves a multiplication per pair",
    .device = Device::cuda,
    .traits = {.separate_targets = false, .periodic = false, .moves_bodies = true},
    .fma_port_operations = {.f32 = 8},
    .shapes = shapes,
    .f32 = run};

}  // namespace pleiad
