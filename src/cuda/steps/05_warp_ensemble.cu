/// Warp ensemble: each warp makes fused steps of one system, without barriers of a block.
///
/// A lane keeps K bodies, one of each tile of 32, in registers. Each pair is computed once: in step c lane l
/// computes its pair with body l + c of a tile (which is stored twice in shared memory), and the sum of that
/// body moves to the next lane, so that c = 1 to 15 cover all pairs that are 1 to 15 lanes apart in either
/// direction. Pairs in one lane are included; those 16 apart are computed from both sides. All sums have one
/// order: the same bits in every run, at any position in the ensemble. Mixed precision: positions are
/// relative to the middle of the system, as in GPU rung 34 for bodies in random order; a few distant escapers
/// do not move the middle. Cost of an evaluation of 64 bodies: 61 pairs per lane at 17 slots, 4 one-sided at
/// 13, 100 shuffles, 34 loads, some 60 for the step: 1290 slots for 4096 interactions, 10.1 a pair: 3320 G/s
/// at one slot per clock and scheduler, 2650 predicted at the 80 % of the ladder's symmetric rungs. Where it
/// loses: partly filled tiles cost as much as full ones (33 bodies as 64); beyond 128 bodies there are too
/// few registers (step kernel 6).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/steps/ensemble.hpp"
#include "cuda/steps/lanes.hpp"
#include "cuda/steps/place.hpp"
#include "cuda/steps/shape.hpp"

namespace pleiad {
namespace {

constexpr unsigned warps = 4;

/// Adds the mutual pulls of source and target to a and b; b must be subtracted from the source's sum.
template <class Q, class M>
__device__ void pull_both(Vec3<M>& a, Vec3<M>& b, const cuda::Place<Q>& source, const cuda::Place<Q>& target,
                          M eps2) {
  using std::fma;
  const auto d = cuda::separation<Q>(source, target);
  const M cube = cuda::inverse_cube_of(d, eps2), g = source.m * cube, h = target.m * cube;
  a = {fma(d.x, g, a.x), fma(d.y, g, a.y), fma(d.z, g, a.z)};
  b = {fma(d.x, h, b.x), fma(d.y, h, b.y), fma(d.z, h, b.z)};
}

template <class M>
__device__ Vec3<M> from_lane(Vec3<M> v, unsigned lane) {
  const int from = static_cast<int>(lane % 32);
  return {__shfl_sync(~0u, v.x, from), __shfl_sync(~0u, v.y, from), __shfl_sync(~0u, v.z, from)};
}

/// The pulls on this lane's bodies. staged: K tiles, each twice.
template <class Q, int K, class M>
__device__ void pulls_in_warp(Vec3<M> (&a)[K], const cuda::Place<Q> (&mine)[K], cuda::Places<Q> staged,
                              M eps2) {
  const unsigned lane = threadIdx.x % 32;
  __syncwarp();  // all lanes have read the bodies staged before
#pragma unroll
  for (unsigned k = 0; k < K; ++k) {
    staged.set(64 * k + lane, mine[k]), staged.set(64 * k + lane + 32, mine[k]);
    a[k] = {};
  }
  __syncwarp();
#pragma unroll
  for (unsigned s = 0; s < K; ++s) {
    Vec3<M> b;
#pragma unroll
    for (unsigned k = 0; k < s; ++k) pull_both<Q>(a[k], b, mine[s], mine[k], eps2);
    if (s > 0) b = from_lane(b, lane + 1);
#pragma unroll 5
    for (unsigned c = 1; c < 16; ++c) {
      const auto source = staged[64 * s + lane + c];
#pragma unroll
      for (unsigned k = 0; k < K; ++k) pull_both<Q>(a[k], b, source, mine[k], eps2);
      b = from_lane(b, lane + 1);
    }
    const auto opposite = staged[64 * s + lane + 16];
#pragma unroll
    for (unsigned k = 0; k < K; ++k) {
      M one[3]{a[k].x, a[k].y, a[k].z};
      cuda::add_pull<Q>(one, opposite, mine[k], eps2);
      a[k] = {one[0], one[1], one[2]};
    }
    a[s] -= from_lane(b, lane + 16);  // it has travelled half the way round
  }
}

template <class P, int K>
__global__ void __launch_bounds__(32 * warps)
    warp_ensemble(const cuda::Task<P> t, const cuda::Systems<P> systems) {
  using M = typename P::Math;
  using T = typename P::Position;
  using Q = cuda::Relative<P>;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, system = blockIdx.x * warps + warp;
  if (system >= systems.count) return;
  const std::size_t first = std::size_t{system} * t.n;
  const M eps2 = systems.eps2(t, system);
  const cuda::Places<Q> staged(dynamic_shared<unsigned char>() + warp * 64 * K * cuda::Places<Q>::bytes,
                               64 * K);

  cuda::Own<P> own[3 * K];
  M mass[K]{};
#pragma unroll
  for (unsigned k = 0; k < K; ++k)
    if (32 * k + lane < t.n) {
#pragma unroll
      for (unsigned c = 0; c < 3; ++c) own[3 * k + c] = own_of(t, first + 32 * k + lane, c);
      mass[k] = M(t.bodies[first + 32 * k + lane].m);
    }

  const auto origin = [&] {
    Vec3<T> middle;
    if constexpr (std::is_same_v<P, Mixed>) {
      // Bodies from all tiles, in case they are in the order of their places.
      Vec3<float> sample;
#pragma unroll
      for (unsigned k = 0; k < K; ++k) {
        const bool taken = k == 0 || (lane * K / 32 == k && 32 * k + lane < t.n);
        const Vec3<float> at{float(own[3 * k].x), float(own[3 * k + 1].x), float(own[3 * k + 2].x)};
        sample = {taken ? at.x : sample.x, taken ? at.y : sample.y, taken ? at.z : sample.z};
      }
      sample = cuda::middle_of_lanes(from_lane(sample, t.n < 32 ? lane % t.n : lane));
      middle = {sample.x, sample.y, sample.z};
    }
    return middle;
  };
  cuda::make_steps<true>(t, own, 3 * K, [&] {
    const auto middle = origin();
    cuda::Place<Q> mine[K];
#pragma unroll
    for (unsigned k = 0; k < K; ++k)
      mine[k] = {{M(own[3 * k].x - middle.x), M(own[3 * k + 1].x - middle.y), M(own[3 * k + 2].x - middle.z),
                  mass[k]}};
    Vec3<M> a[K];
    pulls_in_warp<Q, K>(a, mine, staged, eps2);
#pragma unroll
    for (unsigned k = 0; k < K; ++k)
      own[3 * k].sum = a[k].x, own[3 * k + 1].sum = a[k].y, own[3 * k + 2].sum = a[k].z;
  });

#pragma unroll
  for (unsigned k = 0; k < K; ++k)
    if (const std::size_t i = 32 * k + lane; i < t.n) {
#pragma unroll
      for (unsigned c = 0; c < 3; ++c) give_back(t, first + i, c, own[3 * k + c]);
      t.sums[first + i].w = 0;
    }
}

template <class P, int K>
constexpr cuda::Compiled<cuda::Task<P>, cuda::Systems<P>> compiled() {
  return {{.threads_per_block = 32 * warps, .bodies_per_thread = K}, warp_ensemble<P, K>, 32 * K, 32 * K};
}
template <class P>
constexpr std::array list{compiled<P, 1>(), compiled<P, 2>(), compiled<P, 3>(), compiled<P, 4>()};

template <class P>
void run(const EnsembleProblem<P>& p, const LaunchShape& shape) {
  constexpr std::string_view name = "cuda/warp-ensemble";
  const auto task = cuda::task_of(p, list<P>.back().most_bodies, name);
  if (cuda::nothing_to_do(p)) return;
  const auto& c = cuda::compiled_for(list<P>, shape, task.n, name);
  const unsigned tiles = 2 * static_cast<unsigned>(c.shape.bodies_per_thread) * 32;
  cuda::launch(name, c.kernel,
               {.blocks = cuda::ceil_div(p.systems, warps),
                .threads = 32 * warps,
                .shared_bytes = warps * tiles * cuda::Places<cuda::Relative<P>>::bytes},
               p.stream, task, cuda::systems_of(p));
}

/// First its own choice, by the number of bodies.
constexpr std::array shapes{LaunchShape{}, list<F32>[0].shape, list<F32>[1].shape, list<F32>[2].shape,
                            list<F32>[3].shape};

}  // namespace

extern constinit const EnsembleKernel cuda_warp_ensemble{
    .name = "cuda/warp-ensemble",
    .rung = 205,
    .idea =
        "many systems at once, one warp each; each pair is computed once, with sums that rotate by shuffles",
    .most_bodies = 128,
    .fma_port_operations = {.f32 = 8.5, .f64 = 20, .mixed = 8.5},
    .shapes = shapes,
    .f32 = run<F32>,
    .f64 = run<F64>,
    .mixed = run<Mixed>};

}  // namespace pleiad
