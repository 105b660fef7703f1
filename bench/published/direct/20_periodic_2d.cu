/// Rung 20, periodic in two dimensions: blocks of 16 x 16 threads stage 1024 sources at a time, 4 per thread.
/// If the targets of a block and the sources of a tile lie in one plane z, as is always the case in two
/// dimensions, the third component of the pair is left out. The block decides this by a vote at a barrier
/// that it needs in any case.
/// Before: the general pair spends a third of its slots on a component that is zero.
/// Cost per interaction in single precision: one 16-byte broadcast and, in the plane, 10 instruction slots in
/// open space (12.5 instructions), 22 in a periodic box (27.5): per axis a product, a rounding, a
/// multiply-add, two tests for half a box and a selection. Outside a plane the pair of the other rungs is
/// used. One staging per 1024 sources instead of 256.
/// Measured on an H200 at N = 262144: 1035 G/s in the periodic plane, 68 % of the limit of its 22 slots, and
/// 2046 in the open plane, 61 % of that of 10; 96 and 105 at N = 4096, the number of the publication.
/// Where it loses: in three dimensions, and at small N, by its blocks of 256: 4096 bodies are 16 blocks for
/// 132 multiprocessors.
/// Limit now: in a periodic box the nearest image, more than half of the instructions.
/// Question: the image could be selected once per tile instead of once per pair if a tile is small compared
/// with the box. When is this correct?
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/rung.hpp"

namespace pleiad {
namespace {

constexpr unsigned side = 16, threads = side * side, loads = 4, tile = loads * threads;

/// pull() in the plane d.z = 0.
template <class P, bool periodic>
__device__ void pull_in_plane(Vec4<typename P::Sum>& sum, Mass<typename P::Position> target,
                              Mass<typename P::Position> source, const cuda::Pair<P, periodic, false>& pair) {
  using M = typename P::Math;
  using S = typename P::Sum;
  auto x = source.x - target.x, y = source.y - target.y;
  if constexpr (periodic) {
    x = minimum_image(x, pair.box.length.x, pair.box.inverse.x, pair.box.half.x);
    y = minimum_image(y, pair.box.length.y, pair.box.inverse.y, pair.box.half.y);
  }
  const M dx = M(x), dy = M(y);
  const M inverse = inverse_sqrt(pair.eps2 + dx * dx + dy * dy);
  const M m_r3 = M(source.m) * inverse * inverse * inverse;
  sum.x += S(dx * m_r3);
  sum.y += S(dy * m_r3);
}

template <class P, bool periodic, bool potential>
__global__ void periodic_2d(const Mass<typename P::Position>* __restrict__ targets, std::size_t n_targets,
                            const Mass<typename P::Position>* __restrict__ sources, std::size_t n_sources,
                            Vec4<typename P::Sum>* __restrict__ sums,
                            cuda::Pair<P, periodic, potential> pull_of) {
  auto* staged = dynamic_shared<Mass<typename P::Position>>();
  const unsigned me = threadIdx.y * side + threadIdx.x;
  const std::size_t group = std::size_t{blockIdx.x} * threads, i = group + me;
  const auto plane = targets[group].z;
  // No early return: a thread without a target still stages sources and meets the barriers.
  const auto target = targets[i < n_targets ? i : group];
  Vec4<typename P::Sum> sum;
  for (std::size_t first = 0; first < n_sources; first += tile) {
    bool beside = target.z != plane;
    for (unsigned load = me; load < tile && first + load < n_sources; load += threads) {
      staged[load] = sources[first + load];
      beside = beside || staged[load].z != plane;
    }
    const bool in_space = __syncthreads_or(beside) != 0;
    const unsigned count = n_sources - first < tile ? static_cast<unsigned>(n_sources - first) : tile;
    if (potential || in_space)
      for (unsigned j = 0; j < count; ++j) pull_of(sum, target, i, staged[j], first + j);
    else if constexpr (!potential)
      for (unsigned j = 0; j < count; ++j) pull_in_plane<P, periodic>(sum, target, staged[j], pull_of);
    __syncthreads();
  }
  if (i < n_targets) sums[i] = sum;
}

template <class P, bool periodic, bool potential>
void run_with(const PairProblem<P>& p, const cuda::Pair<P, periodic, potential>& pull_of) {
  const std::size_t n = p.targets.size();
  const unsigned bytes = tile * sizeof(Mass<typename P::Position>);
  cuda::launch(
      "cuda/periodic-2d", periodic_2d<P, periodic, potential>,
      {.blocks = cuda::ceil_div(n, threads), .threads = side, .shared_bytes = bytes, .threads_y = side},
      p.stream, p.targets.data(), n, p.sources.data(), p.sources.size(), p.sums.data(), pull_of);
}

template <class P>
void run(const PairProblem<P>& p, const LaunchShape& shape) {
  cuda::need(shape.threads_per_block == 0 || shape.threads_per_block == static_cast<int>(threads),
             "cuda/periodic-2d",
             std::to_string(shape.threads_per_block) + " threads per block; it has 16 x 16 = 256");
  cuda::with_pair(p, [&](auto pull_of) { run_with(p, pull_of); });
}

constexpr std::array shapes{LaunchShape{.threads_per_block = threads}};

}  // namespace

extern constinit const DirectKernel cuda_periodic_2d{
    .name = "cuda/periodic-2d",
    .rung = 120,
    .idea =
        "16 x 16 threads stage 1024 sources at a time, and leave out the third dimension of bodies in a "
        "plane",
    .device = Device::cuda,
    .fma_port_operations = {.f32 = 10, .f64 = 26, .mixed = 33},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
