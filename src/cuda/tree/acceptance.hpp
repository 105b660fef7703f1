/// The multipole acceptance criterion between two cells, as kernels test it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/ptx.hpp"
#include "cuda/tree/build.hpp"
#include "tree/scales.hpp"

namespace pleiad::cuda::tree {

/// Parameters of the test whether a cell is far.
struct Test {
  float per_theta2, newtonian2;
  float tolerance2 = 0;  ///< 0: by spheres alone
  int order = 0;         ///< 4 to 6
};
inline Test test_of(const Acceptance& by) {
  return {.per_theta2 = float(1 / (by.theta * by.theta)),
          .newtonian2 = 0,
          .tolerance2 = float(by.tolerance * by.tolerance),
          .order = by.order};
}

/// Whether the error of a cell of mass m at the distance R, own = m / R^2, is below the limit for the pull on
/// the target: as on the CPU, see src/tree/cpu/pair_errors-inl.h.
__device__ inline bool below_allowance(float error2, float tolerance2, float whole, float own) {
  return error2 * own * fma_rn(float(pleiad::tree::per_share2), own, whole) <= tolerance2 * whole * whole;
}

/// The error of both, as a part of their accelerations M / R^2: with rho = (r_A + r_B) / R,
///   (typical rho)^p (p + 1 - p rho) / (1 - rho)^2,
/// the bound of the CPU's MAC with the moments that bodies at `typical` times the radius would have.
__device__ inline bool exact_enough(float s, float R2, const Strength& one, const Strength& other,
                                    const Test& by) {
  constexpr float typical = 0.65f;  // 0.60 to 0.68 gave the tolerances of the CPU, where moments are used
  const float i = rsqrt_approx(R2), rho = s * i, gap = 1 - rho, per_gap = rsqrt_approx(gap * gap);
  const float x = typical * rho, x2 = x * x, x4 = x2 * x2, i2 = i * i;
  float error = fma_rn(-float(by.order), rho, float(by.order + 1)) * (per_gap * per_gap) * x4;
  if ((by.order & 1) != 0) error *= x;
  if (by.order > 5) error *= x2;
  const float error2 = error * error;
  return below_allowance(error2, by.tolerance2, one.acceleration, other.mass * i2) &&
         below_allowance(error2, by.tolerance2, other.acceleration, one.mass * i2);
}

struct Target {
  Place place;
  Strength strength;
  bool leaf;

  /// Tests a cell of radius r at the separation d symmetrically, so that every pair pulls both ways or not at
  /// all. A centre has two parts: cells of the deepest levels are as small as the rounding of one.
  __device__ void test(const Vec3<float>& d, float r, const Strength& other, const Test& by, bool& far,
                       bool& newtonian) const {
    const float s = place.r + r, R2 = fma_rn(d.x, d.x, fma_rn(d.y, d.y, d.z * d.z));
    far = R2 > s * s * by.per_theta2, newtonian = R2 > by.newtonian2;
    if (by.tolerance2 > 0 && far) far = exact_enough(s, R2, strength, other, by);
  }
};

}  // namespace pleiad::cuda::tree
