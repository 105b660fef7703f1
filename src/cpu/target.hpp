/// The instruction set that Highway uses here, and its replacement in tests and benchmarks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::cpu {

/// The instruction sets that this binary has code for and this machine can run, best first: "AVX3" (which is
/// AVX-512), "AVX2", "SSE4", ...
std::vector<std::string_view> simd_targets();
/// Makes all kernels of the process use this instruction set, in capitals or not; "" selects the best again.
/// For tests and benchmarks: it must not be called while kernels run. UsageError, with the nearest name, for
/// one that is not in simd_targets().
void use_simd_target(std::string_view name);

/// Returns the reason why a processor supports none of the instruction sets that the code was compiled for;
/// "" if it supports one. Both are sets of Highway's bits.
std::string why_no_simd_target(std::int64_t compiled, std::int64_t processor);
/// ResourceError where this processor has none of those of this binary, whose kernels would then end it with
/// an illegal instruction.
void need_simd_target();

}  // namespace pleiad::cpu
