/// Symmetric pairs on the GPU: each pair is computed once and pulls both ways.
///
/// The bodies are cut into blocks. Block I meets block J = I + s (round the end) for s from 0 to half the
/// number of blocks, which covers every pair of blocks once. A thread keeps K targets of I in registers, 32 K
/// to a warp. A warp takes the sources of J 32 at a time: the tile lies twice in shared memory, in step c
/// lane l reads source (l + c) % 32, and the three sums of that source travel to the next lane by shuffle, so
/// that every sum stays in a register and no two lanes ever meet. The warps of a block work on different
/// tiles of J. A block with itself is summed one-sided.
///
/// What limits the loop: not the multiply-add pipes, nor a warp's latencies, but the reads of registers, of
/// which there are two banks, even and odd, with one read a clock each, and the reads that ptxas saves by
/// keeping an operand for the next instruction (docs/ncu-h200.md). A pair needs some 26 reads in 16 slots, so
/// what counts is that neighbouring instructions share operands and that three operands of one instruction do
/// not meet in one bank. That is ptxas's choice, and it is led by
/// - ptxas -O1, which keeps neighbours together (-O3: 5 to 12 % slower);
/// - one factor for both sums (Form): the products with d are read once for the two of them;
/// - the order of the statements (Order);
/// - targets that are not left where a 16-byte load has put them, in four registers in a row: x and z always
///   even, y and m always odd (+8 % with equal masses in single precision, all else the same);
/// - an origin in shared memory instead of registers (mixed precision: +5 %).
/// Some 5000 combinations of these, of W, K and the unrolling were measured on an H200; the rest of the file
/// has what won. Which one wins changes with harmless edits: measure after any.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/ptx.hpp"
#include "cuda/direct/near_tiles.hpp"

#include <cmath>

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

/// The order of the operations of a step of the loop for its K pairs, and the places of values that can be
/// kept in two. The sums do not depend on it, bit for bit; the registers do, and with them up to 10 % of the
/// speed.
struct Order {
  enum Separations : unsigned char { by_target, from_x, from_z };
  enum Sums : unsigned char { target_first, source_first, factor_first };
  Separations separations = by_target;
  /// A root is taken that many targets before it is used; 0: all roots first.
  int ahead = 0;
  bool use_first = false;    ///< a target is used before the next root is taken
  Sums sums = target_first;  ///< factor_first: target_first, with the operands of the products exchanged
  bool sums_from_z = false;
  bool staged_eps2 = false;  ///< the scaled source's softening is read from shared memory, not multiplied
  bool kept_lane = false;    ///< the lane's number is kept in a register
};

/// Factors of a pair's inverse cube.
template <class M>
struct Factors {
  M on_target, on_source;
};

/// General masses, also 0. 17 slots a pair: 3 separations, 3 for the square, 1 root, 2 for its cube, 2
/// factors, 6 sums.
struct General {
  using Real = float;
  static constexpr unsigned needs = any_masses;
  static constexpr bool scales = false;
  __device__ static Mass<float> staged(Mass<float> source) { return source; }
  __device__ static float separation(float source, float target, float) { return source - target; }
  __device__ static Factors<float> factors(float cube, float source, float target) {
    return {source * cube, target * cube};
  }
  /// Factors of the inverse distance.
  __device__ static Factors<float> of_potentials(float source, float target) { return {source, target}; }
  __device__ static float of_target(float) { return 1; }
  __device__ static float of_source(Mass<float>) { return 1; }
  static constexpr Order order(bool pairs, int W, int, bool) {
    if (pairs || W == 1) return {.separations = Order::from_x, .sums = Order::factor_first};
    return {.separations = Order::from_x, .ahead = 3, .use_first = true, .sums_from_z = true};
  }
};

/// The mean place of a block's bodies, where float differences are small, as every warp's `middle`. Of
/// padding nothing is taken; `mine` is the thread's first body.
template <int W, int K, class Stage>
__device__ __forceinline__ Vec3<float> middle_of_block(const float (&x)[K], const float (&y)[K],
                                                       const float (&z)[K], int mine, int n, int lane,
                                                       int warp, Stage* stages) {
  Vec4<float> sum;
#pragma unroll
  for (int k = 0; k < K; ++k)
    if (mine + 32 * k < n) sum = {sum.x + x[k], sum.y + y[k], sum.z + z[k], sum.w + 1};
#pragma unroll
  for (int far = 16; far > 0; far /= 2) {
    sum.x += __shfl_xor_sync(~0u, sum.x, far);
    sum.y += __shfl_xor_sync(~0u, sum.y, far);
    sum.z += __shfl_xor_sync(~0u, sum.z, far);
    sum.w += __shfl_xor_sync(~0u, sum.w, far);
  }
  if constexpr (W > 1) {
    if (lane == 0) stages[warp].middle = sum;
    __syncthreads();
    sum = {};
    for (int w = 0; w < W; ++w) {
      const auto part = stages[w].middle;
      sum = {sum.x + part.x, sum.y + part.y, sum.z + part.z, sum.w + part.w};
    }
    __syncthreads();
  }
  return {sum.x / sum.w, sum.y / sum.w, sum.z / sum.w};
}

template <class Form, int K>
__device__ __forceinline__ void separate(float (&d)[K], float source, const float (&target)[K], float m) {
#pragma unroll
  for (int k = 0; k < K; ++k) d[k] = Form::separation(source, target[k], m);
}

/// One component of both pulls.
template <Order::Sums sums>
__device__ __forceinline__ void add_to_both(float d, Factors<float> f, float& a, float& b) {
  if constexpr (sums == Order::target_first) {
    a = fmaf(d, f.on_target, a), b = fmaf(d, f.on_source, b);
  } else if constexpr (sums == Order::source_first) {
    b = fmaf(d, f.on_source, b), a = fmaf(d, f.on_target, a);
  } else {
    a = fmaf(f.on_target, d, a), b = fmaf(f.on_source, d, b);
  }
}

/// Adds to `sums` the mutual pulls of blocks I and J of 32 W K bodies. `pairs`: positions are a float and its
/// rest, taken relative to the middle of block I; `along_curve`: except in tiles near the targets, which
/// follow from `boxes` and are swept separately (near_tiles.hpp). W: warps in a block of threads; K: targets
/// per thread; unrolled: steps of the loop over a tile. All threads of the block call it, with W stages in
/// shared memory, and with a barrier between two calls; with W = 1 each warp of a larger block may call it by
/// itself, with a stage of its own and a barrier of the warp between. The result does not depend, bit for
/// bit, on where it is called, nor on `unrolled` and `order`.
template <class Form, class Sums, bool pairs, int W, int K, int unrolled, bool along_curve = false,
          Order order = Form::order(pairs, W, K, along_curve)>
__device__ __forceinline__ void sweep_pair(const Mass<float>* bodies, const Mass<float>* rests,
                                           [[maybe_unused]] const TileBox* boxes, const Sums& sums, int n,
                                           float eps2, int I, int J, SweepStage<float, along_curve>* stages) {
  constexpr int size = 32 * W * K;
  const int lane = order.kept_lane ? lane_id() : static_cast<int>(threadIdx.x % 32);
  const int warp = W == 1 ? 0 : threadIdx.x / 32 % W;
  auto* const stage = stages + warp;
  const int mine = I * size + warp * 32 * K + lane;
  float x[K], y[K], z[K], m[K], ax[K], ay[K], az[K];
  [[maybe_unused]] float aw[Sums::potential ? K : 1]{};
#pragma unroll
  for (int k = 0; k < K; ++k) {
    const auto b = bodies[mine + 32 * k];
    const float zero = eps2 * 0.0f;  // not a constant for the compiler: the sum may have any register
    x[k] = b.x + zero, y[k] = b.y + zero, z[k] = b.z + zero, m[k] = b.m + zero;
    ax[k] = ay[k] = az[k] = 0;
  }
  if constexpr (pairs) {
    const auto middle = along_curve
                            ? bodies[I * size + (n - I * size < size ? n - I * size : size) / 2].position()
                            : middle_of_block<W, K>(x, y, z, mine, n, lane, warp, stages);
    stage->middle = {middle.x, middle.y, middle.z, 0};
    __syncwarp();
#pragma unroll
    for (int k = 0; k < K; ++k) {
      const auto rest = rests[mine + 32 * k];
      x[k] = (x[k] - middle.x) + rest.x, y[k] = (y[k] - middle.y) + rest.y;
      z[k] = (z[k] - middle.z) + rest.z;
    }
  }
  if (W > 1 && mine - lane >= n) return;  // nothing but padding, and no more barriers of the block
  const auto load = [&](int i) {
    if constexpr (pairs) return relative(bodies[i], rests[i], stage->middle);
    else return bodies[i];
  };
  const auto give_to_targets = [&](bool finish) {
#pragma unroll
    for (int k = 0; k < K; ++k) {
      const float f = finish ? Form::of_target(m[k]) : 1;
      const float w = Sums::potential ? aw[Sums::potential ? k : 0] * f : 0;
      if (mine + 32 * k < n) give(sums, mine + 32 * k, ax[k] * f, ay[k] * f, az[k] * f, w);
      ax[k] = ay[k] = az[k] = 0;
      if constexpr (Sums::potential) aw[k] = 0;
    }
  };
  const int in_J = n - J * size < size ? n - J * size : size, tiles = (in_J + 31) / 32;
  int to_sweep = tiles;
  if constexpr (along_curve) {
    const unsigned groups =
        groups_near_tile<K>(bodies, rests, boxes, n, stage->middle, mine - lane, J * size, tiles);
    const bool far = lane < tiles && groups == 0;
    const unsigned all_far = __ballot_sync(~0u, far);
    to_sweep = __popc(all_far);
    // The warps of a block begin at different tiles.
    if (far) stage->far[(__popc(all_far & ((1u << lane) - 1)) + warp * to_sweep / W) % to_sweep] = lane;
    stage->groups[lane] = groups;
    __syncwarp();
  }
  if (I == J) {
    const int first = J * size, end = first + 32 * tiles;
    if constexpr (!along_curve) {
#pragma unroll 1
      for (int j = first; j < end; j += 32) {
        stage->tile[lane] = load(j + lane);
        __syncwarp();
#pragma unroll 1
        for (int c = 0; c < 32; ++c) {
          const auto b = stage->tile[c];
#pragma unroll
          for (int k = 0; k < K; ++k) {
            const float dx = b.x - x[k], dy = b.y - y[k], dz = b.z - z[k];
            const float v = rsqrt_approx(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, eps2))));
            const float g = v * (v * v) * b.m;
            ax[k] = fmaf(dx, g, ax[k]), ay[k] = fmaf(dy, g, ay[k]), az[k] = fmaf(dz, g, az[k]);
            if constexpr (Sums::potential)
              if (j + c != mine + 32 * k) aw[k] = fmaf(v, b.m, aw[k]);
          }
        }
        __syncwarp();
        // The nearest bodies pull hardest: shorter sums have smaller rounding errors.
        if ((j - first) % 256 == 224 || j + 32 >= end) give_to_targets(false);
      }
    } else {
      sweep_near_tiles<Sums, K, false>(bodies, rests, sums, n, eps2, mine, first, (2u << (tiles - 1)) - 1,
                                       stage);
    }
    return;
  }

  int t = W == 1 ? 0 : warp * K % tiles;
#pragma unroll 1
  for (int tile = 0; tile < to_sweep; ++tile) {
    if constexpr (along_curve) t = stage->far[tile];
    const int j = J * size + 32 * t + lane;
    const auto source = Form::staged(load(j));
    const float back = -Form::of_source(source);
    stage->tile[lane] = stage->tile[lane + 32] = source;
    if constexpr (Form::scales && order.staged_eps2)
      stage->eps2[lane] = stage->eps2[lane + 32] = eps2 * (source.m * source.m);
    __syncwarp();
    const auto* from_me = stage->tile + lane;
    float bx = 0, by = 0, bz = 0;
    [[maybe_unused]] float bw = 0;
#pragma unroll unrolled
    for (int c = 0; c < 32; ++c) {
      const auto b = from_me[c];
      float e = eps2;
      if constexpr (Form::scales) e = order.staged_eps2 ? stage->eps2[lane + c] : eps2 * (b.m * b.m);
      float dx[K], dy[K], dz[K], v[K];
      if constexpr (order.separations == Order::by_target) {
#pragma unroll
        for (int k = 0; k < K; ++k) {
          dx[k] = Form::separation(b.x, x[k], b.m);
          dy[k] = Form::separation(b.y, y[k], b.m);
          dz[k] = Form::separation(b.z, z[k], b.m);
        }
      } else {
        constexpr bool from_x = order.separations == Order::from_x;
        separate<Form>(from_x ? dx : dz, from_x ? b.x : b.z, from_x ? x : z, b.m);
        separate<Form>(dy, b.y, y, b.m);
        separate<Form>(from_x ? dz : dx, from_x ? b.z : b.x, from_x ? z : x, b.m);
      }
#pragma unroll
      for (int k = 0; k < K; ++k) v[k] = fmaf(dz[k], dz[k], e);
#pragma unroll
      for (int k = 0; k < K; ++k) v[k] = fmaf(dy[k], dy[k], v[k]);
#pragma unroll
      for (int k = 0; k < K; ++k) v[k] = fmaf(dx[k], dx[k], v[k]);
      const auto root = [&](int k) {
        if (k < K) v[k] = rsqrt_approx(v[k]);
      };
      const auto use = [&](int k) {
        if (k < 0) return;
        if constexpr (Sums::potential) {
          const auto p = Form::of_potentials(b.m, m[k]);
          aw[k] = fmaf(p.on_target, v[k], aw[k]), bw = fmaf(p.on_source, v[k], bw);
        }
        const auto f = Form::factors(v[k] * (v[k] * v[k]), b.m, m[k]);
        const auto add_x = [&] { add_to_both<order.sums>(dx[k], f, ax[k], bx); };
        const auto add_z = [&] { add_to_both<order.sums>(dz[k], f, az[k], bz); };
        if constexpr (order.sums_from_z) add_z();
        else add_x();
        add_to_both<order.sums>(dy[k], f, ay[k], by);
        if constexpr (order.sums_from_z) add_x();
        else add_z();
      };
      if constexpr (order.ahead == 0) {
#pragma unroll
        for (int k = 0; k < K; ++k) root(k);
      }
#pragma unroll
      for (int k = 0; k < K + order.ahead; ++k) {
        if constexpr (order.ahead > 0 && !order.use_first) root(k);
        use(k - order.ahead);
        if constexpr (order.ahead > 0 && order.use_first) root(k);
      }
      bx = __shfl_sync(~0u, bx, (lane + 1) % 32);
      by = __shfl_sync(~0u, by, (lane + 1) % 32);
      bz = __shfl_sync(~0u, bz, (lane + 1) % 32);
      if constexpr (Sums::potential) bw = __shfl_sync(~0u, bw, (lane + 1) % 32);
    }
    __syncwarp();
    if (j < n) give(sums, j, bx * back, by * back, bz * back, -bw * back);
    if constexpr (!along_curve) t = t + 1 < tiles ? t + 1 : 0;
  }
  give_to_targets(true);
  if constexpr (along_curve) {
    const unsigned near_tiles = __ballot_sync(~0u, stage->groups[lane] != 0);
    if (near_tiles != 0)
      sweep_near_tiles<Sums, K, true>(bodies, rests, sums, n, eps2, mine, J * size, near_tiles, stage);
  }
}

/// A sweep with stages at the beginning of the dynamic shared memory.
template <class Form, class Sums, bool pairs, int W, int K, int unrolled>
__device__ __forceinline__ void sweep_pair(const Mass<float>* bodies, const Mass<float>* rests,
                                           const Sums& sums, int n, float eps2, int I, int J) {
  sweep_pair<Form, Sums, pairs, W, K, unrolled>(
      bodies, rests, nullptr, sums, n, eps2, I, J,
      dynamic_shared<SweepStage<float>>() + (W == 1 ? threadIdx.x / 32 : 0));
}

}  // namespace pleiad::cuda
