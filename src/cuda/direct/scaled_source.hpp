/// The scaled source and the equal masses, two forms of a pair that need fewer slots than the general one,
/// and one factor for both sums.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/direct/symmetric_sum.hpp"

namespace pleiad::cuda {

/// 16 slots a pair; rung 30 has the idea.
struct ScaledSource {
  using Real = float;
  static constexpr unsigned needs = scalable_masses;
  static constexpr bool scales = true;
  __device__ static Mass<float> staged(Mass<float> source) {
    float p = rsqrt_approx(source.m);
    p = fmaf(0.5f * p, fmaf(-source.m * p, p, 1.0f), p);  // to rounding: the mass that it stands for is 1/p^2
    return {source.x * p, source.y * p, source.z * p, p};
  }
  __device__ static float separation(float source, float target, float p) { return fmaf(-target, p, source); }
  __device__ static Factors<float> factors(float cube, float, float target) {
    const float w = target * cube;
    return {w, w};
  }
  __device__ static float of_target(float m) { return divide_approx(1, m); }
  __device__ static float of_source(Mass<float> staged) { return staged.m * staged.m; }
  static constexpr Order order(bool pairs, int W, int K, bool along_curve) {
    if (along_curve && W > 1) return {.ahead = 3, .sums = Order::factor_first, .staged_eps2 = true};
    if (pairs && W > 1)
      return {.separations = Order::from_z,
              .ahead = 1,
              .sums = Order::source_first,
              .sums_from_z = true,
              .staged_eps2 = true};
    if (pairs)
      return {.separations = Order::from_x, .ahead = 2, .use_first = true, .sums = Order::factor_first};
    if (W > 1) return {.separations = Order::from_x, .sums = Order::factor_first, .staged_eps2 = true};
    if (K > 4) return {.ahead = 2, .sums = Order::source_first};
    return {};
  }
};

/// 15 slots a pair; rung 31 has the idea.
struct EqualMass {
  using Real = float;
  static constexpr unsigned needs = equal_masses;
  static constexpr bool scales = false;
  __device__ static Mass<float> staged(Mass<float> source) { return source; }
  __device__ static float separation(float source, float target, float) { return source - target; }
  __device__ static Factors<float> factors(float cube, float, float) { return {cube, cube}; }
  __device__ static Factors<float> of_potentials(float, float) { return {1, 1}; }
  __device__ static float of_target(float m) { return m; }
  __device__ static float of_source(Mass<float> source) { return source.m; }
  static constexpr Order order(bool pairs, int W, int K, bool along_curve) {
    if (along_curve && W > 1)
      return {.separations = Order::from_x,
              .ahead = 2,
              .use_first = true,
              .sums = Order::source_first,
              .sums_from_z = true};
    if (pairs && W > 1) return {.separations = Order::from_x, .ahead = 2, .use_first = true};
    if (pairs && K > 4)
      return {.separations = Order::from_z, .ahead = 1, .sums = Order::source_first, .sums_from_z = true};
    if (pairs) return {.sums = Order::source_first, .sums_from_z = true};
    if (K > 4) return {.separations = Order::from_x, .sums = Order::factor_first, .sums_from_z = true};
    return {.separations = Order::from_x, .sums = Order::factor_first, .kept_lane = true};
  }
};

// Sweeps of rungs 29 and 30, for rungs that use them for some masses.
extern const Sweeps<float, ExactSums<float>, 3> general_sweeps, scaled_sweeps;

}  // namespace pleiad::cuda
