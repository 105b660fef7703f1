/// The generated operators of one order, for threads: included by each file that is compiled per order, after
/// PLEIAD_TREE_OPERATORS names the generated file.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/ptx.hpp"
#include "tree/indices.hpp"

namespace pleiad::cuda::tree {

namespace indices = pleiad::tree;

/// indices::below() for threads.
PLEIAD_HD constexpr int below(int n) { return n * (n + 1) * (n + 2) / 6; }
static_assert(below(1) == indices::below(1) && below(7) == indices::below(7));

/// Names an order for the overloads of its operators.
template <int p>
struct Order {};

__device__ inline float fma(float a, float b, float c) { return fma_rn(a, b, c); }
__device__ inline float inverse_root(float x) { return rsqrt_approx(x); }

#define PLEIAD_OPERATOR __device__ __forceinline__
#define PLEIAD_RESTRICT __restrict__
#include PLEIAD_TREE_OPERATORS
#undef PLEIAD_OPERATOR
#undef PLEIAD_RESTRICT

/// Sizes of the arrays of cells, in floats and in fours.
template <int p>
struct Sizes {
  static constexpr int fours(int n) { return (n + 3) / 4 * 4; }
  static constexpr int folded_moments = indices::folded_moments(p), moments = indices::moments(p);
  static constexpr int folded_locals = indices::folded_locals(p), locals = indices::locals(p);
  /// Record of a far source: x, y, z, mass; lx, ly, lz, unit; moments from order 2 on.
  static constexpr int record = 8 + fours(folded_moments - 1);
  /// All moments, the mass first.
  static constexpr int full = fours(moments);
  static constexpr int folded = fours(folded_locals), local = fours(locals);
};

struct alignas(16) Four {
  float of[4];
};

/// `count` floats, rounded up to fours, from or to memory that is aligned to fours.
template <int count>
__device__ __forceinline__ void load(const float* __restrict__ from, float* __restrict__ to) {
#pragma unroll
  for (int k = 0; k < count; k += 4) {
    const Four four = *reinterpret_cast<const Four*>(from + k);
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (k + i < count) to[k + i] = four.of[i];
  }
}
template <int count>
__device__ __forceinline__ void store(const float* __restrict__ from, float* __restrict__ to) {
#pragma unroll
  for (int k = 0; k < count; k += 4) {
    Four four;
#pragma unroll
    for (int i = 0; i < 4; ++i) four.of[i] = k + i < count ? from[k + i] : 0.0f;
    *reinterpret_cast<Four*>(to + k) = four;
  }
}

/// Sums over the lanes of a warp: lane k gets that of v[k], for k below `count`. A butterfly that halves the
/// remaining values of each lane. v is overwritten.
template <int count>
__device__ __forceinline__ float transposed_sum(float* __restrict__ v) {
  const int lane = lane_id();
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    const bool upper = (lane & step) != 0;
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      if (k >= step || k >= count) continue;
      const float low = v[k], high = k + step < count ? v[k + step] : 0.0f;
      const float kept = upper ? high : low, given = upper ? low : high;
      v[k] = kept + __shfl_xor_sync(~0u, given, step);
    }
  }
  return v[0];
}
/// Sums over the lanes for any count; writes the sums.
template <int count>
__device__ __forceinline__ void write_sums(float* __restrict__ v, float* __restrict__ to) {
#pragma unroll
  for (int k = 0; k < count; k += 32) {
    float sum = 0;
    if (k + 32 <= count) sum = transposed_sum<32>(v + k);
    else sum = transposed_sum < count % 32 == 0 ? 32 : count % 32 > (v + k);
    if (k + lane_id() < count) to[k + lane_id()] = sum;
  }
}

}  // namespace pleiad::cuda::tree
