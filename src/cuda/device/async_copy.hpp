/// Copies from global to shared memory that the thread does not wait for (cp.async); on the emulator, copies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/cuda.hpp"

#ifdef PLEIAD_EMULATE_CUDA
#include <cstring>
#endif

namespace pleiad::cuda {

#ifndef PLEIAD_EMULATE_CUDA

/// Begins to copy 16 aligned bytes, through L1: warps nearby read the same (without it, .cg, a far field of
/// order 4 was computed at 69 instead of 86 G pairs of cells/s on an H200).
__device__ inline void begin_copy16(void* shared, const void* global) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(shared))),
               "l"(global));
}
/// Ends a group of copies.
__device__ inline void end_group() { asm volatile("cp.async.commit_group;"); }
/// Waits until at most `groups` of this thread's groups are under way. Others see the copies after a barrier.
template <int groups>
__device__ inline void wait_for_groups() {
  asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
}

#else

inline void begin_copy16(void* shared, const void* global) { std::memcpy(shared, global, 16); }
inline void end_group() {}
template <int>
inline void wait_for_groups() {}

#endif

}  // namespace pleiad::cuda
