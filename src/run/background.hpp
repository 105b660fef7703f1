/// One piece of work at a time beside the thread that steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <thread>

namespace pleiad::run {

class Background {
 public:
  Background() = default;
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  /// Waits too; what failed then is not told.
  ~Background();

  /// Starts `work` once that before is done, whose failure is rethrown here. Done at once where no thread can
  /// be had.
  void start(std::function<void()> work);
  /// Waits for the work; rethrows its failure, once.
  void wait();

 private:
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace pleiad::run
