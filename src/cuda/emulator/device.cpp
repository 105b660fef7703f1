/// The emulated device: memory from the heap, limits like a real one's.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/device.hpp"

#include "cuda/device/memory.hpp"
#include "cuda/device/refusal.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/emulator/runtime.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <set>

namespace pleiad::cuda {

void* allocate(std::size_t bytes, void*) {
  called(bytes);
  void* memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (memory == nullptr) throw std::bad_alloc();
  // Memory that has not been written yet reads as NaN.
  std::memset(memory, 0xFF, bytes);
  return memory;
}

namespace {

/// Streams have numbers. The use of a stream after its end is an error: a real device's driver crashes then.
std::mutex streams;
std::uintptr_t last_stream = 0x1000;
std::set<const void*> ended_streams;

void need_living(const void* stream) noexcept {
  const std::lock_guard lock(streams);
  if (!ended_streams.contains(stream)) return;
  std::fputs("emulated GPU: work in a stream that has been destroyed\n", stderr);
  std::abort();
}

}  // namespace

void release(void* memory, void* stream) noexcept {
  need_living(stream);
  std::free(memory);
}
void fill(void* memory, int value, std::size_t bytes, void*) {
  if (bytes == 0) return;
  called();
  std::memset(memory, value, bytes);
}
void copy_to_device(void* device, const void* host, std::size_t bytes, void*) {
  if (bytes == 0) return;
  called();
  std::memcpy(device, host, bytes);
}
void copy_on_device(void* to, const void* from, std::size_t bytes, void*) {
  if (bytes == 0) return;
  called();
  std::memcpy(to, from, bytes);
}
void copy_to_host(void* host, const void* device, std::size_t bytes, void* stream) {
  if (bytes > 0) called(), std::memcpy(host, device, bytes);
  wait(stream);
}
void wait(void* stream) {
  need_living(stream);
  called();
}
void* allocate_managed(std::size_t bytes) {
  need_free(bytes, device_memory().first);
  return allocate(bytes, nullptr);
}
void release_managed(void* memory) noexcept { release(memory, nullptr); }
void keep_released(std::size_t) {}
InPages::InPages(bool on) : before_(on) {}
InPages::~InPages() = default;
std::pair<std::size_t, std::size_t> device_memory() {
  called();
  return {emulated_memory, emulated_memory};
}

/// As on an H200; but so few blocks at once that small systems already give one several turns of work.
/// With PLEIAD_EMULATED_GPU=small as on GPUs of compute capability 7.5, which have no clusters.
const Limits& emulated_limits() {
  static const char* const name = std::getenv("PLEIAD_EMULATED_GPU");
  static const Limits limits = name != nullptr && std::strcmp(name, "small") == 0
                                   ? Limits{.shared_bytes = 64 << 10, .together = 5}
                                   : Limits{.shared_bytes = 227 << 10, .cluster = 16, .together = 5};
  return limits;
}
unsigned coresident_blocks(const void*, std::string_view name, const Grid& grid) {
  need_within(emulated_limits(), name, {.threads = grid.threads, .shared_bytes = grid.shared_bytes});
  return emulated_limits().together;
}
void need_launchable(const void* kernel, std::string_view name, const Grid& grid) {
  called();
  need_within(emulated_limits(), name, grid);
  note_launch(kernel, name, grid);
}
void check_launch(std::string_view name) { called(0, "the launch of '" + std::string(name) + "'"); }

namespace {
using Clock = std::chrono::steady_clock;
Clock::time_point& moment(void* event) { return *static_cast<Clock::time_point*>(event); }
}  // namespace
void keep_released_memory() {}
void give_back_released_memory() noexcept {}
void* create_stream() {
  called();
  const std::lock_guard lock(streams);
  return reinterpret_cast<void*>(last_stream += 0x10);  // NOLINT(performance-no-int-to-ptr): a number
}
void destroy_stream(void* stream) noexcept {
  const std::lock_guard lock(streams);
  if (stream != nullptr) ended_streams.insert(stream);
}
void* create_event() {
  called();
  return new Clock::time_point;
}
void destroy_event(void* event) noexcept { delete static_cast<Clock::time_point*>(event); }
void record_event(void* event, void*) {
  called();
  moment(event) = Clock::now();
}
double seconds_between(void* begin, void* end) {
  called();
  return std::chrono::duration<double>(moment(end) - moment(begin)).count();
}

std::string why_no_device() {
  try {
    called(0, "cudaGetDeviceCount");
  } catch (const ResourceError& e) {
    return e.what();
  }
  return "";
}

void make_device_ready() noexcept {}
/// One multiprocessor with room for 2048 threads, at a clock that no emulation reaches.
Facts device_facts() {
  called();
  return {.name = "emulated GPU",
          .driver = "none",
          .runtime = "none",
          .major = 0,
          .minor = 0,
          .multiprocessors = 1,
          .lanes = 128,
          .memory = emulated_memory,
          .l2_bytes = 1 << 20,
          .nominal_clock = 1e9};
}
double measured_clock() {
  called();
  return 1e9;
}
Occupancy occupancy_of(const Launched& launched) {
  called();
  Occupancy o{.registers = 32, .shared_bytes = launched.grid.shared_bytes};
  o.resident_blocks =
      static_cast<int>(std::max(2048 / std::max(launched.grid.threads * launched.grid.threads_y, 1u), 1u));
  o.theoretical =
      std::min(o.resident_blocks * static_cast<int>(launched.grid.threads * launched.grid.threads_y), 2048) /
      2048.0;
  o.waves = double(launched.grid.blocks) * launched.grid.blocks_y / o.resident_blocks;
  o.tail = o.waves == std::floor(o.waves) ? 1 : o.waves - std::floor(o.waves);
  return o;
}

}  // namespace pleiad::cuda
