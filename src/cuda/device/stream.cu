#include "cuda/device/check.hpp"
#include "cuda/device/stream.hpp"

namespace pleiad::cuda {
namespace {
cudaEvent_t as_event(void* event) { return static_cast<cudaEvent_t>(event); }
}  // namespace

void* create_stream() {
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
