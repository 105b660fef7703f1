/// Watches of signals: of one process, whose ranks may be threads with a watch each.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/stop.hpp"

#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction is POSIX, not in <csignal>

namespace pleiad::run {

void (*handler_of(int number))(int) {
  struct sigaction now {};
  sigaction(number, nullptr, &now);
  return now.sa_handler;
}

/// A watch that begins beside others keeps the signal that these have received; the last that ends gives the
/// handlers back, in whatever order they end.
TEST(SignalWatch, SharesSignalsWithThoseThatLive) {
  const auto before = handler_of(SIGUSR1);
  std::optional<SignalWatch> first(std::in_place);
  const auto during = handler_of(SIGUSR1);
  EXPECT_NE(during, before);
  EXPECT_EQ(SignalWatch::received(), "");
  ASSERT_EQ(raise(SIGUSR1), 0);
  std::optional<SignalWatch> second(std::in_place);
  EXPECT_EQ(SignalWatch::received(), "SIGUSR1");
  first.reset();
  EXPECT_EQ(handler_of(SIGUSR1), during);
  EXPECT_EQ(SignalWatch::received(), "SIGUSR1");
  second.reset();
  EXPECT_EQ(handler_of(SIGUSR1), before);
  const SignalWatch next;
  EXPECT_EQ(SignalWatch::received(), "");
}

TEST(SignalWatch, MayBeginAndEndInManyThreads) {
  const auto before = handler_of(SIGTERM);
  std::vector<std::jthread> ranks;
  for (int rank = 0; rank < 8; ++rank)
    ranks.emplace_back([] {
      for (int k = 0; k < 1000; ++k) {
        const SignalWatch watch;
        EXPECT_EQ(SignalWatch::received(), "");
      }
    });
  ranks.clear();
  EXPECT_EQ(handler_of(SIGTERM), before);
}

}  // namespace pleiad::run
