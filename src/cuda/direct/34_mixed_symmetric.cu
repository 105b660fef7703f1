/// Rung 34, mixed symmetric: positions in double precision, pairs in single. Each position is stored as two
/// floats (47 bits), and a block subtracts the middle of its targets when it loads a tile, so that the loop
/// is that of rungs 29 to 31 and the error does not depend on the position of the system. In random order the
/// middle is that of the system. Where this is too coarse (frame_of.hpp), bodies are sorted along the Hilbert
/// curve, so that a block's targets are close together, and tiles near them use differences of both floats,
/// exact at any distance.
/// Before: double precision everywhere, at two fifths of the rate.
/// Cost per interaction: that of the form that the masses allow, 7.5 instruction slots for equal masses (on
/// which the limit is based), 8 for the scaled source, 8.5 for massless bodies or no softening; two additions
/// per coordinate and tile.
/// Measured on an H200 (G/s; equal and other masses, in random order): 3694 and 3403 at N = 245760, rms
/// errors 8e-8 and 1.0e-7; with the system at (1000, 1000, 1000) 3389 and the same error; 3680 and 3396 at
/// 245759, 3432 and 3182 at 100003, 3298 and 3067 at 65536, 2942 and 2704 at 32768, 3744 and 3433 at 1000000.
/// The middle is in shared memory, not in registers (+5 %). Doubles converted in the loop cost the
/// exploration 25 %: hence the pairs of floats.
/// Where it loses: to rung 14 and others below some 8000 bodies, where a few blocks leave the GPU mostly
/// idle.
/// Along the curve a small system takes longer. On an H100, Plummer spheres with eps = 0.0001, which need it,
/// and razor-thin discs in no order with eps = 0.001, against spheres with eps = 0.3, of equal masses: 0.993
/// and 0.990 times at 1048576 bodies, 1.017 and 1.003 at 262144, 1.07 and 1.04 at 131072, 1.13 and 1.11 at
/// 65536, 1.32 and 1.23 at 32768. That is the sort, which counts below 100000 bodies, and the tiles near the
/// targets, at 18 to 24 slots a pair. They are found from the boxes of all tiles before the loop and swept
/// after it (near_tiles.hpp), which took the loss of 1048576 from 8 to 1.6 % and that of 131072 from 33 to 8
/// %: the test in the loop cost the loop its registers, and spheres about tiles met four times as many others
/// as boxes do. Targets that stay in registers over these tiles, six groups at once, took the loss of 262144
/// from 2.8 to 1.7 %; three or twelve groups at once lose what was gained, and eight where a warp has 85
/// registers. Measured earlier: exact differences for those of a tile's targets alone that are near it,
/// decided in the loop (10 to 18 % slower from 98304 on); the middle of a warp's own targets for that of the
/// block (2 % slower, by the registers alone). The loop along the curve has an order of its own, the best
/// of 28. Below 81920 bodies, forms that share a sweep save three of six launches, most of which end at once:
/// 3 to 11 % less time. Limit now: as in single precision; 86 to 88 % of the issue slots are busy
/// (docs/ncu-h200.md). Question: what would an even use of the register banks gain? Some 17 clocks a pair
/// instead of 19.4: 14 % more.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/scaled_source.hpp"

namespace pleiad {
namespace {

using Sums = cuda::ExactSums<float>;
// Three shapes, the largest first.
using Sweep = cuda::Sweep<float, Sums>;
template <std::size_t shape, class Form, bool along_curve = false>
consteval Sweep sweep() {
  if constexpr (shape == 0) return cuda::sweep_of<Form, Sums, 2, 12, 8, 6, true, along_curve>(81920);
  else if constexpr (shape == 1) return cuda::sweep_of<Form, Sums, 1, 8, 8, 16, true, along_curve>(24576);
  else return cuda::sweep_of<Form, Sums, 1, 4, 8, 24, true, along_curve>(0);
}
using cuda::EqualMass, cuda::ScaledSource, cuda::General, cuda::FirstOf;
constexpr cuda::Sweeps<float, Sums, 3> compiled{sweep<0, EqualMass>(), sweep<1, EqualMass>(),
                                                sweep<2, EqualMass>()};
// A sweep of several forms saves launches, of which each costs 0.7 ns a block of threads. The largest shape's
// loops lose 1 to 4 % by sharing their registers with others.
constexpr std::array large{compiled[0],
                           sweep<0, ScaledSource>(),
                           sweep<0, General>(),
                           sweep<0, EqualMass, true>(),
                           sweep<0, ScaledSource, true>(),
                           sweep<0, General, true>()};
template <std::size_t shape>
constexpr std::array smaller{compiled[shape], sweep<shape, FirstOf<ScaledSource, General>>(),
                             sweep<shape, FirstOf<EqualMass, ScaledSource, General>, true>()};
constexpr std::array<std::span<const Sweep>, 3> sweeps_of_shape{large, smaller<1>, smaller<2>};

struct Rung {
  using Precision = Mixed;
  using Sums = pleiad::Sums;
  static constexpr std::string_view name = "cuda/mixed-symmetric";
  static constexpr const cuda::SymmetricSum<Precision>* diagnostic_sums = &cuda::diagnostics_mixed;
  static auto sweeps(const LaunchShape& shape, std::size_t n) {
    return sweeps_of_shape[cuda::place_of_sweep(compiled, shape, n, name)];
  }
};
void run(const PairProblem<Mixed>& p, const LaunchShape& shape) {
  cuda::run_symmetric(p, cuda::mixed_symmetric, shape);
}

constexpr auto shapes = cuda::shapes_of(compiled);

}  // namespace

constinit const cuda::SymmetricSum<Mixed> cuda::mixed_symmetric = cuda::symmetric_sum_of<Rung>();
extern constinit const DirectKernel cuda_mixed_symmetric{
    .name = Rung::name,
    .rung = 134,
    .idea =
        "positions as pairs of floats relative to a block's middle: double precision's range at single's "
        "rate",
    .device = Device::cuda,
    .traits = {.separate_targets = false, .periodic = false},
    .fma_port_operations = {.mixed = 7.5},
    .shapes = shapes,
    .mixed = run};

}  // namespace pleiad
