/// Sums and medians over the lanes of a warp, by shuffles.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/cuda.hpp"

#include <pleiad/vec.hpp>

namespace pleiad::cuda {

/// One exchange of halves, and those that remain.
template <unsigned half, int V, class M>
__device__ void fold_lanes(M (&a)[V]) {
  const bool upper = (threadIdx.x & half) != 0;
#pragma unroll
  for (unsigned i = 0; i < half; ++i) {
    if (half >= 4 && i % 4 == 3) continue;
    const M give = upper ? a[i] : a[i + half], keep = upper ? a[i + half] : a[i];
    a[i] = keep + __shfl_xor_sync(~0u, give, static_cast<int>(half));
  }
  if constexpr (half > 1) fold_lanes<half / 2>(a);
}

/// V values of each lane, summed over every S lanes that follow each other: lane l gets the sum of value l %
/// V. Lanes exchange halves of their remaining values, so that V values take V - 1 shuffles and not V log2 S.
/// Every fourth value is 0 and not read before the end. Lanes with the same value have the same bits.
template <int V, int S, class M>
__device__ M sum_over_lanes(M (&a)[V]) {
  static_assert(V % 4 == 0 && V <= S && S <= 32);
  fold_lanes<V / 2>(a);
#pragma unroll
  for (int step = V; step < S; step *= 2) a[0] += __shfl_xor_sync(~0u, a[0], step);
  return a[0];
}

template <class M>
__device__ M median(M a, M b, M c) {
  const M low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}

/// A middle of the lanes' places, the same for all lanes of the warp: the median of medians of medians of
/// three, of 27 lanes, component by component. At least 8 of them must be far away before it is; a mean is
/// moved by one.
template <class M>
__device__ Vec3<M> middle_of_lanes(Vec3<M> x) {
  for (int third = 9; third > 0; third /= 3) {
    const int lane = static_cast<int>(threadIdx.x % 32) % third;
    const auto of_lane = [&](M mine) {
      return median(__shfl_sync(~0u, mine, lane), __shfl_sync(~0u, mine, lane + third),
                    __shfl_sync(~0u, mine, lane + 2 * third));
    };
    x = {of_lane(x.x), of_lane(x.y), of_lane(x.z)};
  }
  return x;
}

}  // namespace pleiad::cuda
