/// Leapfrog steps on several devices that add velocity increments directly to each other's memory: the last
/// of the publication's methods to share n^2 pairs.
///
/// Each device has its own bodies and no others. It sums the pulls of its own bodies, as sources, on all
/// bodies, whose positions it reads where they are, and adds h times the sums to the velocities in the memory
/// of the owners of the targets, by atomics. When all have added, each drifts its own bodies; when all have
/// drifted, the next step begins. Positions need not be sent, but the order of the additions, and with it the
/// last bits, differs from run to run: a variant to be measured, not one for runs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/overlap.hpp"
#include "cuda/multi_gpu/devices.hpp"
#include "cuda/multi_gpu/recording.hpp"

#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace pleiad::cuda {

class IncrementSteps {
 public:
  /// On devices 0 to `count` - 1. ResourceError when there are not so many or they do not reach each other's
  /// memory; UsageError for a periodic box, which its kernel does not know.
  IncrementSteps(int count, const Gravity& gravity);
  ~IncrementSteps() { devices_.abandon(); }

  int size() const { return devices_.size(); }
  /// Replaces the bodies; velocities are as many as these.
  void load(std::span<const Mass<float>> bodies, std::span<const Vec4<float>> velocities);
  /// Velocities grow by h G times the pulls. Kicks wait for the drift that follows, and are one kick by then:
  /// no pull is summed twice.
  void kick(float h) { waiting_ += h; }
  /// Queues the kick that waits, and a drift of length h.
  void drift(float h);
  /// Queues an evaluation of all pulls, which it adds to the velocities h times.
  void add(float h);
  /// Blocks until all that is queued is done, and throws what failed; a kick goes on waiting.
  void finish() { devices_.wait(); }
  /// Queues the kick that waits, and blocks as finish(). Then the bodies in the order of load().
  void copy_to_host(std::span<Mass<float>> bodies, std::span<Vec4<float>> velocities);

 private:
  /// Of one device.
  struct Share {
    std::size_t first = 0;
    Reachable<Mass<float>> bodies;
    Reachable<Vec4<float>> velocities;
  };
  struct Work {
    float kick = 0, drift = 0;
    bool operator==(const Work&) const = default;
  };

  void meet();
  void queue(const Work& work);

  Gravity gravity_;
  Devices devices_;
  std::vector<Share> shares_;
  float waiting_ = 0;
  Work last_;
  Recording recording_;  ///< of last_, when it came twice
  bool possible_ = true;
  std::optional<Backlog> backlog_;
};

}  // namespace pleiad::cuda
