/// Rung 33, fp64 symmetric: rungs 29 and 32 together. The pair is in force form: w = m_i m_j r^-3 serves
/// both sums, which are divided by the body's mass at the end; with equal masses the loop needs no
/// masses. The sums are integers of two words (pair_sums.hpp): the same bits in every run.
/// Before: each pair is computed twice, in the most expensive precision.
/// Cost per interaction: 20 instruction slots: for a pair 3 separations, 3 for the square, 6 for the
/// cube, 2 factors, 6 sums in double precision at half rate; 18 for equal masses, on which the limit is
/// based.
/// Measured on an H200 (G/s; equal and other masses): 1595 and 1436 at N = 245760, rms error 8e-17 and
/// 9e-17; 1597 and 1433 at 245759, 1534 and 1387 at 100003, 1327 and 1219 at 32768. Rung 32 has 816.
/// Since then the sums are rounded by multiply-adds instead of conversions, to the same bits; this has
/// not been measured yet. The scaled source of rung 30 saves one instruction of 20, but its separations
/// read one more register: 1448 against 1445, with positions that are rounded again; it is not used here.
/// Where it loses: as rung 28, below some 8000 bodies. Massless bodies have no force to divide: such
/// systems are summed with two products instead of one.
/// Limit now: the double precision pipe is busy 87 % of the time; an instruction that reads three
/// registers takes three clocks instead of two.
/// Question: must positions be in double precision in the loop, or only where they are far apart?
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
  static constexpr const cuda::SymmetricSum<Precision>* diagnostic_sums = &cuda::diagnostics_f64;
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
    .rung = 133,
    .idea = "double precision with each pair computed once, as a force, and order-independent sums",
    .device = Device::cuda,
    .traits = {.separate_targets = false, .periodic = false},
    .fma_port_operations = {.f64 = 18},
    .shapes = shapes,
    .f64 = run};

}  // namespace pleiad
