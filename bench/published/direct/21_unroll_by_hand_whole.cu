/// Rung 21, unroll by hand, whole pairs: rung 7 without its branches. The number of sources in pairs is
/// computed before the loop, so the compiler knows the number of iterations and unrolls 32 of them, 64
/// sources, with one branch. A last source without a partner follows the loop.
/// Before: rung 7 tests j + 1 < count before every pair, 16 times in 32 interactions.
/// Cost per interaction: one 16-byte broadcast from shared memory, 13 instruction slots, and 5 loop
/// instructions in 64 interactions: 14.08 instructions, while rung 7 has 16.06 and rung 6 14.16. Sources that
/// do not fill 64 are processed in pairs, with 16 instructions each. 36 registers, and as many blocks as rung
/// 6: 6 of 256 on a multiprocessor.
/// Measured on an H200: 1686 G/s at N = 245760 in blocks of 256, 2 % more than rung 7 (1656) and 6 % less
/// than rung 6 (1785); 1712, 1698 and 1865 at N = 131072.
/// Where it loses: to rung 6, with as many instructions. Rung 6 has read three or four sources before it
/// computes a root, this loop two: the compiler keeps the order that is written explicitly. On half a Tesla
/// K80 the two gave 96.5 against 85 for the pragma (N = 131072).
/// Limit now: as rung 6, the broadcast and the tail.
/// Question: if j is an int, which must not overflow, the 16 branches of rung 7 remain. What does the
/// compiler see in j < (count & ~1u) that it does not see in j + 1 < count?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/direct/whole_pairs.hpp"

namespace pleiad {
namespace {

template <class P>
void run(const PairProblem<P>& p, const LaunchShape& shape) {
  using Pull = cuda::Pair<P, false, false>;
  cuda::need_plain(p, "cuda/unroll-by-hand-whole");
  cuda::launch_tiles("cuda/unroll-by-hand-whole", cuda::whole_pairs<P, Pull>, p, shape, Pull(p));
}

}  // namespace

extern constinit const DirectKernel cuda_unroll_by_hand_whole{
    .name = "cuda/unroll-by-hand-whole",
    .rung = 121,
    .idea =
        "two sources per iteration; the number of iterations is known beforehand, so the loop has no test "
        "inside",
    .device = Device::cuda,
    .traits = {.periodic = false, .potential = false},
    .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 40},
    .shapes = cuda::tile_shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
