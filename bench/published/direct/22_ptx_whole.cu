/// Rung 22, PTX, whole pairs: the instructions of rung 8 in the loop of rung 21. This is the last stage of
/// the publication's path on one GPU. Before: rung 8 keeps the branches of rung 7, which hide the effect of
/// its instructions. Cost per interaction: one 16-byte broadcast from shared memory, 13 instruction slots,
/// 14.08 instructions as rung 21, with the same number of each kind; only these multiply-adds do not flush
/// subnormals.
/// Measured on an H200: 1686 G/s at N = 245760 in blocks of 256, as rung 21; 1713 and 1712 at N = 131072.
/// Where it loses: as rung 8, it gains nothing over the compiled pull(); the publication calls the gain
/// "extremely limited" (96.4 against 96.5 on half a Tesla K80, N = 131072). Limit now: as rung 21.
/// Question: two GPUs, each with half of the targets, should take half the time. When do four take more than
/// a quarter? (See the lesson on several GPUs.)
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/direct/whole_pairs.hpp"
#include "cuda/device/ptx.hpp"

namespace pleiad {
namespace {

/// pull() and its sum, an instruction a line.
struct Instructions {
  float eps2;

  __device__ void operator()(Vec4<float>& sum, Mass<float> target, std::size_t, Mass<float> source,
                             std::size_t) const {
    const float dx = source.x - target.x, dy = source.y - target.y, dz = source.z - target.z;
    const float r2 = cuda::fma_rn(dz, dz, cuda::fma_rn(dy, dy, cuda::fma_rn(dx, dx, eps2)));
    const float y = cuda::rsqrt_approx(r2);
    const float my3 = source.m * y * y * y;
    sum.x = cuda::fma_rn(dx, my3, sum.x);
    sum.y = cuda::fma_rn(dy, my3, sum.y);
    sum.z = cuda::fma_rn(dz, my3, sum.z);
  }
};

void run(const PairProblem<F32>& p, const LaunchShape& shape) {
  cuda::need_plain(p, "cuda/ptx-whole");
  cuda::launch_tiles("cuda/ptx-whole", cuda::whole_pairs<F32, Instructions>, p, shape,
                     Instructions{cuda::Pair<F32, false, false>(p).eps2});
}

}  // namespace

extern constinit const DirectKernel cuda_ptx_whole{
    .name = "cuda/ptx-whole",
    .rung = 122,
    .idea = "the PTX pair in a loop over whole pairs of sources, without a test in it",
    .device = Device::cuda,
    .traits = {.periodic = false, .potential = false},
    .fma_port_operations = {.f32 = 13},
    .shapes = cuda::tile_shapes,
    .f32 = run};

}  // namespace pleiad
