#include "core/room.hpp"
#include "cuda/device/check.hpp"
#include "cuda/device/device.hpp"
#include "cuda/device/peer.hpp"

#include <new>

namespace pleiad::cuda {
namespace {
cudaStream_t as_stream(void* stream) { return static_cast<cudaStream_t>(stream); }
}  // namespace

int device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  (void)cudaGetLastError();
  return 0;
}
std::string name_of_device(int device) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device));
  return properties.name;
}
std::string identity_of_device(int device) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device));
  return {properties.uuid.bytes, sizeof properties.uuid.bytes};
}
int present_device() {
  int device = 0;
  check(cudaGetDevice(&device));
  return device;
}
void select_device(int device) { check(cudaSetDevice(device)); }
void wait_for_all() { check(cudaDeviceSynchronize()); }
OnDevice::~OnDevice() { (void)cudaSetDevice(before_); }

bool allow_access(int from, int to) {
  int can = 0;
  check(cudaDeviceCanAccessPeer(&can, from, to));
  if (can == 0) return false;
  const OnDevice here(from);
  const cudaError_t code = cudaDeviceEnablePeerAccess(to, 0);
  if (code == cudaSuccess) return true;
  (void)cudaGetLastError();
  return code == cudaErrorPeerAccessAlreadyEnabled;
}

void* allocate_reachable(std::size_t bytes) {
  void* memory = nullptr;
  check_room(cudaMalloc(&memory, bytes), bytes);
  return memory;
}
void release_reachable(void* memory) noexcept { (void)cudaFree(memory); }
void* allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped));
  return memory;
}
void release_pinned(void* memory) noexcept { (void)cudaFreeHost(memory); }
void* allocate_staging(std::size_t bytes) {
  // Whole pages: no two registrations may share one.
  void* const memory =
      ::operator new((bytes + large_page - 1) / large_page * large_page, std::align_val_t(large_page));
  fault_in(memory, bytes);
  const cudaError_t code = cudaHostRegister(memory, bytes, cudaHostRegisterPortable);
  if (code != cudaSuccess) ::operator delete(memory, std::align_val_t(large_page));
  check(code);
  return memory;
}
void release_staging(void* memory) noexcept {
  (void)cudaHostUnregister(memory);
  ::operator delete(memory, std::align_val_t(large_page));
}

void copy_between(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                  void* stream) {
  if (bytes > 0) check(cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, as_stream(stream)));
}
void copy_from_pinned(void* device, const void* pinned, std::size_t bytes, void* stream) {
  if (bytes > 0) check(cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, as_stream(stream)));
}
void copy_to_pinned(void* pinned, const void* device, std::size_t bytes, void* stream) {
  if (bytes > 0) check(cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, as_stream(stream)));
}
bool done(void* stream) {
  const cudaError_t code = cudaStreamQuery(as_stream(stream));
  if (code == cudaErrorNotReady) {
    (void)cudaGetLastError();
    return false;
  }
  check(code);
  return true;
}

}  // namespace pleiad::cuda
