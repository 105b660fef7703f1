/// Full steps: rows, what they hold, and what is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/steps.hpp"

#include "bench/ensemble.hpp"

#include <pleiad/error.hpp>

#include <set>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::bench;

namespace {
Report brief(std::vector<std::size_t> sizes, std::vector<Precision> precisions,
             std::vector<std::string> kernels) {
  return measure_steps({.sizes = std::move(sizes),
                        .precisions = std::move(precisions),
                        .threads = {1},
                        .kernels = std::move(kernels),
                        .budget_seconds = 0},
                       [](const std::string&) {});
}
}  // namespace

TEST(Steps, HaveARowForEveryPrecisionAndSizeWithErrorsAndAHash) {
  const auto report = brief({257, 64}, {Precision::f32, Precision::f64}, {"cpu/simd"});
  ASSERT_TRUE(report.refused.empty()) << report.refused.front();
  ASSERT_EQ(report.table.rows.size(), 4U);
  std::set<std::string> hashes;
  for (const auto& row : report.table.rows) {
    const auto value = [&](const char* key) { return number(report.table, row, key); };
    EXPECT_EQ(text(report.table, row, "kernel"), "cpu/simd");
    EXPECT_GT(value("ms"), 0);
    EXPECT_NEAR(value("steps_per_second"), 1e3 / value("ms"), 1e-6 * value("steps_per_second"));
    EXPECT_NEAR(value("interactions_per_second"), value("n") * value("n") * value("steps_per_second"),
                1e-9 * value("interactions_per_second"));
    EXPECT_GT(value("force_ms"), 0);
    EXPECT_LE(value("error_rms"), text(report.table, row, "precision") == "f64" ? 1e-14 : 1e-5);
    hashes.insert(text(report.table, row, "state_hash"));
  }
  EXPECT_EQ(hashes.size(), 4U);
  ASSERT_TRUE(report.plot);
  EXPECT_EQ(report.plot->panels.size(), 2U);
}

// Same bits for any number of threads is what the CPU's kernels promise; the hash shows it.
TEST(Steps, HaveTheSameHashInEveryRunAndMarkWhatTheEngineChooses) {
  const auto once = brief({300}, {Precision::mixed}, {"auto", "cpu/symmetric"});
  const auto again = brief({300}, {Precision::mixed}, {"cpu/symmetric"});
  ASSERT_EQ(once.table.rows.size(), 1U) << "the choice of auto and its name are one row";
  ASSERT_EQ(again.table.rows.size(), 1U);
  EXPECT_EQ(text(once.table, once.table.rows[0], "chosen"), "yes");
  EXPECT_EQ(text(again.table, again.table.rows[0], "chosen"), "");
  EXPECT_EQ(text(once.table, once.table.rows[0], "state_hash"),
            text(again.table, again.table.rows[0], "state_hash"));
}

TEST(Steps, RefuseWhatCannotBeMeasured) {
  EXPECT_THROW(brief({1}, {Precision::f32}, {"cpu/simd"}), UsageError);
  EXPECT_THROW(brief({64}, {Precision::f32}, {"cpu/simt"}), UsageError);
  EXPECT_THROW(measure_steps({.sizes = {64}, .precisions = {}, .threads = {100000}, .kernels = {}},
                             [](const std::string&) {}),
               UsageError);
}

TEST(Systems, HaveErrorsWithinRoundingAndTheHashOfTheirStates) {
  const auto run = [] {
    return measure_ensemble(
        {.systems = 5, .sizes = {33}, .precisions = {Precision::f32, Precision::f64}, .budget_seconds = 0},
        [](const std::string&) {});
  };
  const auto report = run(), again = run();
  ASSERT_TRUE(report.refused.empty()) << report.refused.front();
  ASSERT_EQ(report.table.rows.size(), 2U);
  for (std::size_t r = 0; r < 2; ++r) {
    const auto& row = report.table.rows[r];
    EXPECT_EQ(number(report.table, row, "systems"), 5);
    // A pull in some 20 roundings, 33 of them added up: 2^-24 (2^-53) times 256 is far above, a missing body
    // far beyond.
    EXPECT_LE(number(report.table, row, "error_rms"), r == 0 ? 0x1p-16 : 0x1p-45);
    EXPECT_NEAR(number(report.table, row, "interactions_per_second"),
                33.0 * 33.0 * number(report.table, row, "steps_per_second"),
                1e-9 * number(report.table, row, "interactions_per_second"));
    EXPECT_EQ(text(report.table, row, "state_hash"), text(again.table, again.table.rows[r], "state_hash"));
  }
}
