/// Common parts of the kernels for Wisdom-Holman steps: the change on an orbit, kicks, and sums of two
/// doubles.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/two_sum.hpp"
#include "cuda/steps/double_arithmetic.hpp"
#include "orbits/universal.hpp"
#include "orbits/universal_series.hpp"

#include <pleiad/vec.hpp>

namespace pleiad::cuda {

using Vector = Vec3<double>;

/// For the few bodies that need it; not inline, so that it takes no registers from the others.
#ifndef PLEIAD_EMULATE_CUDA
__noinline__
#endif
    __device__ inline orbits::Phase
    change_otherwise(double mu, orbits::Phase start, double dt) {
  return orbits::change_on_orbit(mu, start, dt);
}

/// What kepler_change of the host gives, to rounding.
__device__ inline orbits::Phase moved_on_orbit(double mu, const orbits::Phase& start, double dt) {
  orbits::Phase change;
  if (!orbits::change_by_series<DoubleArithmetic>(mu, start, dt, change))
    change = change_otherwise(mu, start, dt);
  return change;
}

/// Added to squares of distances, too small to be felt: a body at the place of another does not pull it.
constexpr double least_square = 1e-150;

__device__ inline double product(const Vector& a, const Vector& b) {
  return fma(a.z, b.z, fma(a.y, b.y, a.x * b.x));
}

/// The pull at q of `count` bodies, x y z G m each.
__device__ inline Vector kick_by(const double* source, unsigned count, const Vector& q) {
  Vector a{};
#pragma unroll 4
  for (unsigned k = 0; k < count; ++k, source += 4) {
    const Vector d{source[0] - q.x, source[1] - q.y, source[2] - q.z};
    const double g = source[3] * inverse_cube(fma(d.x, d.x, fma(d.y, d.y, fma(d.z, d.z, least_square))));
    a.x = fma(g, d.x, a.x), a.y = fma(g, d.y, a.y), a.z = fma(g, d.z, a.z);
  }
  return a;
}

__device__ inline void add(Vector& high, Vector& low, const Vector& change) {
  high.x = two_sum(high.x, low.x, change.x), high.y = two_sum(high.y, low.y, change.y);
  high.z = two_sum(high.z, low.z, change.z);
}

}  // namespace pleiad::cuda
