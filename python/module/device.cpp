/// The GPU through the CUDA runtime that is linked in.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "module/device.hpp"

#include "cuda/device/memory.hpp"

#include <pleiad/error.hpp>

#include <string>

#include <cuda_runtime_api.h>

namespace pleiad::python {
namespace {

void need(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw ResourceError(std::string(what) + ": " + cudaGetErrorString(status));
}

}  // namespace

OnGpu::OnGpu(int gpu) {
  need(cudaGetDevice(&before_), "no GPU can be used here");
  need(cudaSetDevice(gpu), ("GPU " + std::to_string(gpu) + " cannot be used here").c_str());
}
OnGpu::~OnGpu() { cudaSetDevice(before_); }

void wait_for(void* stream) {
  need(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)), "the GPU failed");
}

void* device_memory(std::size_t bytes) { return cuda::allocate(bytes, nullptr); }
void free_device_memory(void* memory) noexcept { cuda::release(memory, nullptr); }

}  // namespace pleiad::python
