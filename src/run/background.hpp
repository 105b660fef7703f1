/// Background work, one piece after the other, concurrent with the thread that makes steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace pleiad::run {

class Background {
 public:
  Background() = default;
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  /// Waits too; failures are not reported.
  ~Background();

  /// Does `work` when all that was started before is done; at once where no thread can be had. A failure of
  /// that before is rethrown here, and then the work is not done.
  void start(std::function<void()> work);
  /// Waits until all work is done; rethrows the first failure, once. Work after a failure was not done.
  void wait();

 private:
  void serve();
  void rethrow();

  std::mutex mutex_;  ///< guards the members below
  std::condition_variable changed_;
  std::deque<std::function<void()>> work_;  ///< the first is being done
  std::exception_ptr failure_;
  bool ending_ = false;
  std::thread thread_;  ///< from the first work on
};

}  // namespace pleiad::run
