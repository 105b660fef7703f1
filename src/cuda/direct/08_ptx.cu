/// Rung 8, PTX: the pair in hand-chosen PTX instructions; the dot product is three fused multiply-adds whose
/// first addend is the softening.
/// Before: rung 7 leaves the choice of instructions to the compiler, which might not fuse them.
/// Cost per interaction: one 16-byte broadcast from shared memory and 13 instruction slots: 3 differences, 3
/// multiply-adds, the reciprocal square root, 3 products, 3 multiply-adds; 16.06 instructions, the same as
/// rung 7.
/// Measured on an H200: 1661 G/s at N = 245760 against 1660.
/// Where it loses: it gains nothing, because pull() adds in this order too, and the compiler fuses it to the
/// same instructions. On half a Tesla K80 it was 96.4 against 96.5 (N = 131072). With the softening last, the
/// dot product is a product, two multiply-adds and a sum: 14 slots.
/// Limit now: as rung 7.
/// Question: the formula is at its 13 slots. Only the work around it can be reduced: does it cost more to
/// read four numbers one by one or together?
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

__global__ void ptx(const Mass<float>* __restrict__ targets, std::size_t n_targets,
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
    unsigned j = 0;
#pragma unroll 16
    for (; j + 1 < count; j += 2) {
      const auto even = staged[j], odd = staged[j + 1];
      pull_of(sum, target, even);
      pull_of(sum, target, odd);
    }
    if (j < count) pull_of(sum, target, staged[j]);
    __syncthreads();
  }
  if (i < n_targets) sums[i] = sum;
}

void run(const PairProblem<F32>& p, const LaunchShape& shape) {
  const unsigned threads = shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 256;
  const std::size_t n = p.targets.size();
  const unsigned bytes = threads * sizeof(Mass<float>);
  cuda::need_plain(p, "cuda/ptx");
  const Instructions pull_of{cuda::Pair<F32, false, false>(p).eps2};
  cuda::launch("cuda/ptx", ptx,
               {.blocks = cuda::ceil_div(n, threads), .threads = threads, .shared_bytes = bytes}, p.stream,
               p.targets.data(), n, p.sources.data(), p.sources.size(), p.sums.data(), pull_of);
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 256}, LaunchShape{.threads_per_block = 128},
                            LaunchShape{.threads_per_block = 31}};

}  // namespace

extern constinit const DirectKernel cuda_ptx{.name = "cuda/ptx",
                                             .rung = 108,
                                             .idea =
                                                 "the pair in PTX instructions chosen by hand, with the "
                                                 "softening as the first addend of the dot product",
                                             .device = Device::cuda,
                                             .traits = {.periodic = false, .potential = false},
                                             .fma_port_operations = {.f32 = 13},
                                             .shapes = shapes,
                                             .f32 = run};

}  // namespace pleiad
