#include "cuda/device/check.hpp"
#include "cuda/device/device.hpp"
#include "cuda/device/error_class.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/stream.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace pleiad::cuda {
namespace {

int attribute(cudaDeviceAttr what) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&value, what, device));
  return value;
}

/// A long chain of multiply-adds in every thread; each block reports how many clocks its last warp took: the
/// first ones are served first and are done earlier.
__global__ void burn(float* out, long long* clocks, int turns) {
  const long long start = clock64();
  float a = static_cast<float>(threadIdx.x), b = a + 1, c = a + 2, d = a + 3;
  for (int k = 0; k < turns; ++k) {
    a = fmaf(a, 0.9999f, 1e-3f), b = fmaf(b, 0.9999f, 1e-3f);
    c = fmaf(c, 0.9999f, 1e-3f), d = fmaf(d, 0.9999f, 1e-3f);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
  __syncthreads();
  if (threadIdx.x == 0) clocks[blockIdx.x] = clock64() - start;
}

/// Issue is four warps per clock from 7.0 on; parts with half the multiply-add units are limited by these.
int lanes_of(int major, int minor) { return major == 8 && minor == 0 ? 64 : major < 8 ? 64 : 128; }

/// The driver is installed, but reports no GPU: often because of an environment variable.
std::string no_gpu_seen() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  std::string text = "the NVIDIA driver sees no GPU";
  return visible == nullptr ? text : text + " (CUDA_VISIBLE_DEVICES='" + visible + "')";
}

}  // namespace

std::string why_no_device() {
  int driver = 0, count = 0;
  // Without a driver the call succeeds, and returns 0.
  const cudaError_t asked = counted(cudaDriverGetVersion(&driver));
  if (asked != cudaSuccess) return error_of(asked, 0, "cudaDriverGetVersion").what();
  if (driver == 0) return "the NVIDIA driver is not installed";
  const cudaError_t code = counted(cudaGetDeviceCount(&count));
  (void)cudaGetLastError();
  if (code == cudaErrorInsufficientDriver) return driver_too_old(driver, CUDART_VERSION);
  if (code == cudaErrorNoDevice || (code == cudaSuccess && count == 0)) return no_gpu_seen();
  if (code != cudaSuccess) return error_of(code, 0, "cudaGetDeviceCount").what();
  cudaFuncAttributes attributes{};
  const cudaError_t image = counted(cudaFuncGetAttributes(&attributes, burn));
  if (image == cudaSuccess) return "";
  (void)cudaGetLastError();
  if (image != cudaErrorNoKernelImageForDevice && image != cudaErrorInvalidDeviceFunction)
    return error_of(image, 0, "cudaFuncGetAttributes").what();
  const auto facts = device_facts();
  return no_code_for(facts.name, facts.major, facts.minor, PLEIAD_CUDA_ARCHITECTURES);
}

void make_device_ready() noexcept {
  // Not one of the calls that tests have fail: it fails without a word.
  (void)cudaFree(nullptr);
  (void)cudaGetLastError();
}

Facts device_facts() {
  int device = 0, driver = 0;
  check(cudaGetDevice(&device));
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device));
  check(cudaDriverGetVersion(&driver));
  return {.name = properties.name,
          .driver = version_named(driver),
          .runtime = version_named(CUDART_VERSION),
          .major = properties.major,
          .minor = properties.minor,
          .multiprocessors = properties.multiProcessorCount,
          .lanes = lanes_of(properties.major, properties.minor),
          .memory = properties.totalGlobalMem,
          .l2_bytes = static_cast<std::size_t>(properties.l2CacheSize),
          .nominal_clock = 1e3 * attribute(cudaDevAttrClockRate)};
}

double measured_clock() {
  constexpr unsigned threads = 1024;
  constexpr int turns = 200'000;  // some milliseconds: events tick in half microseconds
  const auto blocks = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
  const Stream stream;
  Buffer<float> out(std::size_t{blocks} * threads, stream.get());
  Buffer<long long> clocks(blocks, stream.get());
  Timer timer;
  const auto run = [&](int n) {
    timer.start(stream.get());
    launch("burn", burn, {.blocks = blocks, .threads = threads}, stream.get(), out.data(), clocks.data(), n);
    timer.stop(stream.get());
    std::vector<long long> counts(blocks);
    clocks.copy_to_host(counts);
    return std::pair(double(*std::max_element(counts.begin(), counts.end())), timer.wait_for_seconds());
  };
  // The launch itself takes time but no clocks of the kernel: the difference of a long and a short run has
  // neither.
  run(turns / 10);
  const auto [few, brief] = run(turns / 10);
  const auto [many, lasting] = run(turns);
  return (many - few) / (lasting - brief);
}

Occupancy occupancy_of(const Launched& launched) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, launched.kernel));
  Occupancy o{.registers = attributes.numRegs,
              .shared_bytes = attributes.sharedSizeBytes + launched.grid.shared_bytes,
              .local_bytes = attributes.localSizeBytes};
  const auto threads = static_cast<int>(launched.grid.threads * launched.grid.threads_y);
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&o.resident_blocks, launched.kernel, threads,
                                                      launched.grid.shared_bytes));
  const int most_warps = attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / 32;
  o.theoretical = double(o.resident_blocks * ((threads + 31) / 32)) / most_warps;
  const double at_once = double(o.resident_blocks) * attribute(cudaDevAttrMultiProcessorCount);
  o.waves = double(launched.grid.blocks) * double(launched.grid.blocks_y) / at_once;
  o.tail = o.waves - std::floor(o.waves);
  if (o.tail == 0) o.tail = 1;
  return o;
}

}  // namespace pleiad::cuda
