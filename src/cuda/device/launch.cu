#include "cuda/device/check.hpp"
#include "cuda/device/device.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/device/refusal.hpp"

#include <pleiad/error.hpp>

#include <map>
#include <string>

namespace pleiad::cuda {
namespace {

/// What is asked of the driver once per kernel and device: asking costs as much as a small launch.
struct Known {
  Limits limits;
  std::size_t dynamic_limit = 0;
};

Known ask(const void* kernel, int device) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel));
  const auto limit = [&](cudaDeviceAttr what) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, what, device));
    return static_cast<std::size_t>(value);
  };
  return {
      .limits = {.threads = limit(cudaDevAttrMaxThreadsPerBlock),
                 .threads_by_registers = static_cast<std::size_t>(attributes.maxThreadsPerBlock),
                 .registers = static_cast<std::size_t>(attributes.numRegs),
                 .shared_bytes = limit(cudaDevAttrMaxSharedMemoryPerBlockOptin) - attributes.sharedSizeBytes,
                 .blocks = limit(cudaDevAttrMaxGridDimX),
                 .blocks_y = limit(cudaDevAttrMaxGridDimY)},
      .dynamic_limit = static_cast<std::size_t>(attributes.maxDynamicSharedSizeBytes)};
}

}  // namespace

void need_launchable(const void* kernel, std::string_view name, const Grid& grid) {
  thread_local std::map<std::pair<int, const void*>, Known> asked;
  int device = 0;
  check(cudaGetDevice(&device));
  const std::pair key{device, kernel};
  auto at = asked.find(key);
  if (at == asked.end()) at = asked.emplace(key, ask(kernel, device)).first;
  auto& known = at->second;
  need_within(known.limits, name, grid);
  if (grid.shared_bytes > known.dynamic_limit) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(grid.shared_bytes)));
    known.dynamic_limit = grid.shared_bytes;
  }
  note_launch(kernel, name, grid);
}

void check_launch(std::string_view name) {
  if (const cudaError_t code = counted(cudaGetLastError()); code != cudaSuccess)
    throw ResourceError(text_of(code, 0, "the launch of '" + std::string(name) + "'"));
}

}  // namespace pleiad::cuda
