/// When outputs are due: moments that the simulation meets exactly, computed from the options only, so
/// checkpoints need not store them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/simulation.hpp>

#include <string_view>
#include <vector>

namespace pleiad::run {

/// The moments of one kind of output, in order; start and end are among them. Fixed steps are compared by
/// their number and the time beyond it, adaptive ones by their time.
class Schedule {
 public:
  /// Every `interval` from the clock's start (0: none) and at `times`, up to t_end. UsageError naming `key`
  /// or `times_key` for a time that Method::exact_steps forbids.
  Schedule(std::string_view key, const Clock& clock, const Method& method, double interval,
           const std::vector<double>& times, double t_end,
           std::string_view times_key = "output.snapshot_times");
  Schedule(std::string_view key, const Simulation& simulation, double interval,
           const std::vector<double>& times, double t_end,
           std::string_view times_key = "output.snapshot_times")
      : Schedule(key, simulation.clock(), simulation.method(), interval, times, t_end, times_key) {}

  bool due(const Moment& now) const;
  bool due(const Clock& clock) const { return due(moment_of(clock)); }
  /// The first moment after `now`; the last one when there is none.
  Moment next_after(const Moment& now) const;
  Moment next_after(const Clock& clock) const { return next_after(moment_of(clock)); }
  const Moment& last() const { return moments_.back(); }
  bool before(const Moment& a, const Moment& b) const { return pleiad::before(method_, a, b); }
  std::size_t size() const { return moments_.size(); }
  /// How many are after `now`, and at it when no step has been made.
  std::size_t to_come(const Moment& now) const;
  std::size_t to_come(const Clock& clock) const { return to_come(moment_of(clock)); }

 private:
  Method method_;
  std::vector<Moment> moments_;
};

}  // namespace pleiad::run
