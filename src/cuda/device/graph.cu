#include "cuda/device/check.hpp"
#include "cuda/device/graph.hpp"

#include <exception>

namespace pleiad::cuda {
namespace {

/// Whether the error of a capture means that part of the work cannot be captured.
bool not_capturable(cudaError_t code) {
  return code >= cudaErrorStreamCaptureUnsupported && code <= cudaErrorStreamCaptureWrongThread;
}

}  // namespace

bool Graph::record(void* stream, const std::function<void()>& queue) {
  clear();
  const auto s = static_cast<cudaStream_t>(stream);
  // Per thread: others may allocate meanwhile. Not relaxed: managed memory, allocated now and released before
  // the first replay, would then be recorded without a word. Allocations in the order of the stream become
  // the graph's own, and need no flag, since they are released in it too.
  check(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  std::exception_ptr failure;
  try {
    queue();
  } catch (...) {
    failure = std::current_exception();
  }
  cudaGraph_t graph = nullptr;
  const cudaError_t ended = cudaStreamEndCapture(s, &graph);
  if (not_capturable(ended)) {
    (void)cudaGetLastError();
    return false;
  }
  cudaGraphExec_t executable = nullptr;
  const cudaError_t made =
      ended == cudaSuccess && !failure ? cudaGraphInstantiate(&executable, graph, 0) : ended;
  if (graph != nullptr) (void)cudaGraphDestroy(graph);
  if (failure) std::rethrow_exception(failure);
  check(made);
  executable_ = executable;
  return true;
}

void Graph::replay(void* stream) const {
  check(cudaGraphLaunch(static_cast<cudaGraphExec_t>(executable_), static_cast<cudaStream_t>(stream)));
}

// The driver finishes a replay in progress first. Otherwise the memory would stay allocated until the next
// graph.
void Graph::clear() noexcept {
  if (executable_ == nullptr) return;
  (void)cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(executable_));
  executable_ = nullptr;
  int device = 0;
  if (cudaGetDevice(&device) == cudaSuccess) (void)cudaDeviceGraphMemTrim(device);
}

}  // namespace pleiad::cuda
