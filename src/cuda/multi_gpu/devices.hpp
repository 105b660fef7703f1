/// Devices that work together: a queue on each, and barriers at which they wait for each other without the
/// host.
///
/// A device barrier is signalled and then waited for. To signal, a device writes the barrier's number into
/// the memory of every other one, behind all that it has written there before; to wait, a small kernel polls
/// at its own memory until all numbers have come. The host queues the signals of all devices before the first
/// wait: whatever a wait waits for is queued already, so that a full queue, or a call that waits for a device
/// to be idle, cannot make two devices wait for each other.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/peer.hpp"
#include "cuda/device/stream.hpp"

#include <memory>
#include <string>
#include <vector>

namespace pleiad::cuda {

/// State of the barriers of a device, for kernels.
struct BarrierState {
  static constexpr int most_devices = 8;
  using Number = unsigned long long;
  int devices = 1, me = 0;
  /// of_device[d][me]: the last barrier that this device signalled to device d.
  Number* of_device[most_devices]{};
  Number* signalled = nullptr;  ///< how many, by this device
  Number* waited = nullptr;     ///< how many, by this device
  /// arrived[d][me]: number of arrivals of blocks of this device that were reported to device d.
  Number* arrived[most_devices]{};
  Number* passed = nullptr;      ///< number of arrivals of each device before the present kernel
  volatile int* late = nullptr;  ///< host memory: 1 + the device that did not arrive, not_in_turn, or 0
  volatile int* stop = nullptr;  ///< host memory: not 0 if a wait would never end
};

/// Barriers were not signalled and waited for in turn: a device could run ahead of another's reading.
inline constexpr int not_in_turn = -1;

class Devices {
 public:
  /// Devices 0 to `count` - 1. `reachable`: they reach each other's memory; otherwise they synchronise
  /// through the host's.
  Devices(int count, bool reachable);
  Devices(const Devices&) = delete;
  Devices& operator=(const Devices&) = delete;
  ~Devices() { abandon(); }

  int size() const { return static_cast<int>(streams_.size()); }
  /// State for a kernel on that device that waits for kernels of the others.
  const BarrierState& barrier_state(int device) const {
    return barrier_states_[static_cast<std::size_t>(device)];
  }
  void* stream(int device) const { return streams_[static_cast<std::size_t>(device)]->get(); }
  /// work(device), for each, where that device is the present one.
  template <class Work>
  void each(const Work& work) const {
    for (int device = 0; device < size(); ++device) {
      if (only_ >= 0 && device != only_) continue;
      const OnDevice here(device);
      work(device);
    }
  }
  /// Restricts each() to this device from now on; -1: all again.
  void limit_to(int device) { only_ = device; }

  /// Queues, after the present work of each device, a signal to all others.
  void signal();
  /// Work that is queued on a device from now on begins when all have signalled. Once for each signal.
  void wait_for_signals();
  /// Blocks until all devices have completed their queued work, and throws its failure: ResourceError that
  /// names the device. If one fails, the waits of the others end.
  void wait();

  /// Blocks until the devices are idle, even after failures: needed before their memory is freed.
  void abandon() noexcept;

  /// For tests: a device that never signals.
  void silence(int device) { silent_ = device; }

 private:
  [[noreturn]] void give_up(int device, const std::string& why);

  std::vector<std::unique_ptr<Stream>> streams_;
  std::vector<Reachable<BarrierState::Number>>
      numbers_;                           ///< per device: of the others, twice, and three counts
  Pinned<BarrierState::Number> of_host_;  ///< the first, where devices do not reach each other
  Pinned<int> late_;                      ///< per device, and `stop`
  std::vector<BarrierState> barrier_states_;
  int silent_ = -1, only_ = -1;
};

}  // namespace pleiad::cuda
