#include "cuda/device/check.hpp"
#include "cuda/device/stream.hpp"

#include <cstdint>

namespace pleiad::cuda {
namespace {
cudaEvent_t as_event(void* event) { return static_cast<cudaEvent_t>(event); }

/// Memory that is released stays with the process: what a step takes and gives back at every evaluation would
/// otherwise go to the driver and return at each wait.
void keep_released_memory() {
  int device = 0;
  cudaMemPool_t pool = nullptr;
  auto all = ~std::uint64_t{0};
  check(cudaGetDevice(&device));
  check(cudaDeviceGetDefaultMemPool(&pool, device));
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
}
}  // namespace

void* create_stream() {
  keep_released_memory();
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}
void destroy_stream(void* stream) noexcept { (void)cudaStreamDestroy(static_cast<cudaStream_t>(stream)); }
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
