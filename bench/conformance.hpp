/// One case of conformance: a kernel in a launch shape on a scene, compared with the reference.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/scenes.hpp"

#include <pleiad/kernel/direct.hpp>

#include <cstddef>
#include <string>

namespace pleiad::conformance {

struct Setup {
  const Scene& scene;
  std::size_t n;
  bool periodic = false, potential = false;
  std::size_t first = 0, count = 0;  ///< the targets among the sources; count 0: all
  Images images = Images::nearest;
};

/// "uniform, N = 257, periodic".
std::string name_of(const Setup& setup);

template <class P>
inline constexpr Precision precision_of = std::is_same_v<P, F32>   ? Precision::f32
                                          : std::is_same_v<P, F64> ? Precision::f64
                                                                   : Precision::mixed;

/// Whether the kernel's traits promise an answer; if not, it must refuse with UsageError.
bool covered(const DirectKernel& kernel, const Setup& setup);
/// Whether the policy's arithmetic can hold the scene's numbers as they are.
template <class P>
bool holds(const DirectKernel& kernel, const Setup& setup);

/// The worst error as a fraction of what is allowed; infinity when the kernel fails or leaves a NaN. Kernels
/// on a GPU get copies of the bodies there.
template <class P>
double worst(const DirectKernel& kernel, const LaunchShape& shape, const Setup& setup);

}  // namespace pleiad::conformance
