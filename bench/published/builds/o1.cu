/// The same with ptxas -O1.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/builds/expressions.ipp"

namespace pleiad::cuda {
extern constinit const KernelBuilds builds_o1;
constinit const KernelBuilds builds_o1 = builds_of("-O1");
}  // namespace pleiad::cuda
