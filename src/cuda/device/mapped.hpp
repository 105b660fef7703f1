/// Pages for memory that is allocated during the lifetime of InPages (memory.hpp): the CUDA driver's virtual
/// memory.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <cuda_runtime.h>

namespace pleiad::cuda {

/// Whether a buffer of `bytes` bytes must consist of pages now.
bool wants_pages(std::size_t bytes);
/// Null when there is no room, or the driver has no such pages.
void* allocate_in_pages(std::size_t bytes);
/// False: it is not of pages. Otherwise waits for the stream.
bool release_to_pages(void* memory, cudaStream_t stream) noexcept;
/// The pages of the present device that no buffer has. False: there were none.
bool give_back_pages() noexcept;

}  // namespace pleiad::cuda
