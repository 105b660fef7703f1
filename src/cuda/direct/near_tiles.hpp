/// Pairs that are near for single precision, of symmetric sums along a curve. A sweep's positions are floats
/// relative to the middle of its targets. The error of a separation grows with the distance from there, and
/// counts where two bodies are close together: in tiles next to the targets, which are swept separately, by
/// differences of pairs of floats.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/ptx.hpp"
#include "cuda/direct/frame.hpp"
#include "cuda/direct/pair_sums.hpp"

namespace pleiad::cuda {

/// Shared memory of a warp: a tile twice, the softening of its sources where it is staged, and a part of the
/// middle of block I, then all of it.
template <class M, bool along_curve = false>
struct SweepStage;
template <>
struct SweepStage<float> {
  Mass<float> tile[64];
  float eps2[64];
  Vec4<float> middle;
};
/// Along a curve also the remainders of the tile, the tiles of J that are far from the targets, and for each
/// tile the groups of targets that are near it.
template <>
struct SweepStage<float, true> : SweepStage<float> {
  Mass<float> rests[64];
  int far[32];
  unsigned groups[32];
};
template <int W, bool along_curve, class M>
constexpr unsigned sweep_shared_bytes(M) {
  return W * sizeof(SweepStage<M, along_curve>);
}

/// Adds the pulls of a tile or a block; the potential if it is summed.
template <class Sums, class M>
__device__ __forceinline__ void give(const Sums& sums, std::size_t body, M x, M y, M z,
                                     [[maybe_unused]] M w) {
  if constexpr (Sums::potential) sums.add(body, x, y, z, w);
  else sums.add(body, x, y, z);
}

__device__ __forceinline__ float largest_of(float a, float b, float c) {
  return fmaxf(fabsf(a), fmaxf(fabsf(b), fabsf(c)));
}

/// A body's position relative to a middle.
__device__ __forceinline__ Mass<float> relative(Mass<float> b, Mass<float> rest, Vec4<float> middle) {
  return {(b.x - middle.x) + rest.x, (b.y - middle.y) + rest.y, (b.z - middle.z) + rest.z, b.m};
}

/// For the tile `first` + 32 times the lane, one of `tiles`: bit k is set if group k of the warp's K groups
/// of 32 targets, from `mine` on, is so near that a separation in floats may have an error above 2^-18 of
/// itself.
template <int K>
__device__ __forceinline__ unsigned groups_near_tile(const Mass<float>* bodies, const Mass<float>* rests,
                                                     const TileBox* boxes, int n, Vec4<float> middle,
                                                     int mine, int first, int tiles) {
  // A coordinate errs by 2^-24 of itself: by 2^-18 of a separation that is a 64th of it.
  constexpr float part = 64;
  const int lane = static_cast<int>(threadIdx.x % 32);
  struct Box {
    Vec3<float> low, high;
    float allowed;  // between two boxes: the sum of theirs
  };
  const auto box_at = [&](int body) {
    const auto b = relative(bodies[body], rests[body], middle);
    const auto box = boxes[body / 32];
    const Vec3<float> low{b.x + box.low.x, b.y + box.low.y, b.z + box.low.z},
        high{b.x + box.high.x, b.y + box.high.y, b.z + box.high.z};
    return Box{low, high, fmaxf(largest_of(low.x, low.y, low.z), largest_of(high.x, high.y, high.z)) / part};
  };
  const bool there = lane < tiles;
  const auto tile = box_at(first + (there ? 32 * lane : 0));
  const int own = mine + 32 * (lane < K ? lane : 0);
  const auto of_lane = box_at(own < n ? own : mine);
  // Most tiles are farther from the middle than all targets: no more tests are needed.
  float farthest = of_lane.allowed;
#pragma unroll
  for (int far = 16; far > 0; far /= 2) farthest = fmaxf(farthest, __shfl_xor_sync(~0u, farthest, far));
  const float distance = fmaxf(fmaxf(tile.low.x, -tile.high.x),
                               fmaxf(fmaxf(tile.low.y, -tile.high.y), fmaxf(tile.low.z, -tile.high.z)));
  if (__ballot_sync(~0u, there && distance <= part * farthest + farthest + tile.allowed) == 0) return 0;
  unsigned near = 0;
#pragma unroll
  for (int k = 0; k < K; ++k) {
    const auto gap = [&](float low, float high, float tile_low, float tile_high) {
      return fmaxf(__shfl_sync(~0u, low, k) - tile_high, tile_low - __shfl_sync(~0u, high, k));
    };
    const float gaps = fmaxf(gap(of_lane.low.x, of_lane.high.x, tile.low.x, tile.high.x),
                             fmaxf(gap(of_lane.low.y, of_lane.high.y, tile.low.y, tile.high.y),
                                   gap(of_lane.low.z, of_lane.high.z, tile.low.z, tile.high.z)));
    const float allowed = tile.allowed + __shfl_sync(~0u, of_lane.allowed, k);
    if (there && mine + 32 * k < n && gaps <= allowed) near |= 1u << k;
  }
  return near;
}

/// Adds to `sums` the mutual pulls of K targets of each lane, 32 apart from `mine` on, and the sources of
/// some tiles from `first` on (the bits of `near_tiles`); with `both` unset, only the pulls of the sources.
/// In groups that are near a tile, which the stage stores, separations are differences of pairs of floats,
/// exact however near two bodies are. Some 24 slots a pair there, 18 elsewhere. Not inlined: the loop over
/// all other tiles keeps its registers.
template <class Sums, int K, bool both>
__device__ __attribute__((noinline)) void sweep_near_tiles(const Mass<float>* bodies,
                                                           const Mass<float>* rests, const Sums& sums, int n,
                                                           float eps2, int mine, int first,
                                                           unsigned near_tiles,
                                                           SweepStage<float, true>* stage) {
  // A group near a tile makes its neighbours take the long way, too; fewer at once hide less latency.
  constexpr int at_once = K % 6 == 0 ? 6 : K < 4 ? K : 4;
  static_assert(K % at_once == 0);
  const int lane = static_cast<int>(threadIdx.x % 32);
#pragma unroll 1
  for (int group = 0; group < K; group += at_once) {
    const int from = mine + 32 * group;
    Mass<float> body[at_once], own[at_once];
    Vec3<float> a[at_once];
    [[maybe_unused]] float aw[at_once]{};
#pragma unroll
    for (int k = 0; k < at_once; ++k) body[k] = bodies[from + 32 * k], own[k] = rests[from + 32 * k];
    const auto give_to_targets = [&] {
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        if (from + 32 * k < n) give(sums, from + 32 * k, a[k].x, a[k].y, a[k].z, aw[k]);
        a[k] = {}, aw[k] = 0;
      }
    };
    int swept = 0;
#pragma unroll 1
    for (unsigned left = near_tiles; left != 0; left &= left - 1) {
      const int tile = __ffs(static_cast<int>(left)) - 1, j = first + 32 * tile + lane;
      const auto source = bodies[j], rest = rests[j];
      Vec3<float> b;
      [[maybe_unused]] float bw = 0;
      const auto sweep = [&]<bool exact>() {
        Mass<float> target[at_once];
#pragma unroll
        for (int k = 0; k < at_once; ++k)
          target[k] = exact ? body[k] : relative(body[k], own[k], stage->middle);
        __syncwarp();
        stage->tile[lane] = stage->tile[lane + 32] = exact ? source : relative(source, rest, stage->middle);
        if constexpr (exact) stage->rests[lane] = stage->rests[lane + 32] = rest;
        __syncwarp();
#pragma unroll 2
        for (int c = 0; c < 32; ++c) {
          const auto s = stage->tile[lane + c], r = exact ? stage->rests[lane + c] : Mass<float>{};
#pragma unroll
          for (int k = 0; k < at_once; ++k) {
            float dx = s.x - target[k].x, dy = s.y - target[k].y, dz = s.z - target[k].z;
            if constexpr (exact) dx += r.x - own[k].x, dy += r.y - own[k].y, dz += r.z - own[k].z;
            const float v = rsqrt_approx(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, eps2))));
            const float cube = v * (v * v), f = s.m * cube;
            a[k] = {fmaf(dx, f, a[k].x), fmaf(dy, f, a[k].y), fmaf(dz, f, a[k].z)};
            if constexpr (Sums::potential)
              if (both || j - lane + (lane + c) % 32 != from + 32 * k) aw[k] = fmaf(s.m, v, aw[k]);
            if constexpr (both) {
              const float g = target[k].m * cube;
              b = {fmaf(dx, g, b.x), fmaf(dy, g, b.y), fmaf(dz, g, b.z)};
              if constexpr (Sums::potential) bw = fmaf(target[k].m, v, bw);
            }
          }
          if constexpr (both) {
            b = {__shfl_sync(~0u, b.x, (lane + 1) % 32), __shfl_sync(~0u, b.y, (lane + 1) % 32),
                 __shfl_sync(~0u, b.z, (lane + 1) % 32)};
            if constexpr (Sums::potential) bw = __shfl_sync(~0u, bw, (lane + 1) % 32);
          }
        }
      };
      if ((stage->groups[tile] >> group & ((1u << at_once) - 1)) != 0) sweep.template operator()<true>();
      else sweep.template operator()<false>();
      if (both && j < n) give(sums, j, -b.x, -b.y, -b.z, bw);
      // The nearest bodies pull hardest: shorter sums have smaller rounding errors.
      if (++swept % 2 == 0 || (left & (left - 1)) == 0) give_to_targets();
    }
  }
  __syncwarp();
}

}  // namespace pleiad::cuda
