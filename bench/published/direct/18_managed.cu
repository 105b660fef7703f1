/// Rung 18, managed memory: the bodies are in managed memory, whose pages move to the processor that
/// accesses them, instead of buffers of the device. It is never more than the device has free: beyond that,
/// pages would move out and in during the kernel.
/// Before: every rung expects that the bodies have been copied. This wastes nothing, but programs are
/// longer.
/// Cost per interaction: as the tile rung; per evaluation the allocation, a copy of the bodies into it (32
/// bytes of traffic each, twice if targets and sources are the same), and the release, which waits for the
/// device.
/// Measured on an H200: 1656 G/s at N = 245760, 2 % less than the tile in blocks of 256; 50 at N = 4096,
/// 0.35 of it.
/// Where it loses: at small N, where allocation and copies take longer than the kernel, and at every step
/// after which the host reads the bodies: their pages then move to the host and back. Its advantage is
/// programs without copies.
/// Limit now: as the tile, and the time of the host.
/// Question: which law does the pair compute, accelerations or forces, and how does the cost differ?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/memory.hpp"
#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

template <class P, class Pull>
__global__ void managed(const Mass<typename P::Position>* __restrict__ targets, std::size_t n_targets,
                        const Mass<typename P::Position>* __restrict__ sources, std::size_t n_sources,
                        Vec4<typename P::Sum>* __restrict__ sums, Pull pull_of) {
  auto* staged = dynamic_shared<Mass<typename P::Position>>();
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // No early return: a thread without a target still stages sources and meets the barriers.
  const auto target = targets[i < n_targets ? i : 0];
  Vec4<typename P::Sum> sum;
  for (std::size_t first = 0; first < n_sources; first += blockDim.x) {
    const std::size_t mine = first + threadIdx.x;
    if (mine < n_sources) staged[threadIdx.x] = sources[mine];
    __syncthreads();
    const unsigned count =
        n_sources - first < blockDim.x ? static_cast<unsigned>(n_sources - first) : blockDim.x;
    for (unsigned j = 0; j < count; ++j) pull_of(sum, target, i, staged[j], first + j);
    __syncthreads();
  }
  if (i < n_targets) sums[i] = sum;
}

template <class P>
void run(const PairProblem<P>& p, const LaunchShape& shape) {
  const unsigned threads = shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 256;
  const std::size_t n = p.targets.size();
  const unsigned bytes = threads * sizeof(Mass<typename P::Position>);
  cuda::Managed<Mass<typename P::Position>> bodies(n + p.sources.size());
  auto* const sources = bodies.data() + n;
  cuda::copy_on_device(bodies.data(), p.targets.data(), p.targets.size_bytes(), p.stream);
  cuda::copy_on_device(sources, p.sources.data(), p.sources.size_bytes(), p.stream);
  cuda::with_pair(p, [&](auto pull_of) {
    cuda::launch("cuda/managed", managed<P, decltype(pull_of)>,
                 {.blocks = cuda::ceil_div(n, threads), .threads = threads, .shared_bytes = bytes}, p.stream,
                 bodies.data(), n, sources, p.sources.size(), p.sums.data(), pull_of);
  });
}

constexpr std::array shapes{LaunchShape{.threads_per_block = 256}, LaunchShape{.threads_per_block = 128},
                            LaunchShape{.threads_per_block = 31}};

}  // namespace

extern constinit const DirectKernel cuda_managed{.name = "cuda/managed",
                                                 .rung = 118,
                                                 .idea =
                                                     "bodies in managed memory, whose pages move to "
                                                     "where they are used; at most what the device has free",
                                                 .device = Device::cuda,
                                                 .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 40},
                                                 .shapes = shapes,
                                                 .f32 = run<F32>,
                                                 .f64 = run<F64>,
                                                 .mixed = run<Mixed>};

}  // namespace pleiad
