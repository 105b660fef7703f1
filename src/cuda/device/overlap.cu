#include "cuda/device/check.hpp"
#include "cuda/device/overlap.hpp"

namespace pleiad::cuda {
namespace {
cudaEvent_t as_event(void* mark) { return static_cast<cudaEvent_t>(mark); }
cudaStream_t as_stream(void* stream) { return static_cast<cudaStream_t>(stream); }
}  // namespace

void* create_mark() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return event;
}
void wait_for_mark(void* mark) { check(cudaEventSynchronize(as_event(mark))); }
void hold_for_mark(void* stream, void* mark) {
  check(cudaStreamWaitEvent(as_stream(stream), as_event(mark), 0));
}

}  // namespace pleiad::cuda
