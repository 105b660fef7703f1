/// r^-3 in double precision from a reciprocal root of 20 bits and one correction of third order.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/ptx.hpp"

namespace pleiad::cuda {

/// r2^(-3/2), in place of inverse_sqrt's cube in pull(), from y = r2^(-1/2) (1 + d), |d| < 2^-20: with e = 1
/// - r2 y^2, r2^(-3/2) = y^3 (1 - e)^(-3/2) = y^3 (1 + 3/2 e + 15/8 e^2 + O(2^-57)). The root is one
/// instruction in addition to the 6 of double precision here; the library's takes some 10, and its cube 2
/// more.
__device__ inline double inverse_cube(double r2, double y) {
  const double y2 = y * y, e = fma(-r2, y2, 1.0), y3 = y * y2;
  return fma(y3 * e, fma(e, 1.875, 1.5), y3);
}
__device__ inline double inverse_cube(double r2) { return inverse_cube(r2, rsqrt_approx(r2)); }

/// r2^(-1/2) for the potential, from the same: y (1 - e)^(-1/2) = y (1 + 1/2 e + 3/8 e^2 + O(2^-58)). With
/// its cube it is one operation more than the cube alone.
__device__ inline double inverse_root(double r2, double y) {
  const double e = fma(-r2, y * y, 1.0);
  return fma(y * e, fma(e, 0.375, 0.5), y);
}

}  // namespace pleiad::cuda
