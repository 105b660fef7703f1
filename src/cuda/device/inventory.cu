#include "cuda/device/check.hpp"
#include "cuda/device/cuda.hpp"
#include "cuda/device/device.hpp"
#include "cuda/device/error_class.hpp"
#include "cuda/device/inventory.hpp"
#include "cuda/device/peer.hpp"

#include <pleiad/error.hpp>

namespace pleiad::cuda {
namespace {

/// Never launched: its attributes state the architectures of the binary.
__global__ void probe(int* out) { *out = 1; }

void describe(Gpu& gpu) {
  cudaDeviceProp p{};
  check(cudaGetDeviceProperties(&p, gpu.index));
  gpu.name = p.name;
  gpu.major = p.major, gpu.minor = p.minor, gpu.multiprocessors = p.multiProcessorCount;
  gpu.ecc = p.ECCEnabled != 0;
  gpu.total = p.totalGlobalMem;
  int kilohertz = 0;
  check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, gpu.index));
  gpu.clock = 1e3 * kilohertz;
  char bus[32]{};
  check(cudaDeviceGetPCIBusId(bus, sizeof bus, gpu.index));
  gpu.bus = bus;
}

void try_out(Gpu& gpu) {
  const OnDevice here(gpu.index);
  check(cudaMemGetInfo(&gpu.free, &gpu.total));
  cudaFuncAttributes attributes{};
  const cudaError_t code = counted(cudaFuncGetAttributes(&attributes, probe));
  if (code == cudaSuccess) {
    gpu.code = attributes.binaryVersion;
    return;
  }
  (void)cudaGetLastError();
  gpu.why_not = code == cudaErrorNoKernelImageForDevice || code == cudaErrorInvalidDeviceFunction
                    ? no_code_for(gpu.name, gpu.major, gpu.minor, PLEIAD_CUDA_ARCHITECTURES)
                    : std::string(error_of(code, 0, "cudaFuncGetAttributes").what());
}

}  // namespace

Driver driver() {
  Driver d;
  d.runtime = version_named(CUDART_VERSION);
  d.capabilities = capabilities(PLEIAD_CUDA_ARCHITECTURES);
  int version = 0, count = 0;
  d.why = why_no_device();
  if (counted(cudaDriverGetVersion(&version)) != cudaSuccess || version == 0) return d;
  d.version = version_named(version);
  const cudaError_t code = counted(cudaGetDeviceCount(&count));
  (void)cudaGetLastError();
  const bool none = code == cudaErrorNoDevice || (code == cudaSuccess && count == 0);
  d.presence = d.why.empty() ? Presence::usable : none ? Presence::no_gpu : Presence::broken;
  return d;
}

std::vector<Gpu> all_gpus() {
  int count = 0;
  if (counted(cudaGetDeviceCount(&count)) != cudaSuccess) {
    (void)cudaGetLastError();
    return {};
  }
  std::vector<Gpu> gpus(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) {
    auto& gpu = gpus[static_cast<std::size_t>(k)];
    gpu.index = k;
    try {
      describe(gpu);
      try_out(gpu);
    } catch (const ResourceError& e) {
      gpu.why_not = e.what();
    }
  }
  return gpus;
}

}  // namespace pleiad::cuda
