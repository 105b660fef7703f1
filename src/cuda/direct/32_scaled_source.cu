/// Rung 32, scaled source: a source's mass becomes a scale of lengths. With p = m_j^(-1/2), d' = p d and
/// eps' = p eps, v'^3 d' is m_j v^3 d: the target's sum needs no factor. The separation p x_j - p x_i is a
/// multiply-add where it was a subtraction, p^2 is applied to the source's own sum once per tile, and the
/// pair has one multiplication less: 16 slots. Cost per interaction: 8 instruction slots. Measured 3263 G/s
/// on an H200 at N = 245760 with 2 warps and 12 targets a thread, 3228 with 4 and 10: 7 % beyond the
/// general form (rung 31, 3054). The exploration that it comes from reached 3335, with another register
/// assignment and sums of one fixed scale; there it lost with 8 targets a thread, was worth nothing at
/// ptxas -O3, and another form, F = m_i m_j v^3 d with division by the mass at the end, gained nothing over
/// the general one and is no rung. p x_j is rounded by 2^-25 of the place's distance from the origin, as if
/// single precision had rounded it once more. Coincident bodies then pull a little, which without softening
/// would be anything: such systems, and those with massless bodies, are summed by the general form.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/scaled_source.hpp"

namespace pleiad {
namespace {

using Sums = cuda::ExactSums<float>;
constexpr cuda::Sweeps<float, Sums, 3> compiled{cuda::sweep_of<cuda::ScaledSource, Sums, 2, 13, 8, 5>(98304),
                                                cuda::sweep_of<cuda::ScaledSource, Sums, 1, 8, 8, 16>(24576),
                                                cuda::sweep_of<cuda::ScaledSource, Sums, 1, 4, 8, 24>(0)};
struct Rung {
  using Precision = F32;
  using Sums = pleiad::Sums;
  static constexpr std::string_view name = "cuda/scaled-source";
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
    .rung = 132,
    .idea = "a source's mass becomes a scale of lengths, which saves a multiplication per pair",
    .device = Device::cuda,
    .traits = {.separate_targets = false, .periodic = false, .potential = false, .moves_bodies = true},
    .fma_port_operations = {.f32 = 8},
    .shapes = shapes,
    .f32 = run};

}  // namespace pleiad
