/// Several emulated devices: one memory, and the number of the present one.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/peer.hpp"

#include "cuda/device/memory.hpp"
#include "cuda/emulator/peer.hpp"
#include "cuda/emulator/runtime.hpp"

#include <pleiad/error.hpp>

#include <cstring>

#include <unistd.h>

namespace pleiad::cuda {
namespace {
thread_local int present = 0;
}

int device_count() { return emulator::devices; }
std::string name_of_device(int) {
  called();
  return "emulated GPU";
}
/// Processes share no memory.
std::string identity_of_device(int device) {
  return std::to_string(device) + " of process " + std::to_string(::getpid());
}
int present_device() { return present; }
void select_device(int device) {
  called();
  if (device < 0 || device >= emulator::devices)
    throw ResourceError("emulated CUDA: no device " + std::to_string(device), Error::Code::no_device);
  present = device;
}
void wait_for_all() { called(); }
OnDevice::~OnDevice() { present = before_; }
bool allow_access(int, int) {
  called();
  return emulator::access;
}

void* allocate_reachable(std::size_t bytes) { return allocate(bytes, nullptr); }
void release_reachable(void* memory) noexcept { release(memory, nullptr); }
void* allocate_pinned(std::size_t bytes) { return allocate(bytes, nullptr); }
void release_pinned(void* memory) noexcept { release(memory, nullptr); }
void* allocate_staging(std::size_t bytes) { return allocate(bytes, nullptr); }
void release_staging(void* memory) noexcept { release(memory, nullptr); }
void copy_between(void* to, int, const void* from, int, std::size_t bytes, void*) {
  called();
  if (bytes > 0 && emulator::access_works) std::memcpy(to, from, bytes);
}
void copy_from_pinned(void* device, const void* pinned, std::size_t bytes, void*) {
  if (bytes > 0) called(), std::memcpy(device, pinned, bytes);
}
void copy_to_pinned(void* pinned, const void* device, std::size_t bytes, void*) {
  if (bytes > 0) called(), std::memcpy(pinned, device, bytes);
}
bool done(void*) {
  called();
  return true;
}

}  // namespace pleiad::cuda
