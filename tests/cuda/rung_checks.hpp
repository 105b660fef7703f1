/// A rung on the GPU, or its emulation, against the oracle: the same checks for both.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenes.hpp"

#include <pleiad/direct.hpp>

#include <cstddef>

namespace pleiad::conformance {

struct Setup {
  const Scene& scene;
  std::size_t n;
  bool periodic = false, potential = false;
  std::size_t first = 0, count = 0;  ///< the targets among the sources; count 0: all
};

/// The worst error as a fraction of what is allowed; infinity when the kernel fails or leaves a NaN.
template <class P>
double worst(const DirectKernel& kernel, const LaunchShape& shape, const Setup& setup);

/// Expects at most 1 in each precision that the kernel has, if its traits cover the setup; what they do not
/// cover must be refused with UsageError.
void check_rung(const DirectKernel& kernel, const LaunchShape& shape, const Setup& setup);

}  // namespace pleiad::conformance
