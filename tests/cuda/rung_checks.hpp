/// A rung on the GPU, or its emulation, against the oracle: the same checks for both.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/conformance.hpp"
#include "scenes.hpp"

namespace pleiad::conformance {

/// Expects at most 1 in each precision that the kernel has, if its traits cover the setup; what they do not
/// cover must be refused with UsageError.
void check_rung(const DirectKernel& kernel, const LaunchShape& shape, const Setup& setup);

}  // namespace pleiad::conformance
