/// Rung 22, PTX, whole pairs: the instructions of rung 8 in the loop of rung 21. This is the last stage of
/// the publication's path on one GPU. Before: rung 8 keeps the branches of rung 7, which hide the effect of
/// its instructions. Cost per interaction: one 16-byte broadcast from shared memory, 13 instruction slots,
/// 14.08 instructions as rung 21, with the same number of each kind; only these multiply-adds do not flush
/// subnormals.
/// Measured on an H200: 1686 G/s at N = 245760 in blocks of 256, as rung 21; 1713 and 1712 at N = 131072.
/// Where it loses: as rung 8, it gains nothing over the compiled pull(); the publication calls the gain
/// "extremely limited" (96.4 against 96.5 on half a Tesla K80, N = 131072). Limit now: as rung 21.
/// Question: two GPUs, each with half of the targets, should take half the time. When do four take more than
/// a quarter? (See the chapter on several GPUs.)
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/ptx.hpp"
#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

/// pull() and its sum, an instruction a line.
struct Instructions {
  float eps2;

  __device__ void operator()(Vec4<float>& sum, Mass<float> target, Mass<float> source) const {
    const float dx = source.x - target.x, dy = source.y - target.y, dz = source.z - target.z;
    const float r2 = cuda::fma_rn(dz, dz, cuda::fma_rn(dy, dy, cuda::fma_rn(dx, dx, eps2)));
    const float y = cuda::rsqrt_approx(r2);
    const float my3 = source.m * y * y * y;
    sum.x = cuda::fma_rn(dx, my3, sum.x);
    sum.y = cuda::fma_rn(dy, my3, sum.y);
    sum.z = cuda::fma_rn(dz, my3, sum.z);
  }
};

__global__ void ptx_whole(const Mass<float>* __restrict__ targets, std::size_t n_targets,
                          const Mass<float>* __restrict__ sources, std::size_t n_sources,
                          Vec4<float>* __restrict__ sums, Instructions pull_of) {
  auto* staged = dynamic_shared<Mass<float>>();
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // No early return: a thread without a target still stages sources and meets the barriers.
  const auto target = targets[i < n_targets ? i : 0];
  Vec4<float> sum;
  for (std::size_t first = 0; first < n_sources; first += blockDim.x) {
    const std::size_t mine = first + threadIdx.x;
    if (mine < n_sources) staged[threadIdx.x] = sources[mine];
    __syncthreads();
    const unsigned count =
        n_sources - first < blockDim.x ? static_cast<unsigned>(n_sources - first) : blockDim.x;
    const unsigned whole = count & ~1u;
#pragma unroll 32
    for (unsigned j = 0; j < whole; j += 2) {
      const auto even = staged[j], odd = staged[j + 1];
      pull_of(sum, target, even);
      pull_of(sum, target, odd);
    }
    if (whole < count) pull_of(sum, target, staged[whole]);
    __syncthreads();
  }
  if (i < n_targets) sums[i] = sum;
}

void run(const PairProblem<F32>& p, const LaunchShape& shape) {
  const unsigned threads = shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 256;
  const std::size_t n = p.targets.size();
  const unsigned bytes = threads * sizeof(Mass<float>);
  cuda::need_plain(p, "cuda/ptx-whole");
  const Instructions pull_of{cuda::Pair<F32, false, false>(p).eps2};
  cuda::launch("cuda/ptx-whole", ptx_whole,
               {.blocks = cuda::ceil_div(n, threads), .threads = threads, .shared_bytes = bytes}, p.stream,
               p.targets.data(), n, p.sources.data(), p.sources.size(), p.sums.data(), pull_of);
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 256}, LaunchShape{.threads_per_block = 128},
                            LaunchShape{.threads_per_block = 31}};

}  // namespace

extern constinit const DirectKernel cuda_ptx_whole{
    .name = "cuda/ptx-whole",
    .rung = 122,
    .idea = "the PTX pair in a loop over whole pairs of sources, without a test in it",
    .device = Device::cuda,
    .traits = {.periodic = false, .potential = false},
    .fma_port_operations = {.f32 = 13},
    .shapes = shapes,
    .f32 = run};

}  // namespace pleiad
