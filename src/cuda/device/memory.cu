#include "cuda/device/check.hpp"
#include "cuda/device/mapped.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/refusal.hpp"

#include <cstdint>

namespace pleiad::cuda {
namespace {
cudaStream_t as_stream(void* stream) { return static_cast<cudaStream_t>(stream); }
}  // namespace

void* allocate(std::size_t bytes, void* stream) {
  void* memory = nullptr;
  cudaError_t code = cudaSuccess;
  if (wants_pages(bytes)) memory = allocate_in_pages(bytes);
  if (memory == nullptr) code = cudaMallocAsync(&memory, bytes, as_stream(stream));
  if (code == cudaErrorMemoryAllocation && give_back_pages()) {
    (void)cudaGetLastError();
    code = cudaMallocAsync(&memory, bytes, as_stream(stream));
  }
  check_room(code, bytes);
  return memory;
}
void release(void* memory, void* stream) noexcept {
  if (!release_to_pages(memory, as_stream(stream))) (void)cudaFreeAsync(memory, as_stream(stream));
}
void fill(void* memory, int value, std::size_t bytes, void* stream) {
  if (bytes > 0) check(cudaMemsetAsync(memory, value, bytes, as_stream(stream)));
}
void copy_to_device(void* device, const void* host, std::size_t bytes, void* stream) {
  if (bytes > 0) check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, as_stream(stream)));
}
void copy_on_device(void* to, const void* from, std::size_t bytes, void* stream) {
  if (bytes > 0) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, as_stream(stream)));
}
void copy_to_host(void* host, const void* device, std::size_t bytes, void* stream) {
  if (bytes > 0) check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, as_stream(stream)));
  wait(stream);
}
void wait(void* stream) { check(cudaStreamSynchronize(as_stream(stream))); }
void keep_released(std::size_t bytes) {
  int device = 0;
  check(cudaGetDevice(&device));
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, device));
  std::uint64_t threshold = bytes;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
}
std::pair<std::size_t, std::size_t> device_memory() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total));
  return {free, total};
}
void* allocate_managed(std::size_t bytes) {
  need_free(bytes, device_memory().first);
  void* memory = nullptr;
  check_room(cudaMallocManaged(&memory, bytes), bytes);
  return memory;
}
void release_managed(void* memory) noexcept { (void)cudaFree(memory); }

}  // namespace pleiad::cuda
