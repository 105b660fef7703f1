/// CUDA's error codes as errors that say where and what.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <source_location>

#include <cuda_runtime.h>

namespace pleiad::cuda {

/// ResourceError with CUDA's own words, the failing call's place and, for memory, the bytes free on the
/// device.
void check(cudaError_t code, std::source_location where = std::source_location::current());

}  // namespace pleiad::cuda
