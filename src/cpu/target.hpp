/// The instruction set that Highway uses here, and its replacement in tests and benchmarks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace pleiad::cpu {

/// The instruction sets that this binary has code for and this machine can run, best first: "AVX3" (which is
/// AVX-512), "AVX2", "SSE4", ...
std::vector<std::string_view> simd_targets();
/// From now on all kernels of the process use this one, in capitals or not; "" goes back to the best. For
/// tests and benchmarks: it must not be called while kernels run. UsageError, with the nearest, for one that
/// is not in simd_targets().
void use_simd_target(std::string_view name);

}  // namespace pleiad::cpu
