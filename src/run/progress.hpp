/// Progress on stderr: one line that rewrites itself, only when a person looks at it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/simulation.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace pleiad::run {

class Progress {
 public:
  /// `visible`: stderr is a terminal and nobody asked for quiet.
  Progress(const Simulation& simulation, double t_end, bool visible);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Redraws at most ten times a second.
  void update(double energy_error);
  /// Removes the line, so that something else can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  const Simulation& simulation_;
  double start_time_, t_end_;
  std::uint64_t start_step_, start_evaluations_;
  double pairs_;
  bool visible_, drawn_ = false;
  Clock::time_point start_ = Clock::now(), last_{};
};

/// "1:02:03", "4:05", "12 s".
std::string duration(double seconds);
/// "7.12 G", "350 M", "12 k".
std::string metric(double value);

}  // namespace pleiad::run
