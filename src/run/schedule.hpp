/// When outputs are due: times that the simulation meets exactly, known from the options alone, so a resumed
/// run needs no memory of them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/simulation.hpp>

#include <string_view>
#include <vector>

namespace pleiad::run {

/// The times of one kind of output, in order; start and end are among them.
class Schedule {
 public:
  /// Every `interval` from the clock's start (0: none) and at `times`, up to t_end. With fixed steps each
  /// time must be a whole step: UsageError naming `key` otherwise.
  Schedule(std::string_view key, const Clock& clock, const Method& method, double interval,
           const std::vector<double>& times, double t_end);
  Schedule(std::string_view key, const Simulation& simulation, double interval,
           const std::vector<double>& times, double t_end)
      : Schedule(key, simulation.clock(), simulation.method(), interval, times, t_end) {}

  bool due(double time) const;
  /// The first time after `time`; t_end at the latest.
  double next_after(double time) const;
  /// How many lie before `time`: the number in a file's name.
  std::size_t index(double time) const;
  std::size_t size() const { return times_.size(); }

 private:
  std::vector<double> times_;
};

}  // namespace pleiad::run
