/// CUDA, or its emulation on the CPU: the one place that decides which. Kernels are the same source for both.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef PLEIAD_EMULATE_CUDA
#include "cuda/emulator/emulator.hpp"
#else
#include <cuda_runtime.h>

/// `dynamic_shared<T>()`: the shared memory whose size the launch chooses.
template <class T>
__device__ T* dynamic_shared() {
  extern __shared__ __align__(16) unsigned char pleiad_dynamic_shared[];
  return reinterpret_cast<T*>(pleiad_dynamic_shared);
}
#endif
