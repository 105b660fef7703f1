/// Reciprocals and reciprocal roots in double precision by few instructions: from approximations of 20 bits,
/// which the special function unit has, and one correction of third order, which leaves 2^-57.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/direct/inverse_cube.hpp"

namespace pleiad::cuda {

#ifndef PLEIAD_EMULATE_CUDA
/// 1 / x to 2^-20: the upper word of the result, the lower one zero.
__device__ inline double reciprocal_approx(double x) {
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  return y;
}
#else
inline double reciprocal_approx(double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(1 / x) & ~0xFFFFFFFFull);
}
#endif

/// The arithmetic of orbits/universal_series.hpp.
struct DoubleArithmetic {
  /// y (1 - e)^(-1/2), as in inverse_cube.hpp: 5 operations.
  static __device__ double inverse_root(double x) { return cuda::inverse_root(x, rsqrt_approx(x)); }
  /// y / (1 - e) = y (1 + e + e^2 + O(2^-60)): 3 operations.
  static __device__ double reciprocal(double x) {
    const double y = reciprocal_approx(x), e = fma(-x, y, 1.0);
    return fma(y, fma(e, e, e), y);
  }
  /// y (1 + e) to 2^-40: 2 operations.
  static __device__ double near_reciprocal(double x) {
    const double y = reciprocal_approx(x);
    return fma(y, fma(-x, y, 1.0), y);
  }
};

}  // namespace pleiad::cuda
