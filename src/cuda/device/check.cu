#include "cuda/device/check.hpp"
#include "cuda/device/error_class.hpp"
#include "cuda/device/fault.hpp"

#include <pleiad/error.hpp>

namespace pleiad::cuda {
namespace {

__global__ void trap() { asm volatile("trap;"); }

/// A launch failure as it is: a kernel traps, and nothing in this context works again.
cudaError_t lose_context() {
  (void)cudaLaunchKernel(reinterpret_cast<const void*>(trap), dim3(1), dim3(1), nullptr, 0, nullptr);
  (void)cudaDeviceSynchronize();
  return cudaErrorLaunchFailure;
}

cudaError_t code_of(ErrorClass error_class) {
  switch (error_class) {
    case ErrorClass::memory:
      return cudaErrorMemoryAllocation;
    case ErrorClass::ecc:
      return cudaErrorECCUncorrectable;
    case ErrorClass::lost:
      return cudaErrorUnknown;
    default:
      return lose_context();
  }
}

ErrorClass error_class_of(cudaError_t code) {
  switch (code) {
    case cudaErrorMemoryAllocation:
      return ErrorClass::memory;
    case cudaErrorLaunchFailure:
    case cudaErrorIllegalAddress:
    case cudaErrorIllegalInstruction:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorMisalignedAddress:
    case cudaErrorHardwareStackError:
    case cudaErrorAssert:
    case cudaErrorLaunchTimeout:
      return ErrorClass::launch;
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
      return ErrorClass::ecc;
    case cudaErrorDeviceUninitialized:
    case cudaErrorUnknown:
    case cudaErrorSystemNotReady:
      return ErrorClass::lost;
    case cudaErrorDevicesUnavailable:
      return ErrorClass::busy;
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidKernelImage:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorUnsupportedPtxVersion:
      return ErrorClass::no_code;
    case cudaErrorInsufficientDriver:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
      return ErrorClass::old_driver;
    default:
      return ErrorClass::other;
  }
}

}  // namespace

cudaError_t counted(cudaError_t code) {
  const auto fault = next_fault();
  return fault ? code_of(*fault) : code;
}

ResourceError error_of(cudaError_t code, std::size_t wanted_bytes, std::string_view where) {
  Failure failure{.error_class = error_class_of(code),
                  .words = cudaGetErrorString(code),
                  .name = cudaGetErrorName(code),
                  .where = where,
                  .wanted = wanted_bytes};
  if (failure.error_class == ErrorClass::memory &&
      cudaMemGetInfo(&failure.free, &failure.total) != cudaSuccess)
    failure.free = failure.total = 0;
  return ResourceError(explain(failure), error_code_of(failure.error_class));
}

void check_room(cudaError_t code, std::size_t bytes, std::source_location where) {
  code = counted(code);
  if (code == cudaSuccess) return;
  (void)cudaGetLastError();  // reported now: the next launch must not find it again
  throw error_of(code, bytes, short_name(where.function_name()));
}

void check(cudaError_t code, std::source_location where) { check_room(code, 0, where); }

}  // namespace pleiad::cuda
