#include "cuda/device/check.hpp"

#include <pleiad/error.hpp>

#include <string>

namespace pleiad::cuda {

void check(cudaError_t code, std::source_location where) {
  if (code == cudaSuccess) return;
  (void)cudaGetLastError();  // said now: the next launch must not find it again
  std::string message = std::string("CUDA: ") + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) +
                        ", " + where.function_name() + ")";
  std::size_t free = 0, total = 0;
  if (code == cudaErrorMemoryAllocation && cudaMemGetInfo(&free, &total) == cudaSuccess)
    message += ": " + std::to_string(free >> 20) + " MiB of " + std::to_string(total >> 20) +
               " MiB are free on the device";
  throw ResourceError(message);
}

}  // namespace pleiad::cuda
