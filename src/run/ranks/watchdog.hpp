/// Ends the process when the ranks stand still: MPI notices a killed rank, but not one that hangs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace pleiad::run {

class Watchdog {
 public:
  /// `seconds`: after this time without a call of alive() it prints one line and ends the process with the
  /// exit code of a missing resource; the launcher of the ranks then ends the others. 0: it never does.
  Watchdog(double seconds, int rank);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void alive();

 private:
  void watch();

  double most_;
  int rank_;
  std::atomic<double> last_;
  std::mutex mutex_;
  std::condition_variable ending_;
  bool ended_ = false;
  std::thread thread_;  ///< last: it uses the others
};

}  // namespace pleiad::run
