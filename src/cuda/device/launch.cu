#include "cuda/device/check.hpp"
#include "cuda/device/device.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/device/refusal.hpp"

#include <pleiad/error.hpp>

#include <map>
#include <string>

namespace pleiad::cuda {
namespace {

/// Properties that are queried once for each kernel and device: a query costs as much as a small launch.
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

int attribute(cudaDeviceAttr what) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&value, what, device));
  return value;
}

/// A launch's configuration with the attributes that couple its blocks.
struct Coupled {
  cudaLaunchAttribute attributes[2]{};
  cudaLaunchConfig_t configuration{};
  Coupled(const Grid& grid, void* stream) {
    configuration.gridDim = dim3(grid.blocks, grid.blocks_y);
    configuration.blockDim = dim3(grid.threads, grid.threads_y);
    configuration.dynamicSmemBytes = grid.shared_bytes;
    configuration.stream = static_cast<cudaStream_t>(stream);
    configuration.attrs = attributes;
    if (grid.cluster > 1) {
      auto& a = attributes[configuration.numAttrs++];
      a.id = cudaLaunchAttributeClusterDimension;
      a.val.clusterDim.x = grid.cluster, a.val.clusterDim.y = a.val.clusterDim.z = 1;
    }
    if (grid.together) {
      auto& a = attributes[configuration.numAttrs++];
      a.id = cudaLaunchAttributeCooperative;
      a.val.cooperative = 1;
    }
  }
  Coupled(const Coupled&) = delete;
  Coupled& operator=(const Coupled&) = delete;
};

/// The largest number of blocks of a cluster of this shape: more than 8 need an attribute of the kernel.
std::size_t most_in_cluster(const void* kernel, const Grid& grid) {
  if (attribute(cudaDevAttrComputeCapabilityMajor) < 9) return 1;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  const Coupled launch(grid, nullptr);
  int most = 0;
  check(cudaOccupancyMaxPotentialClusterSize(&most, kernel, &launch.configuration));
  return static_cast<std::size_t>(most);
}

unsigned resident_blocks(const void* kernel, const Grid& grid) {
  int per_multiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &per_multiprocessor, kernel, static_cast<int>(grid.threads * grid.threads_y), grid.shared_bytes));
  return static_cast<unsigned>(per_multiprocessor * attribute(cudaDevAttrMultiProcessorCount));
}

/// Within the limits of one block, whose dynamic shared memory is then allowed.
Limits need_block(const void* kernel, std::string_view name, const Grid& grid) {
  thread_local std::map<std::pair<int, const void*>, Known> asked;
  int device = 0;
  check(cudaGetDevice(&device));
  const std::pair key{device, kernel};
  auto at = asked.find(key);
  if (at == asked.end()) at = asked.emplace(key, ask(kernel, device)).first;
  auto& known = at->second;
  Grid block = grid;
  block.cluster = 1, block.together = false;
  need_within(known.limits, name, block);
  if (grid.shared_bytes > known.dynamic_limit) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(grid.shared_bytes)));
    known.dynamic_limit = grid.shared_bytes;
  }
  return known.limits;
}

}  // namespace

unsigned coresident_blocks(const void* kernel, std::string_view name, const Grid& grid) {
  need_block(kernel, name, grid);
  return resident_blocks(kernel, grid);
}

void need_launchable(const void* kernel, std::string_view name, const Grid& grid) {
  Limits limits = need_block(kernel, name, grid);
  if (grid.together || grid.cluster > 1) {
    if (grid.cluster > 1) limits.cluster = most_in_cluster(kernel, grid);
    if (grid.together) limits.together = resident_blocks(kernel, grid);
    need_within(limits, name, grid);
  }
  note_launch(kernel, name, grid);
}

void launch_coupled(const void* kernel, const Grid& grid, void* stream, void** arguments) {
  const Coupled launch(grid, stream);
  check(cudaLaunchKernelExC(&launch.configuration, kernel, arguments));
}

void check_launch(std::string_view name) {
  if (const cudaError_t code = counted(cudaGetLastError()); code != cudaSuccess)
    throw error_of(code, 0, "the launch of '" + std::string(name) + "'");
}

}  // namespace pleiad::cuda
