#include "cuda/device/check.hpp"
#include "cuda/device/stream.hpp"

#include <cstdint>

namespace pleiad::cuda {
namespace {
cudaEvent_t as_event(void* event) { return static_cast<cudaEvent_t>(event); }

/// The memory pool of the present device.
cudaMemPool_t pool() {
  int device = 0;
  cudaMemPool_t found = nullptr;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetDefaultMemPool(&found, device));
  return found;
}
}  // namespace

void keep_released_memory() {
  auto all = ~std::uint64_t{0};
  check(cudaMemPoolSetAttribute(pool(), cudaMemPoolAttrReleaseThreshold, &all));
}
void give_back_released_memory() noexcept {
  int device = 0;
  cudaMemPool_t released = nullptr;
  if (cudaGetDevice(&device) == cudaSuccess && cudaDeviceGetDefaultMemPool(&released, device) == cudaSuccess)
    (void)cudaMemPoolTrimTo(released, 0);
}
void* create_stream() {
  keep_released_memory();
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}
void destroy_stream(void* stream) noexcept {
  (void)cudaStreamDestroy(static_cast<cudaStream_t>(stream));
  give_back_released_memory();
}
void* create_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event));
  return event;
}
void destroy_event(void* event) noexcept { (void)cudaEventDestroy(as_event(event)); }
void record_event(void* event, void* stream) {
  check(cudaEventRecord(as_event(event), static_cast<cudaStream_t>(stream)));
}
double seconds_between(void* begin, void* end) {
  check(cudaEventSynchronize(as_event(end)));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, as_event(begin), as_event(end)));
  return 1e-3 * double(milliseconds);
}

}  // namespace pleiad::cuda
