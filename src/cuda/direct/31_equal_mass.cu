/// Rung 31, equal masses: if all masses are equal, r^-3 d itself is added to both sums, and the mass is
/// applied to the sums of a tile. Other masses are summed by rungs 30 and 29, at their rates; the device
/// decides which, so that the host need not wait.
/// Before: a multiplication per pair by a mass that is always the same.
/// Cost per interaction: 7.5 instruction slots, 15 for a pair.
/// Measured on an H200 (G/s): 3725 at N = 245760 with 2 warps and 12 targets per thread, 3724 at 245759,
/// 3499 at 100003, 3312 at 65536, 2906 at 32768; the scaled source (rung 30) has 3432 at 245760.
/// Where it loses: as rung 28, below some 8000 bodies. A sweep that does not fit the masses ends at once,
/// which costs a launch of some microseconds.
/// Limit now: 15.4 slots with 26.8 reads of registers take 17.7 clocks; 88 % of the issue slots are busy.
/// Question: and in double precision, where each instruction takes two clocks and reads both banks at
/// once?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/scaled_source.hpp"

namespace pleiad {
namespace {

using Sums = cuda::ExactSums<float>;
constexpr cuda::Sweeps<float, Sums, 3> compiled{cuda::sweep_of<cuda::EqualMass, Sums, 2, 12, 8, 6>(81920),
                                                cuda::sweep_of<cuda::EqualMass, Sums, 1, 8, 8, 16>(24576),
                                                cuda::sweep_of<cuda::EqualMass, Sums, 1, 4, 8, 24>(0)};
struct Rung {
  using Precision = F32;
  using Sums = pleiad::Sums;
  static constexpr std::string_view name = "cuda/equal-mass";
  static constexpr const cuda::SymmetricSum<Precision>* diagnostic_sums = &cuda::diagnostics_f32;
  static auto sweeps(const LaunchShape& shape, std::size_t n) {
    return std::array{cuda::sweep_for(compiled, shape, n, name),
                      cuda::sweep_for(cuda::scaled_sweeps, {}, n, name),
                      cuda::sweep_for(cuda::general_sweeps, {}, n, name)};
  }
};
void run(const PairProblem<F32>& p, const LaunchShape& shape) {
  cuda::run_symmetric(p, cuda::equal_mass, shape);
}

constexpr auto shapes = cuda::shapes_of(compiled);

}  // namespace

constinit const cuda::SymmetricSum<F32> cuda::equal_mass = cuda::symmetric_sum_of<Rung>();
extern constinit const DirectKernel cuda_equal_mass{
    .name = Rung::name,
    .rung = 131,
    .idea = "equal masses are applied only at the end: two multiplications less per pair",
    .device = Device::cuda,
    .traits = {.separate_targets = false, .periodic = false, .moves_bodies = true},
    .fma_port_operations = {.f32 = 7.5},
    .shapes = shapes,
    .f32 = run};

}  // namespace pleiad
