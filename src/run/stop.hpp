/// Reasons to stop early: a signal, a stop file, the wall time.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/clock.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

namespace pleiad::run {

/// While it lives, SIGINT, SIGTERM, SIGHUP (unless it was ignored when the watch began, as under nohup),
/// SIGUSR1, SIGUSR2 and SIGXCPU request a stop after the present step; a second SIGINT or SIGTERM ends the
/// process at once. Watches that live at the same time, in any threads, see the same signals.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  /// "SIGTERM" once one has come, else "".
  static std::string received();
  /// Its number, or 0.
  static int number();
  /// As if this process had received the signal that another one has.
  static void pass_on(int number);
};

/// Watches all three.
class StopWatch {
 public:
  StopWatch(std::filesystem::path stop_file, double walltime_seconds);
  /// Why to stop now, or "". A stop file, a regular one, is looked for a few times a second and removed when
  /// found. The wall time counts as used up when less is left than twice the slowest batch of steps, the
  /// slowest save and the slowest output so far: of these two may be on their way.
  std::string reason();
  void batch_took(double seconds) { slowest_batch_ = std::max(slowest_batch_, seconds); }
  void save_took(double seconds) { slowest_save_ = std::max(slowest_save_, seconds); }
  void output_took(double seconds) { slowest_output_ = std::max(slowest_output_, seconds); }
  double elapsed() const { return seconds() - start_; }

 private:
  SignalWatch signals_;
  std::filesystem::path stop_file_;
  double walltime_, slowest_batch_ = 0, slowest_save_ = 0, slowest_output_ = 0, last_check_ = -1;
  double start_ = seconds();
};

}  // namespace pleiad::run
