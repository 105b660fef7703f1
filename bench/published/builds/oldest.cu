/// The same for the oldest compute capability that the compiler knows: PTX, which the driver compiles for the
/// device.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/builds/expressions.ipp"

namespace pleiad::cuda {
extern constinit const KernelBuilds builds_oldest;
constinit const KernelBuilds builds_oldest = builds_of(PLEIAD_OLDEST_CUDA_ARCHITECTURE);
}  // namespace pleiad::cuda
