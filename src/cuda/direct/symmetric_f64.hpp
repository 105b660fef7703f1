/// The sweep of symmetric.hpp in double precision: the cube of inverse_cube.hpp, and one array per component
/// in shared memory, which a warp reads without conflict. A double is read from both banks of the registers
/// at once, and an instruction issues every second clock: three operands that are read take three clocks, so
/// here too neighbours that share operands win. Two stages, all separations, squares and roots, then each
/// target's cube and sums, are better than one (2 %), than six (7 %) and than a pipeline of single operations
/// (5 %).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/direct/inverse_cube.hpp"
#include "cuda/direct/symmetric.hpp"

namespace pleiad::cuda {

/// Factors of a pair's inverse cube, and divisors of a body's sum at the end.
struct Accelerations64 {
  using Real = double;
  static constexpr bool kept_lane = false;  ///< as in Order
  static constexpr unsigned needs = any_masses;
  __device__ static Factors<double> factors(double cube, double source, double target) {
    return {source * cube, target * cube};
  }
  /// Factors of the inverse distance.
  __device__ static Factors<double> of_potentials(double source, double target) { return {source, target}; }
  __device__ static double of_sum(double sign, double) { return sign; }
};
struct Forces64 {
  using Real = double;
  static constexpr bool kept_lane = false;
  static constexpr unsigned needs = positive_masses;
  __device__ static Factors<double> factors(double cube, double source, double target) {
    const double w = source * target * cube;
    return {w, w};
  }
  __device__ static double of_sum(double sign, double m) { return sign / m; }
};
struct EqualMass64 {
  using Real = double;
  static constexpr bool kept_lane = true;
  static constexpr unsigned needs = equal_masses;
  __device__ static Factors<double> factors(double cube, double, double) { return {cube, cube}; }
  __device__ static Factors<double> of_potentials(double, double) { return {1, 1}; }
  __device__ static double of_sum(double sign, double m) { return sign * m; }
};

template <>
struct SweepStage<double> {
  double x[64], y[64], z[64], m[64];
};

/// As the sweep_pair of single precision.
template <class Form, class Sums, bool pairs, int W, int K, int unrolled, bool along_curve = false>
__device__ __forceinline__ void sweep_pair(const Mass<double>* bodies, const Mass<double>*, const TileBox*,
                                           const Sums& sums, int n, double eps2, int I, int J,
                                           SweepStage<double>* stages) {
  static_assert(!pairs);
  constexpr int size = 32 * W * K;
  const int lane = Form::kept_lane ? lane_id() : static_cast<int>(threadIdx.x % 32);
  const int warp = W == 1 ? 0 : threadIdx.x / 32 % W;
  double* const sx = stages->x + 256 * warp;
  double* const sy = sx + 64;
  double* const sz = sy + 64;
  double* const sm = sz + 64;
  const int mine = I * size + warp * 32 * K + lane;
  if (W > 1 && mine - lane >= n) return;  // nothing but padding
  double x[K], y[K], z[K], m[K], ax[K], ay[K], az[K];
  [[maybe_unused]] double aw[Sums::potential ? K : 1]{};
#pragma unroll
  for (int k = 0; k < K; ++k) {
    const auto b = bodies[mine + 32 * k];
    x[k] = b.x, y[k] = b.y, z[k] = b.z, m[k] = b.m;
    ax[k] = ay[k] = az[k] = 0;
  }
  const auto give_to_targets = [&](bool finish) {
#pragma unroll
    for (int k = 0; k < K; ++k) {
      const double f = finish ? Form::of_sum(1, m[k]) : 1;
      const double w = Sums::potential ? aw[Sums::potential ? k : 0] * f : 0;
      if (mine + 32 * k < n) give(sums, mine + 32 * k, ax[k] * f, ay[k] * f, az[k] * f, w);
    }
  };
  const int in_J = n - J * size < size ? n - J * size : size, tiles = (in_J + 31) / 32;
  if (I == J) {
    const int first = J * size, end = first + 32 * tiles;
#pragma unroll 1
    for (int j = first; j < end; j += 32) {
      const auto source = bodies[j + lane];
      sx[lane] = source.x, sy[lane] = source.y, sz[lane] = source.z, sm[lane] = source.m;
      __syncwarp();
#pragma unroll 1
      for (int c = 0; c < 32; ++c) {
        const Mass<double> b{sx[c], sy[c], sz[c], sm[c]};
#pragma unroll
        for (int k = 0; k < K; ++k) {
          const double dx = b.x - x[k], dy = b.y - y[k], dz = b.z - z[k];
          const double r2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, eps2)));
          const double g = b.m * inverse_cube(r2);
          if constexpr (Sums::potential)
            if (j + c != mine + 32 * k) aw[k] = fma(b.m, inverse_root(r2, rsqrt_approx(r2)), aw[k]);
          ax[k] = fma(dx, g, ax[k]), ay[k] = fma(dy, g, ay[k]), az[k] = fma(dz, g, az[k]);
        }
      }
      __syncwarp();
    }
    give_to_targets(false);
    return;
  }

  int t = W == 1 ? 0 : warp * K % tiles;
#pragma unroll 1
  for (int tile = 0; tile < tiles; ++tile) {
    const int j = J * size + 32 * t + lane;
    const auto source = bodies[j];
    const double back = Form::of_sum(-1, source.m);
    sx[lane] = sx[lane + 32] = source.x;
    sy[lane] = sy[lane + 32] = source.y;
    sz[lane] = sz[lane + 32] = source.z;
    sm[lane] = sm[lane + 32] = source.m;
    __syncwarp();
    const double* const from_me = sx + lane;
    double bx = 0, by = 0, bz = 0;
    [[maybe_unused]] double bw = 0;
#pragma unroll unrolled
    for (int c = 0; c < 32; ++c) {
      const Mass<double> b{from_me[c], from_me[c + 64], from_me[c + 128], from_me[c + 192]};
      double dx[K], dy[K], dz[K], r2[K], v[K];
#pragma unroll
      for (int k = 0; k < K; ++k) {
        dx[k] = b.x - x[k], dy[k] = b.y - y[k], dz[k] = b.z - z[k];
        r2[k] = fma(dx[k], dx[k], fma(dy[k], dy[k], fma(dz[k], dz[k], eps2)));
        v[k] = rsqrt_approx(r2[k]);
      }
#pragma unroll
      for (int k = 0; k < K; ++k) {
        double cube;
        if constexpr (Sums::potential) {
          const double w = inverse_root(r2[k], v[k]);
          const auto p = Form::of_potentials(b.m, m[k]);
          aw[k] = fma(p.on_target, w, aw[k]), bw = fma(p.on_source, w, bw);
          cube = w * (w * w);
        } else {
          cube = inverse_cube(r2[k], v[k]);
        }
        const auto f = Form::factors(cube, b.m, m[k]);
        ax[k] = fma(dx[k], f.on_target, ax[k]), bx = fma(dx[k], f.on_source, bx);
        ay[k] = fma(dy[k], f.on_target, ay[k]), by = fma(dy[k], f.on_source, by);
        az[k] = fma(dz[k], f.on_target, az[k]), bz = fma(dz[k], f.on_source, bz);
      }
      bx = __shfl_sync(~0u, bx, (lane + 1) % 32);
      by = __shfl_sync(~0u, by, (lane + 1) % 32);
      bz = __shfl_sync(~0u, bz, (lane + 1) % 32);
      if constexpr (Sums::potential) bw = __shfl_sync(~0u, bw, (lane + 1) % 32);
    }
    __syncwarp();
    if (j < n) give(sums, j, bx * back, by * back, bz * back, -bw * back);
    t = t + 1 < tiles ? t + 1 : 0;
  }
  give_to_targets(true);
}

}  // namespace pleiad::cuda
