/// Records repeated work of all devices once: the host then replays it with one short call for each.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/graph.hpp"
#include "cuda/multi_gpu/devices.hpp"

#include <array>
#include <functional>

namespace pleiad::cuda {

class Recording {
 public:
  /// Records the work that `queue` queues on all devices, under the terms of Graph::record(); it is called
  /// once for each, with `devices` limited to that one, and must queue the same every time.
  bool record(Devices& devices, const std::function<void()>& queue);
  /// Queues the record, which is there, on all devices.
  void replay(const Devices& devices) const;
  void clear() noexcept;
  bool empty() const { return empty_; }

 private:
  std::array<Graph, BarrierState::most_devices> graphs_;
  std::function<void()> queue_;  ///< of the emulator
  bool empty_ = true;
};

}  // namespace pleiad::cuda
