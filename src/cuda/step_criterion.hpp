/// The step that a body needs, by its acceleration and softening, for kernels.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/body_sets.hpp"
#include "cuda/device/cuda.hpp"

#include <cmath>

namespace pleiad::cuda {

/// Whether the body of this number, with these pulls, without G, needs a shorter step than h; false for NaN,
/// as on CPUs.
template <class T>
__device__ bool needs_shorter(const Vec4<T>& sum, const StepCriterion& by, double h, std::size_t body) {
  using std::sqrt;
  const Vec3<double> pull{double(sum.x), double(sum.y), double(sum.z)};
  const double eps = by.softenings != nullptr ? by.softenings[body] : by.eps;
  return sqrt(2 * by.eta * eps / (by.G * norm(pull))) < h;
}

}  // namespace pleiad::cuda
