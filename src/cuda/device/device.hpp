/// The GPU: whether there is a usable one, its properties, its speed, and its occupancy by a launch. Plain
/// C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/grid.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pleiad::cuda {

/// Why no GPU can be used ("the NVIDIA driver is not installed"), or "" when one can.
std::string why_no_device();
/// Initialises the present device, which the first call that needs it would wait for. Errors are reported by
/// that call.
void make_device_ready() noexcept;

struct Facts {
  std::string name, driver, runtime;  ///< versions as "13.0"
  int major = 0, minor = 0, multiprocessors = 0;
  int lanes = 0;  ///< single-precision lanes that a multiprocessor can issue to per clock
  std::size_t memory = 0, l2_bytes = 0;
  double nominal_clock = 0;  ///< Hz
};
Facts device_facts();

/// Clocks per second under a load of multiply-adds on all multiprocessors: the devices' own counters against
/// events.
double measured_clock();

/// One launch as it was made.
struct Launched {
  std::string name;
  const void* kernel = nullptr;
  Grid grid;
};
/// While it lives, the launches of this thread are recorded.
class LaunchLog {
 public:
  LaunchLog();
  LaunchLog(const LaunchLog&) = delete;
  LaunchLog& operator=(const LaunchLog&) = delete;
  ~LaunchLog();
  const std::vector<Launched>& launches() const { return launches_; }
  void add(Launched launched) { launches_.push_back(std::move(launched)); }

 private:
  std::vector<Launched> launches_;
  LaunchLog* outer_;
};
/// Adds to the log of this thread, if there is one.
void note_launch(const void* kernel, std::string_view name, const Grid& grid);

/// Occupancy of the device by a launch.
struct Occupancy {
  int registers = 0;             ///< per thread
  std::size_t shared_bytes = 0;  ///< per block, static and dynamic
  std::size_t local_bytes = 0;   ///< per thread: spilled registers and arrays
  int resident_blocks = 0;       ///< per multiprocessor
  double theoretical = 0;        ///< resident warps over the most there can be
  double waves = 0;              ///< blocks over those that are resident at once on the whole device
  double tail = 0;               ///< occupied part of the last wave; 1 if waves is a whole number
};
Occupancy occupancy_of(const Launched& launched);

}  // namespace pleiad::cuda
