/// The emulated device: memory from the heap, limits like a real one's.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/memory.hpp"
#include "cuda/device/refusal.hpp"

#include <cstdlib>
#include <new>

namespace pleiad::cuda {

void* allocate(std::size_t bytes, void*) {
  void* memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (memory == nullptr) throw std::bad_alloc();
  // What nobody has written yet reads as NaN.
  std::memset(memory, 0xFF, bytes);
  return memory;
}
void release(void* memory, void*) noexcept { std::free(memory); }
void fill(void* memory, int value, std::size_t bytes, void*) { std::memset(memory, value, bytes); }
void copy_to_device(void* device, const void* host, std::size_t bytes, void*) {
  std::memcpy(device, host, bytes);
}
void copy_to_host(void* host, const void* device, std::size_t bytes, void*) {
  std::memcpy(host, device, bytes);
}
void wait(void*) {}
std::pair<std::size_t, std::size_t> device_memory() { return {std::size_t{1} << 30, std::size_t{1} << 30}; }

void need_launchable(const void*, std::string_view name, const Grid& grid) {
  need_within(Limits{}, name, grid);
}
void check_launch(std::string_view) {}

}  // namespace pleiad::cuda
