/// Rung 16, exact root: the pair as a textbook writes it, m d / (r^2 sqrt(r^2)), with square root and
/// division rounded according to IEEE 754: a plain sqrtf() and `/` compile to this without fast math.
/// Before: all other rungs compute the reciprocal root by one approximate instruction. Is this accurate
/// enough?
/// Cost per interaction: one 16-byte broadcast and 10
/// instruction slots plus the two functions. Neither is
/// an instruction: each starts from an approximation, corrects it by multiply-adds and tests for the rare
/// operands that need a branch, at least some 8 slots each: 40 instructions, while the tile has 15.25.
/// Measured on an H200: 777 G/s at N = 245760, 0.46 of the tile in blocks of 256, with an rms error of
/// 6.85e-6 against 6.86e-6.
/// Where it loses: to the tile rung, whose one approximate reciprocal root replaces both functions, at
/// 2^-22.4 against 2^-24. The rounding of a sum over many bodies hides this difference.
/// Limit now: the correction steps and the tests.
/// Question: --use_fast_math replaces both functions everywhere. How does it affect the rest of a program?
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
    const float m_r3 = cuda::divide_rn(source.m, r2 * cuda::sqrt_rn(r2));
    sum.x += d.x * m_r3;
    sum.y += d.y * m_r3;
    sum.z += d.z * m_r3;
  }
};

void run(const PairProblem<F32>& p, const LaunchShape& shape) {
  cuda::need_plain(p, "cuda/exact-root");
  cuda::launch_tiles("cuda/exact-root", cuda::tile<F32, Root>, p, shape,
                     Root{cuda::Pair<F32, false, false>(p).eps2});
}

}  // namespace

extern constinit const DirectKernel cuda_exact_root{
    .name = "cuda/exact-root",
    .rung = 116,
    .idea = "the pair as a textbook writes it, with IEEE square root and division",
    .device = Device::cuda,
    .traits = {.periodic = false, .potential = false},
    .fma_port_operations = {.f32 = 26},
    .shapes = cuda::tile_shapes,
    .f32 = run};

}  // namespace pleiad
