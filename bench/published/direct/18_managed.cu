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
#include "bench/published/direct/tile.hpp"
#include "cuda/device/memory.hpp"

namespace pleiad {
namespace {

template <class P>
void run(const PairProblem<P>& p, const LaunchShape& shape) {
  const std::size_t n = p.targets.size();
  cuda::Managed<Mass<typename P::Position>> bodies(n + p.sources.size());
  cuda::copy_on_device(bodies.data(), p.targets.data(), p.targets.size_bytes(), p.stream);
  cuda::copy_on_device(bodies.data() + n, p.sources.data(), p.sources.size_bytes(), p.stream);
  auto managed = p;
  managed.targets = {bodies.data(), n};
  managed.sources = {bodies.data() + n, p.sources.size()};
  cuda::with_pair(managed, [&](auto pull_of) {
    cuda::launch_tiles("cuda/managed", cuda::tile<P, decltype(pull_of)>, managed, shape, pull_of);
  });
}

}  // namespace

extern constinit const DirectKernel cuda_managed{.name = "cuda/managed",
                                                 .rung = 118,
                                                 .idea =
                                                     "bodies in managed memory, whose pages move to "
                                                     "where they are used; at most what the device has free",
                                                 .device = Device::cuda,
                                                 .fma_port_operations = {.f32 = 13, .f64 = 32, .mixed = 40},
                                                 .shapes = cuda::tile_shapes,
                                                 .f32 = run<F32>,
                                                 .f64 = run<F64>,
                                                 .mixed = run<Mixed>};

}  // namespace pleiad
