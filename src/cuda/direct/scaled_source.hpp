/// The scaled source and the equal masses, two forms of a pair that need fewer slots than the general one.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/direct/symmetric.hpp"

namespace pleiad::cuda {

/// 16 slots a pair; rung 32 has the idea.
struct ScaledSource {
  using Real = float;
  static constexpr unsigned needs = scalable_masses;
  __device__ static Mass<float> staged(Mass<float> source) {
    float p = rsqrt_approx(source.m);
    p = fmaf(0.5f * p, fmaf(-source.m * p, p, 1.0f), p);  // to rounding: the mass that it stands for is 1/p^2
    return {source.x * p, source.y * p, source.z * p, p};
  }
  __device__ static float eps2(float eps2, float p) { return eps2 * (p * p); }
  __device__ static float separation(float source, float target, float p) { return fmaf(-target, p, source); }
  __device__ static Factors<float> factors(float cube, float, float target) { return {cube, target * cube}; }
  __device__ static float of_target(float) { return 1; }
  __device__ static float of_source(float p) { return p * p; }
};

/// 15 slots a pair; rung 33 has the idea.
struct EqualMass {
  using Real = float;
  static constexpr unsigned needs = equal_masses;
  __device__ static Mass<float> staged(Mass<float> source) { return source; }
  __device__ static float eps2(float eps2, float) { return eps2; }
  __device__ static float separation(float source, float target, float) { return source - target; }
  __device__ static Factors<float> factors(float cube, float, float) { return {cube, cube}; }
  __device__ static float of_target(float m) { return m; }
  __device__ static float of_source(float m) { return m; }
};

}  // namespace pleiad::cuda
