/// The number of threads that the tests of this binary compute with: that of the variable
/// PLEIAD_TEST_THREADS, so that tests that run beside each other do not share processors. All that there are
/// where it is not set.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

namespace {

/// Chosen anew before each test: some go back to all threads at their end.
class OneNumberOfThreads final : public testing::EmptyTestEventListener {
 public:
  explicit OneNumberOfThreads(int count) : count_(count) {}
  void OnTestStart(const testing::TestInfo&) override { pleiad::set_threads(count_); }

 private:
  int count_;
};

bool begin() {
  const char* count = std::getenv("PLEIAD_TEST_THREADS");
  if (count == nullptr) return false;
  testing::UnitTest::GetInstance()->listeners().Append(new OneNumberOfThreads(std::atoi(count)));
  return true;
}
[[maybe_unused]] const bool begun = begin();

}  // namespace
