#include "cuda/emulator/runtime.hpp"

#include "cuda/device/fault.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/trouble.hpp"

#include <pleiad/error.hpp>

namespace pleiad::cuda {
namespace {

/// CUDA's words for what can be injected.
Failure failure_of(Trouble trouble) {
  switch (trouble) {
    case Trouble::memory:
      return {.trouble = trouble, .words = "out of memory", .name = "cudaErrorMemoryAllocation"};
    case Trouble::ecc:
      return {.trouble = trouble,
              .words = "uncorrectable ECC error encountered",
              .name = "cudaErrorECCUncorrectable"};
    case Trouble::lost:
      return {.trouble = trouble, .words = "unknown error", .name = "cudaErrorUnknown"};
    default:
      return {.trouble = trouble, .words = "unspecified launch failure", .name = "cudaErrorLaunchFailure"};
  }
}

}  // namespace

void called(std::size_t bytes, std::string_view where) {
  const auto fault = next_fault();
  if (!fault) return;
  Failure failure = failure_of(*fault);
  failure.where = where;
  if (*fault == Trouble::memory) failure.wanted = bytes, failure.free = failure.total = emulated_memory;
  throw ResourceError(explain(failure));
}
void called(std::size_t bytes, std::source_location where) {
  called(bytes, short_name(where.function_name()));
}

}  // namespace pleiad::cuda
