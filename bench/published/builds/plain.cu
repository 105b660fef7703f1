/// The kernels as everything else is compiled: ptxas -O3, its default, for the device's own instructions.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/builds/expressions.ipp"

namespace pleiad::cuda {
extern constinit const KernelBuilds builds_plain;
constinit const KernelBuilds builds_plain = builds_of("-O3");
}  // namespace pleiad::cuda
