/// Statistics and stopping rules of repeated timing, on invented samples: nothing here is timed.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/timing.hpp"

#include "bench/peak.hpp"
#include "cpu/target.hpp"

#include <pleiad/kernel/direct.hpp>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::bench;

TEST(Timing, GivesMedianAndQuartiles) {
  const auto t = summarise({5, 1, 4, 2, 3});
  EXPECT_EQ(t.median, 3);
  EXPECT_EQ(t.low_quartile, 2);
  EXPECT_EQ(t.high_quartile, 4);
  EXPECT_EQ(t.samples, 5u);
  EXPECT_DOUBLE_EQ(t.spread(), 1.0 / 3);
  EXPECT_EQ(summarise({1, 2}).median, 1.5);
}

TEST(Timing, IsNotMovedByOneDisturbedSample) {
  EXPECT_EQ(summarise({1, 1, 1, 1, 1000}).median, 1);
  EXPECT_EQ(summarise({1, 1, 1, 1, 1000}).uncertainty(), 0);
}

TEST(Timing, StopsWhenItIsQuiet) {
  int calls = 0;
  const auto t = repeat([&] { return ++calls, 1.0; },
                        {.budget_seconds = 1e6, .quiet = 0.01, .least_samples = 7, .sample_seconds = 0});
  EXPECT_EQ(calls, 7);
  EXPECT_EQ(t.median, 1);
}

TEST(Timing, StopsWhenTheTimeIsSpent) {
  // Samples of 1 and 3 s in turn: quartiles 1 and 3, so the median's error is 1.86 x 1 / (3 sqrt(n)) or more,
  // above 0.01 until n = 3800.
  int calls = 0;
  repeat([&] { return ++calls % 2 == 0 ? 1.0 : 3.0; },
         {.budget_seconds = 100, .quiet = 0.01, .least_samples = 5, .sample_seconds = 0});
  EXPECT_EQ(calls, 50);
}

TEST(Timing, GoesOnUntilTheMedianIsKnown) {
  int calls = 0;
  repeat([&] { return ++calls % 2 == 0 ? 1.0 : 3.0; },
         {.budget_seconds = 1e9, .quiet = 0.1, .least_samples = 5, .sample_seconds = 0});
  // 1.86 x 1 / (2 sqrt(n)) <= 0.1 for n >= 87 where n is even and the median 2; n >= 39 where it is odd and
  // the median 3. It is judged after every tenth sample more.
  EXPECT_GE(calls, 39);
  EXPECT_LE(calls, 96);
}

TEST(Peak, IsThatOfTheInstructionsWhichTheKernelsUse) {
  for (const auto target : cpu::simd_targets()) {
    cpu::use_simd_target(target);
    EXPECT_EQ(peak_simd_target(), simd_target());
    EXPECT_EQ(peak_lanes_f32(), simd_lanes_f32()) << target;
    EXPECT_GT(peak_fma({.vector = true, .f64 = false, .threads = 1}, 1), 0) << target;
  }
  cpu::use_simd_target("");
}

TEST(Peak, IsAPositiveNumberForEveryKind) {
  for (const bool vector : {false, true})
    for (const bool f64 : {false, true})
      EXPECT_GT(peak_fma({.vector = vector, .f64 = f64, .threads = 1}, 1), 0);
}
