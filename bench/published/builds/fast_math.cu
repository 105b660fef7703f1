/// The same with --use_fast_math.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/builds/expressions.ipp"

namespace pleiad::cuda {
extern constinit const KernelBuilds builds_fast_math;
constinit const KernelBuilds builds_fast_math = builds_of("fast math");
}  // namespace pleiad::cuda
