/// CUDA's error codes as errors that state place, cause and remedy.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/error.hpp>

#include <cstddef>
#include <source_location>
#include <string>
#include <string_view>

#include <cuda_runtime.h>

namespace pleiad::cuda {

/// The code of one call, or the fault that was injected into it: the one place where calls are counted.
cudaError_t counted(cudaError_t code);
/// Throws ResourceError with CUDA's message, the place of the failed call and a remedy.
void check(cudaError_t code, std::source_location where = std::source_location::current());
/// Checks an allocation: the error states how much memory was requested and how much is free.
void check_room(cudaError_t code, std::size_t bytes,
                std::source_location where = std::source_location::current());
/// Such an error. `wanted_bytes`: 0 where no memory was asked for.
ResourceError error_of(cudaError_t code, std::size_t wanted_bytes, std::string_view where);

}  // namespace pleiad::cuda
