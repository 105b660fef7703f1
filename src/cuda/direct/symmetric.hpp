/// Symmetric pairs on the GPU: each pair is computed once and pulls both ways.
///
/// The bodies are cut into blocks. Block I meets block J = I + s (round the end) for s from 0 to half the
/// number of blocks, which covers every pair of blocks once. A thread keeps K targets of I
/// in registers, 32 K to a warp. A warp takes the sources of J 32 at a time: the tile lies twice in shared
/// memory, in step c lane l reads source (l + c) % 32, and the three sums of that source travel to the next
/// lane by shuffle, so that every sum stays in a register and no two lanes ever meet. The warps of a block
/// work on different tiles of J. A block with itself is summed one-sided.
///
/// The loop over a tile is written stage by stage over the K targets (all separations, all squares, all
/// roots, then products and sums): register reads limit it (docs: measured 36 a pair, two banks of one read a
/// clock), and with ptxas at -O1, which keeps neighbours together, more operands come from the reuse cache.
/// At -O3 the same source is 5 to 12 % slower.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/ptx.hpp"
#include "cuda/direct/frame.hpp"
#include "cuda/direct/pair_sums.hpp"

namespace pleiad::cuda {

/// Two blocks that meet. Those that share s follow each other, the diagonal first; of the last column half is
/// enough when their number is even, so that all pairs together are blocks (blocks + 1) / 2. Blocks have 32 W
/// K bodies.
struct PairOfBlocks {
  int I, J;
};
template <int W, int K>
__device__ PairOfBlocks pair_of_blocks(unsigned pair, int n) {
  const unsigned blocks = (static_cast<unsigned>(n) + 32 * W * K - 1) / (32 * W * K);
  const unsigned s = pair / blocks, I = pair - s * blocks, J = I + s;
  return {static_cast<int>(I), static_cast<int>(J < blocks ? J : J - blocks)};
}

/// What a pair's inverse cube is multiplied by.
template <class M>
struct Factors {
  M on_target, on_source;
};

/// General masses, also 0. 17 slots a pair: 3 separations, 3 for the square, 1 root, 2 for its cube, 2
/// factors, 6 sums.
struct General {
  using Real = float;
  static constexpr unsigned needs = any_masses;
  __device__ static Mass<float> staged(Mass<float> source) { return source; }
  __device__ static float eps2(float eps2, float) { return eps2; }
  __device__ static float separation(float source, float target, float) { return source - target; }
  __device__ static Factors<float> factors(float cube, float source, float target) {
    return {source * cube, target * cube};
  }
  __device__ static float of_target(float) { return 1; }
  __device__ static float of_source(float) { return 1; }
};

/// Shared memory of a sweep: a tile twice per warp, and a warp's part of the middle.
template <int W, bool pairs>
constexpr unsigned sweep_shared_bytes(float) {
  return W * (64 * sizeof(Mass<float>) + (pairs ? sizeof(Vec4<float>) : 0));
}

/// The mean place of a block's bodies, the same for all its threads: where float differences are small.
template <int W, int K>
__device__ Vec3<float> middle_of_block(const Mass<float>* __restrict__ bodies, unsigned first, unsigned n,
                                       Vec4<float>* shared) {
  Vec4<float> sum;
  for (unsigned i = first + threadIdx.x % (32 * W); i < first + 32 * W * K && i < n; i += 32 * W) {
    const auto b = bodies[i];
    sum = {sum.x + b.x, sum.y + b.y, sum.z + b.z, sum.w + 1};
  }
  for (int lane = 16; lane > 0; lane /= 2) {
    sum.x += __shfl_xor_sync(~0u, sum.x, lane);
    sum.y += __shfl_xor_sync(~0u, sum.y, lane);
    sum.z += __shfl_xor_sync(~0u, sum.z, lane);
    sum.w += __shfl_xor_sync(~0u, sum.w, lane);
  }
  if constexpr (W == 1) return {sum.x / sum.w, sum.y / sum.w, sum.z / sum.w};
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = sum;
  __syncthreads();
  Vec4<float> all;
  for (int w = 0; w < W; ++w)
    all = {all.x + shared[w].x, all.y + shared[w].y, all.z + shared[w].z, all.w + shared[w].w};
  return {all.x / all.w, all.y / all.w, all.z / all.w};
}

/// Adds to `sums` what blocks I and J of 32 W K bodies do to each other. `pairs`: positions are a float and
/// its rest, taken relative to the middle of block I. W: warps in a block of threads; K: targets per thread;
/// unrolled: steps of the loop over a tile. All threads of the block call it, with sweep_shared_bytes of
/// dynamic shared memory, and with a barrier between two calls; with
/// W = 1 each warp of a larger block may call it by itself, with a barrier of the warp between. The bits do
/// not depend on where it is called, nor on `unrolled`.
template <class Form, class Sums, bool pairs, int W, int K, int unrolled>
__device__ __forceinline__ void sweep_pair(const Mass<float>* bodies, const Mass<float>* rests,
                                           const Sums& sums, int n, float eps2, int I, int J) {
  constexpr int size = 32 * W * K;
  const int lane = threadIdx.x % 32, warp = W == 1 ? 0 : threadIdx.x / 32;
  auto* staged = dynamic_shared<Mass<float>>() + 64 * (threadIdx.x / 32);
  Vec3<float> origin;
  if constexpr (pairs)
    origin = middle_of_block<W, K>(bodies, I * size, n,
                                   reinterpret_cast<Vec4<float>*>(dynamic_shared<Mass<float>>() + 64 * W));
  const auto load = [&](int i) {
    auto b = bodies[i];
    if constexpr (pairs) {
      const auto rest = rests[i];
      b = {(b.x - origin.x) + rest.x, (b.y - origin.y) + rest.y, (b.z - origin.z) + rest.z, b.m};
    }
    return b;
  };

  const int mine = I * size + warp * 32 * K + lane;
  if (mine - lane >= n) return;  // nothing but padding, and no more barriers of the block
  float x[K], y[K], z[K], m[K], ax[K], ay[K], az[K];
#pragma unroll
  for (int k = 0; k < K; ++k) {
    const auto b = load(mine + 32 * k);
    x[k] = b.x, y[k] = b.y, z[k] = b.z, m[k] = b.m;
    ax[k] = ay[k] = az[k] = 0;
  }
  const int in_J = n - J * size < size ? n - J * size : size;
  const int tiles = (in_J + 31) / 32;
  const auto give_to_targets = [&](float finish) {
#pragma unroll
    for (int k = 0; k < K; ++k) {
      if (mine + 32 * k < n) sums.add(mine + 32 * k, ax[k] * finish, ay[k] * finish, az[k] * finish);
      ax[k] = ay[k] = az[k] = 0;
    }
  };
  if (I == J) {
    for (int t = 0; t < tiles; ++t) {
      staged[lane] = load(J * size + 32 * t + lane);
      __syncwarp();
#pragma unroll 1
      for (int c = 0; c < 32; ++c) {
        const auto b = staged[c];
#pragma unroll
        for (int k = 0; k < K; ++k) {
          const float dx = b.x - x[k], dy = b.y - y[k], dz = b.z - z[k];
          const float v = rsqrt_approx(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, eps2))));
          const float g = v * (v * v) * b.m;
          ax[k] = fmaf(dx, g, ax[k]), ay[k] = fmaf(dy, g, ay[k]), az[k] = fmaf(dz, g, az[k]);
        }
      }
      __syncwarp();
      // The nearest bodies pull hardest: short sums lose less of what they do.
      if (t % 8 == 7 || t + 1 == tiles) give_to_targets(1);
    }
    return;
  }

  int t = warp * K % tiles;
#pragma unroll 1
  for (int tile = 0; tile < tiles; ++tile) {
    const int j = J * size + 32 * t + lane;
    const auto mine_staged = Form::staged(load(j));
    staged[lane] = staged[lane + 32] = mine_staged;
    __syncwarp();
    const auto* from_me = staged + lane;
    float bx = 0, by = 0, bz = 0;
#pragma unroll unrolled
    for (int c = 0; c < 32; ++c) {
      const auto b = from_me[c];
      const float e = Form::eps2(eps2, b.m);
      float dx[K], dy[K], dz[K], v[K];
#pragma unroll
      for (int k = 0; k < K; ++k) {
        dx[k] = Form::separation(b.x, x[k], b.m);
        dy[k] = Form::separation(b.y, y[k], b.m);
        dz[k] = Form::separation(b.z, z[k], b.m);
      }
#pragma unroll
      for (int k = 0; k < K; ++k) v[k] = fmaf(dz[k], dz[k], e);
#pragma unroll
      for (int k = 0; k < K; ++k) v[k] = fmaf(dy[k], dy[k], v[k]);
#pragma unroll
      for (int k = 0; k < K; ++k) v[k] = fmaf(dx[k], dx[k], v[k]);
#pragma unroll
      for (int k = 0; k < K; ++k) v[k] = rsqrt_approx(v[k]);
#pragma unroll
      for (int k = 0; k < K; ++k) {
        const auto [g, h] = Form::factors(v[k] * (v[k] * v[k]), b.m, m[k]);
        ax[k] = fmaf(dx[k], g, ax[k]), bx = fmaf(dx[k], h, bx);
        ay[k] = fmaf(dy[k], g, ay[k]), by = fmaf(dy[k], h, by);
        az[k] = fmaf(dz[k], g, az[k]), bz = fmaf(dz[k], h, bz);
      }
      bx = __shfl_sync(~0u, bx, (lane + 1) % 32);
      by = __shfl_sync(~0u, by, (lane + 1) % 32);
      bz = __shfl_sync(~0u, bz, (lane + 1) % 32);
    }
    __syncwarp();
    const float back = -Form::of_source(mine_staged.m);
    if (j < n) sums.add(j, bx * back, by * back, bz * back);
    t = t + 1 < tiles ? t + 1 : 0;
  }
  give_to_targets(Form::of_target(m[0]));
}

}  // namespace pleiad::cuda
