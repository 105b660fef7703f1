/// Rung 17, fast math: the same textbook pair with the square root and the division of --use_fast_math,
/// called explicitly, so that the rest of the program keeps its rounding.
/// Before: rung 16 computes digits that the sum then loses.
/// Cost per interaction: one 16-byte broadcast, 3 differences, 3 multiply-adds, the root, a product, the
/// division as reciprocal and product, 3 multiply-adds: 15.25 instructions, as the tile. But root and
/// reciprocal are two instructions of the special function unit, which has an eighth of the rate: together
/// they take as long as 16 slots, and this is the limit.
/// Measured on an H200: 1452 G/s at N = 245760, 1.9 times rung 16, 0.86 of the tile.
/// Where it loses: to the tile rung, which uses the reciprocal root directly, with only one such instruction.
/// In fast math the compiler makes this change for 1 / sqrt(x), but not for this form. The quotient is 0
/// where r^3 is beyond 2^126.
/// Limit now: the special function unit.
/// Question: the formula is final. What does it cost to bring the bodies to the GPU?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/direct/tile.hpp"
#include "cuda/device/ptx.hpp"

namespace pleiad {
namespace {

/// pull() and its sum, written as in a textbook: m d / (r^2 sqrt(r^2)).
struct Root {
  float eps2;

  __device__ void operator()(Vec4<float>& sum, Mass<float> target, std::size_t, Mass<float> source,
                             std::size_t) const {
    const auto d = source.position() - target.position();
    const float r2 = eps2 + d.x * d.x + d.y * d.y + d.z * d.z;
    const float m_r3 = cuda::divide_approx(source.m, r2 * cuda::sqrt_approx(r2));
    sum.x += d.x * m_r3;
    sum.y += d.y * m_r3;
    sum.z += d.z * m_r3;
  }
};

void run(const PairProblem<F32>& p, const LaunchShape& shape) {
  cuda::need_plain(p, "cuda/fast-math");
  cuda::launch_tiles("cuda/fast-math", cuda::tile<F32, Root>, p, shape,
                     Root{cuda::Pair<F32, false, false>(p).eps2});
}

}  // namespace

extern constinit const DirectKernel cuda_fast_math{
    .name = "cuda/fast-math",
    .rung = 117,
    .idea = "the same textbook pair with the approximate square root and division that fast math puts there",
    .device = Device::cuda,
    .traits = {.periodic = false, .potential = false},
    .fma_port_operations = {.f32 = 16},
    .shapes = cuda::tile_shapes,
    .f32 = run};

}  // namespace pleiad
