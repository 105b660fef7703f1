/// M2P on the device: the records of cells for bodies, and the acceleration by them: correct for any
/// softening, since moments keep their traces.
///
/// Slots of a body and a cell of orders 1 to 3: 13, 32, 82.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/tree/cells.hpp"
#include "cuda/tree/operators.hpp"

namespace pleiad::cuda::tree {

/// The record of a cell: x, y, z, radius; lx, ly, lz, mass; moments. A walk puts the place from its group and
/// the mass before the moments, which makes `fours` groups of four numbers; `few` bodies cost no more than
/// that. Order 1: no moments but the mass. `order` is that of the operators. Order 3 is in walk_3.cu, next to
/// its operators.
template <int n>
struct Shown {
  static constexpr int order = 2, fours = 1, size = 8;
  static constexpr std::uint32_t few = 1;

  __device__ __forceinline__ static void fill(const Place& place, const float* M, float* record) {
    record[0] = place.x, record[1] = place.y, record[2] = place.z, record[3] = place.r;
    record[4] = place.lx, record[5] = place.ly, record[6] = place.lz, record[7] = M[0];
  }
  /// Adds the pull at (x, y, z) = source - target, as of a body.
  template <bool potential>
  __device__ __forceinline__ static void m2p(const float* c, float x, float y, float z, float eps2, float& ax,
                                             float& ay, float& az, float& phi) {
    const float i = rsqrt_approx(fma_rn(x, x, fma_rn(y, y, fma_rn(z, z, eps2))));
    const float mi = c[3] * i, f = mi * (i * i);
    ax = fma_rn(f, x, ax), ay = fma_rn(f, y, ay), az = fma_rn(f, z, az);
    if constexpr (potential) phi += mi;
  }
};

/// With S = 3 sum m x x, what is in `record` behind the mass are S and -1/2 of its trace. In 1 / rho, rho^2 =
/// r^2 + eps^2, the pull is
///   d (m / rho^3 + (5/2 d S d / rho^2 - 1/2 tr S) / rho^5) - S d / rho^5.
template <>
struct Shown<2> {
  static constexpr int order = 3, fours = 3, size = 16;
  static constexpr std::uint32_t few = 2;

  __device__ __forceinline__ static void fill(const Place& place, const float* M, float* record) {
    Shown<1>::fill(place, M, record);
    // Moments have a sign and 1 / (a! b! c!).
    const float per = place.unit * place.unit;
    record[8] = 6 * M[1] * per, record[9] = 3 * M[2] * per, record[10] = 3 * M[3] * per;
    record[11] = 6 * M[4] * per, record[12] = 3 * M[5] * per, record[13] = 6 * M[6] * per;
    record[14] = -0.5f * (record[8] + record[11] + record[13]), record[15] = 0;
  }
  template <bool potential>
  __device__ __forceinline__ static void m2p(const float* c, float x, float y, float z, float eps2, float& ax,
                                             float& ay, float& az, float& phi) {
    const float i = rsqrt_approx(fma_rn(x, x, fma_rn(y, y, fma_rn(z, z, eps2))));
    const float i2 = i * i, i3 = i * i2, i5 = i3 * i2;
    const float sx = fma_rn(c[4], x, fma_rn(c[5], y, c[6] * z)),
                sy = fma_rn(c[5], x, fma_rn(c[7], y, c[8] * z)),
                sz = fma_rn(c[6], x, fma_rn(c[8], y, c[9] * z));
    const float q = fma_rn(x, sx, fma_rn(y, sy, z * sz)) * i2;
    const float v = fma_rn(i5, fma_rn(2.5f, q, c[10]), c[3] * i3);
    ax = fma_rn(v, x, fma_rn(-i5, sx, ax)), ay = fma_rn(v, y, fma_rn(-i5, sy, ay));
    az = fma_rn(v, z, fma_rn(-i5, sz, az));
    if constexpr (potential) phi = fma_rn(i3, fma_rn(0.5f, q, c[10] * (1.0f / 3)), fma_rn(c[3], i, phi));
  }
};

}  // namespace pleiad::cuda::tree
