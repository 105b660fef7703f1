/// Direct sums on a GPU where softening is a spline, or differs from pair to pair. Plain C++; all pointers
/// are the device's, and work is queued.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>
#include <pleiad/kernel/direct.hpp>
#include <pleiad/precision.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>

namespace pleiad::cuda {

/// What pairs need of the softenings and numbers of their bodies.
template <class P>
struct SoftenedPairs {
  const typename P::Math* of_targets = nullptr;  ///< radius2_of each
  const typename P::Math* of_sources = nullptr;
  const std::uint32_t* numbers = nullptr;  ///< of the sources among all bodies; null: they are all, in order
};

/// The square of the length by which a softening eps acts: of Plummer's form eps, of the spline its radius.
template <class M>
M radius2_of(double eps, SofteningKernel kernel) {
  const double radius = kernel == SofteningKernel::spline ? spline_radius * eps : eps;
  return M(radius * radius);
}

/// Writes the sums of a problem, whose `self` is the number of target 0 among all bodies. Of
/// `problem.softening` kernel and rule are read. Each target has the same bits whatever other targets there
/// are; they depend on the number of sources.
template <class P>
void softened_sums(const PairProblem<P>& problem, const SoftenedPairs<P>& pairs);

/// to[i] = the pull of sums[i] over the softening eps[i], for adaptive steps. T is float or double.
template <class T>
void pulls_per_softening(const Vec4<T>* sums, const double* eps, std::size_t n, Vec4<double>* to,
                         void* stream);

}  // namespace pleiad::cuda
