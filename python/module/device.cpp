/// The GPU of a module with kernels for one.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "module/device.hpp"

#include "cuda/device/memory.hpp"
#include "cuda/device/peer.hpp"

namespace pleiad::python {

void on_gpu(int gpu, const std::function<void()>& work) {
  const cuda::OnDevice present(gpu);
  work();
}
void wait_for(int gpu, void* stream) {
  on_gpu(gpu, [&] { cuda::wait(stream); });
}
void wait_for_all(int gpu) { on_gpu(gpu, cuda::wait_for_all); }

void* device_memory(int gpu, std::size_t bytes) {
  void* memory = nullptr;
  on_gpu(gpu, [&] { memory = cuda::allocate(bytes, nullptr); });
  return memory;
}
void free_device_memory(void* memory) noexcept { cuda::release(memory, nullptr); }

}  // namespace pleiad::python
