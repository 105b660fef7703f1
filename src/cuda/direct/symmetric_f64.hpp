/// The sweep of symmetric.hpp in double precision: the cube of inverse_cube.hpp, and one array per component
/// in shared memory, which a warp reads without conflict. The loop is not written stage by stage as in single
/// precision: in the exploration that lost 6 %.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/direct/inverse_cube.hpp"
#include "cuda/direct/symmetric.hpp"

namespace pleiad::cuda {

/// What a pair's inverse cube is multiplied by, and what a body's sum is divided by at the end.
struct Accelerations64 {
  using Real = double;
  static constexpr unsigned needs = any_masses;
  __device__ static Factors<double> factors(double cube, double source, double target) {
    return {source * cube, target * cube};
  }
  __device__ static double of_sum(double) { return 1; }
};
struct Forces64 {
  using Real = double;
  static constexpr unsigned needs = positive_masses;
  __device__ static Factors<double> factors(double cube, double source, double target) {
    const double w = source * target * cube;
    return {w, w};
  }
  __device__ static double of_sum(double m) { return 1 / m; }
};
struct EqualMass64 {
  using Real = double;
  static constexpr unsigned needs = equal_masses;
  __device__ static Factors<double> factors(double cube, double, double) { return {cube, cube}; }
  __device__ static double of_sum(double m) { return m; }
};

template <int W, bool pairs>
constexpr unsigned sweep_shared_bytes(double) {
  return W * 256 * sizeof(double);
}

/// As the sweep_pair of single precision.
template <class Form, class Sums, bool pairs, int W, int K, int unrolled>
__device__ __forceinline__ void sweep_pair(const Mass<double>* bodies, const Mass<double>*, const Sums& sums,
                                           int n, double eps2, int I, int J) {
  static_assert(!pairs);
  constexpr int size = 32 * W * K;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  auto* const sx = dynamic_shared<double>() + 256 * warp;
  auto* const sy = sx + 64;
  auto* const sz = sy + 64;
  auto* const sm = sz + 64;

  const int mine = I * size + warp * 32 * K + lane;
  if (mine - lane >= n) return;  // nothing but padding, and no more barriers of the block
  double x[K], y[K], z[K], m[K], ax[K], ay[K], az[K];
#pragma unroll
  for (int k = 0; k < K; ++k) {
    const auto b = bodies[mine + 32 * k];
    x[k] = b.x, y[k] = b.y, z[k] = b.z, m[k] = b.m;
    ax[k] = ay[k] = az[k] = 0;
  }
  const int in_J = n - J * size < size ? n - J * size : size;
  const int tiles = (in_J + 31) / 32;
  int t = warp * K % tiles;
#pragma unroll 1
  for (int tile = 0; tile < tiles; ++tile) {
    const int j = J * size + 32 * t + lane;
    const auto staged = bodies[j];
    sx[lane] = sx[lane + 32] = staged.x;
    sy[lane] = sy[lane + 32] = staged.y;
    sz[lane] = sz[lane + 32] = staged.z;
    sm[lane] = sm[lane + 32] = staged.m;
    __syncwarp();
    if (I == J) {
#pragma unroll 1
      for (int c = 0; c < 32; ++c) {
        const Mass<double> b{sx[c], sy[c], sz[c], sm[c]};
#pragma unroll
        for (int k = 0; k < K; ++k) {
          const double dx = b.x - x[k], dy = b.y - y[k], dz = b.z - z[k];
          const double g =
              Form::factors(inverse_cube(fma(dx, dx, fma(dy, dy, fma(dz, dz, eps2)))), b.m, m[k]).on_target;
          ax[k] = fma(dx, g, ax[k]), ay[k] = fma(dy, g, ay[k]), az[k] = fma(dz, g, az[k]);
        }
      }
    } else {
      double bx = 0, by = 0, bz = 0;
#pragma unroll unrolled
      for (int c = 0; c < 32; ++c) {
        const Mass<double> b{sx[lane + c], sy[lane + c], sz[lane + c], sm[lane + c]};
#pragma unroll
        for (int k = 0; k < K; ++k) {
          const double dx = b.x - x[k], dy = b.y - y[k], dz = b.z - z[k];
          const double r2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, eps2)));
          const auto f = Form::factors(inverse_cube(r2), b.m, m[k]);
          ax[k] = fma(dx, f.on_target, ax[k]), bx = fma(dx, f.on_source, bx), by = fma(dy, f.on_source, by);
          ay[k] = fma(dy, f.on_target, ay[k]), az[k] = fma(dz, f.on_target, az[k]),
          bz = fma(dz, f.on_source, bz);
        }
        bx = __shfl_sync(~0u, bx, (lane + 1) % 32);
        by = __shfl_sync(~0u, by, (lane + 1) % 32);
        bz = __shfl_sync(~0u, bz, (lane + 1) % 32);
      }
      const double back = -Form::of_sum(staged.m);
      if (j < n) sums.add(j, bx * back, by * back, bz * back);
    }
    __syncwarp();
    t = t + 1 < tiles ? t + 1 : 0;
  }
#pragma unroll
  for (int k = 0; k < K; ++k) {
    const double finish = Form::of_sum(m[k]);
    if (mine + 32 * k < n) sums.add(mine + 32 * k, ax[k] * finish, ay[k] * finish, az[k] * finish);
  }
}

}  // namespace pleiad::cuda
