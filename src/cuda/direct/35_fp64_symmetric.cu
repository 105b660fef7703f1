/// Rung 35, fp64 symmetric: rungs 31 and 34 together. The pair in force form: w = m_i m_j r^-3 serves both
/// sums, which are divided by the body's mass at the end; bodies of one mass leave it out of the loop
/// altogether. The sums are integers of two words (pair_sums.hpp): the same bits in every run. Cost per
/// interaction: 20 instruction slots: for a pair 3 separations, 3 for the square, 6 for the cube, 2
/// factors, 6 sums in double precision at half rate; 18 for equal masses, which the limit is counted with.
/// Measured on an H200 at N = 245760 with equal masses: 1506 G/s, rms error 6e-17; rung 34 has 816. The
/// exploration that it comes from had 1557, and 1412 in force form, which was not measured here. Massless
/// bodies have no force to divide: such systems are summed with two products instead of one. The loop is
/// not written stage by stage as in single precision: in the exploration that lost 6 %.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/symmetric_f64.hpp"
#include "cuda/direct/symmetric_sum.hpp"

namespace pleiad {
namespace {

using Sums = cuda::ExactSums<double>;
template <class Form>
constexpr cuda::Sweeps<double, Sums, 2> compiled_for{cuda::sweep_of<Form, Sums, 4, 6, 16, 3>(65536),
                                                     cuda::sweep_of<Form, Sums, 1, 4, 16, 14>(0)};
constexpr auto compiled = compiled_for<cuda::EqualMass64>;

struct Rung {
  using Precision = F64;
  using Sums = pleiad::Sums;
  static constexpr std::string_view name = "cuda/fp64-symmetric";
  static auto sweeps(const LaunchShape& shape, std::size_t n) {
    return std::array{cuda::sweep_for(compiled, shape, n, name),
                      cuda::sweep_for(compiled_for<cuda::Forces64>, shape, n, name),
                      cuda::sweep_for(compiled_for<cuda::Accelerations64>, shape, n, name)};
  }
};
void run(const PairProblem<F64>& p, const LaunchShape& shape) {
  cuda::run_symmetric(p, cuda::fp64_symmetric, shape);
}

constexpr auto shapes = cuda::shapes_of(compiled);

}  // namespace

constinit const cuda::SymmetricSum<F64> cuda::fp64_symmetric = cuda::symmetric_sum_of<Rung>();
extern constinit const DirectKernel cuda_fp64_symmetric{
    .name = Rung::name,
    .rung = 135,
    .idea = "double precision with each pair computed once, as a force, and sums that have no order",
    .device = Device::cuda,
    .traits = {.separate_targets = false, .periodic = false, .potential = false},
    .fma_port_operations = {.f64 = 18},
    .shapes = shapes,
    .f64 = run};

}  // namespace pleiad
