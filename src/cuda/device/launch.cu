#include "cuda/device/check.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/device/refusal.hpp"

#include <pleiad/error.hpp>

#include <string>

namespace pleiad::cuda {

void need_launchable(const void* kernel, std::string_view name, const Grid& grid) {
  int device = 0;
  check(cudaGetDevice(&device));
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel));
  const auto limit = [&](cudaDeviceAttr what) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, what, device));
    return static_cast<std::size_t>(value);
  };
  const Limits limits{
      .threads = limit(cudaDevAttrMaxThreadsPerBlock),
      .threads_by_registers = static_cast<std::size_t>(attributes.maxThreadsPerBlock),
      .registers = static_cast<std::size_t>(attributes.numRegs),
      .shared_bytes = limit(cudaDevAttrMaxSharedMemoryPerBlockOptin) - attributes.sharedSizeBytes,
      .blocks = limit(cudaDevAttrMaxGridDimX),
      .blocks_y = limit(cudaDevAttrMaxGridDimY)};
  need_within(limits, name, grid);
  if (grid.shared_bytes > static_cast<unsigned>(attributes.maxDynamicSharedSizeBytes))
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(grid.shared_bytes)));
}

void check_launch(std::string_view name) {
  const cudaError_t code = cudaGetLastError();
  if (code != cudaSuccess)
    throw ResourceError("CUDA refused to launch '" + std::string(name) + "': " + cudaGetErrorString(code));
}

}  // namespace pleiad::cuda
