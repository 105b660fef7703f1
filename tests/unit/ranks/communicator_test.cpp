/// Simulated ranks: what arrives, what is counted, and how a failure ends.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "ranks/simulated.hpp"
#include "unit/ranks/conversations.hpp"

#include <atomic>

#include <gtest/gtest.h>

namespace pleiad::ranks {
namespace {

class Ranks : public testing::TestWithParam<int> {};

TEST_P(Ranks, ReceiveWhatWasSent) {
  std::atomic<int> done = 0;
  with_simulated_ranks(GetParam(), [&](Communicator& t) { converse(t, 1000), ++done; });
  EXPECT_EQ(done, GetParam());
}

TEST_P(Ranks, CountWhatTheySendToOthers) {
  const auto ranks = std::uint64_t(GetParam());
  with_simulated_ranks(GetParam(), [&](Communicator& t) {
    all_gather(t, 1.0);
    need(t.traffic().bytes == 8 * (ranks - 1) && t.traffic().messages == ranks - 1, "traffic of a gathering");
    std::vector<char> block(100);
    begin_broadcast<char>(t, block, 0)();
    const std::uint64_t sent = t.rank() == 0 ? 100 : 0;
    need(t.traffic().bytes == (8 + sent) * (ranks - 1), "traffic of a broadcast");
  });
}

TEST_P(Ranks, WorkOnOneThreadEach) {
  with_simulated_ranks(GetParam(), [](Communicator&) { need(threads() == 1, "threads"); });
}

TEST_P(Ranks, EndWhenOneFails) {
  const int last = GetParam() - 1;
  const auto work = [&](Communicator& t) {
    t.barrier();
    if (t.rank() == last) throw std::runtime_error("of the last rank");
    for (;;) t.barrier();
  };
  try {
    with_simulated_ranks(GetParam(), work);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "of the last rank");
  }
}

INSTANTIATE_TEST_SUITE_P(SoMany, Ranks, testing::Values(1, 2, 3, 4, 7), testing::PrintToStringParamName());

}  // namespace
}  // namespace pleiad::ranks
