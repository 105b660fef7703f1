/// Bodies on paths of their own (BodyPaths) on one GPU or several, and their pulls on some of them: what a
/// scheme on the host asks for once for each time at which steps end.
///
/// A call sends what has changed since the last one, makes two launches on each GPU, and copies the sums
/// back. Each GPU has all paths and a part of the sources. The bits are the same for any number of GPUs and
/// any grid, and for each body whatever else is chosen.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/body_paths.hpp"
#include "cuda/device/peer.hpp"

#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace pleiad::cuda {

/// Bytes of each GPU's memory for n bodies.
std::size_t bytes_of_paths(std::size_t n);

class PathsOnGpus {
 public:
  struct Settings {
    double eps = 0;
    bool in_floats = false;  ///< see IndividualProblem; bodies without acceleration have sums in doubles
    unsigned grid = 0;       ///< blocks of threads; 0: as many as are fast
    int gpus = 1;            ///< the present one, or the first ones
  };
  /// `room`: the most bodies that there will be. ResourceError where a GPU has too little memory.
  PathsOnGpus(std::size_t room, const Settings& settings);
  ~PathsOnGpus();
  PathsOnGpus(const PathsOnGpus&) = delete;
  PathsOnGpus& operator=(const PathsOnGpus&) = delete;

  /// Notes what has changed (BodyPaths::changed); must be called for each change before the next begin.
  void note(const BodyPaths& paths);
  /// Begins to sum accelerations and jerks of the `chosen` bodies by all with mass, predicted at `now`, in
  /// units of paths.unit. Coincident bodies pull and jerk with zero.
  void begin(const BodyPaths& paths, double now, std::span<const std::uint32_t> chosen);
  /// Waits for them.
  void finish(std::span<Vec4<double>> accelerations, std::span<Vec4<double>> jerks);

  /// Second and third derivatives of the accelerations of all bodies, which are at one time.
  void higher_derivatives(const BodyPaths& paths, std::span<Vec4<double>> snaps,
                          std::span<Vec4<double>> crackles);

  std::size_t bytes() const;  ///< of GPU memory
  /// What was asked of the GPUs.
  struct Work {
    std::uint64_t calls = 0;
    std::uint64_t redone = 0;  ///< where sums did not fit into their units
    double pairs = 0;
  };
  const Work& work() const { return work_; }

 private:
  struct OneGpu;
  void send_all(const BodyPaths& paths);
  void pack(const BodyPaths& paths, std::span<const std::uint32_t> chosen);
  void launch_again();

  Settings settings_;
  std::size_t room_;
  Staging<unsigned char> sent_;
  std::vector<std::unique_ptr<OneGpu>> gpus_;
  bool all_changed_ = true;
  std::vector<std::uint32_t> changed_;  ///< since the last call, each once
  std::vector<std::uint32_t> row_of_;   ///< of each body: 1 + its place in changed_, or 0
  std::size_t count_ = 0;               ///< of chosen bodies in the present call
  Work work_;
};

}  // namespace pleiad::cuda
