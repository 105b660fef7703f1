#include "cuda/emulator/runtime.hpp"

#include "cuda/device/error_class.hpp"
#include "cuda/device/fault.hpp"
#include "cuda/device/memory.hpp"

#include <pleiad/error.hpp>

namespace pleiad::cuda {
namespace {

/// CUDA's messages for errors that can be injected.
Failure failure_of(ErrorClass error_class) {
  switch (error_class) {
    case ErrorClass::memory:
      return {.error_class = error_class, .words = "out of memory", .name = "cudaErrorMemoryAllocation"};
    case ErrorClass::ecc:
      return {.error_class = error_class,
              .words = "uncorrectable ECC error encountered",
              .name = "cudaErrorECCUncorrectable"};
    case ErrorClass::lost:
      return {.error_class = error_class, .words = "unknown error", .name = "cudaErrorUnknown"};
    default:
      return {.error_class = error_class,
              .words = "unspecified launch failure",
              .name = "cudaErrorLaunchFailure"};
  }
}

}  // namespace

void called(std::size_t bytes, std::string_view where) {
  const auto fault = next_fault();
  if (!fault) return;
  Failure failure = failure_of(*fault);
  failure.where = where;
  if (*fault == ErrorClass::memory) failure.wanted = bytes, failure.free = failure.total = emulated_memory;
  throw ResourceError(explain(failure), error_code_of(*fault));
}
void called(std::size_t bytes, std::source_location where) {
  called(bytes, short_name(where.function_name()));
}

}  // namespace pleiad::cuda
