/// The publication on the optimisation path on four emulated GPUs: every stage has both measures, and its
/// chart has all stages in their order.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/columns.hpp"
#include "bench/experiments.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::bench;

namespace {
const auto silent = [](const std::string&) {};
Report path_of(std::size_t n, std::optional<Precision> precision = {}) {
  return run_experiment(experiment_named("path"), {.precision = precision, .sizes = {n}, .quick = true},
                        silent);
}
}  // namespace

TEST(Path, HasForcesAndWholeStepsInEveryRow) {
  const auto report = path_of(70);
  EXPECT_TRUE(report.refused.empty()) << report.refused.front();
  const auto& t = report.table;
  std::map<std::string, double> gpus;
  for (const auto& row : t.rows) {
    const auto variant = text(t, row, "variant");
    EXPECT_GT(number(t, row, "interactions_per_second"), 0) << variant << text(t, row, "refused");
    EXPECT_GT(number(t, row, "step_interactions_per_second"), 0) << variant << text(t, row, "refused");
    EXPECT_GT(number(t, row, "step_ms"), 0) << variant;
    EXPECT_LE(number(t, row, "error_rms"), 1e-6) << variant;
    EXPECT_FALSE(text(t, row, "commit").empty()) << variant;
    gpus[variant] = number(t, row, "gpus");
  }
  EXPECT_EQ(gpus.at("serial loop on the CPU"), 0);
  EXPECT_EQ(gpus.at("PTX"), 1);
  EXPECT_EQ(gpus.at("two GPUs, increments"), 2);
  EXPECT_EQ(gpus.at("four GPUs"), 4);
  EXPECT_EQ(gpus.at("four GPUs, increments"), 4);
}

// PTX of multiply-adds in single precision, and increments: what has no form in this precision says so.
TEST(Path, RefusesInDoublePrecisionWhatHasNone) {
  const auto report = path_of(16, Precision::f64);
  const auto& t = report.table;
  std::map<std::string, std::string> refused;
  for (const auto& row : t.rows) {
    const auto variant = text(t, row, "variant"), why = text(t, row, "refused");
    refused[variant] = why;
    EXPECT_EQ(number(t, row, "step_ms") > 0 && number(t, row, "ms") > 0, why.empty()) << variant << why;
  }
  EXPECT_EQ(refused.at("PTX"), "kernel 'cuda/ptx-whole' has no f64 form; choose another kernel or precision");
  EXPECT_EQ(refused.at("two GPUs, increments"),
            "velocity increments by peer access are in single precision alone");
  EXPECT_EQ(refused.at("tiles in shared memory"), "");
}

TEST(Path, IsDrawnStageByStage) {
  const auto rows = from_json(R"([
{"variant":"naive","n":4096,"published_g_per_second":12.0,"step_interactions_per_second":4e10,"interactions_per_second":5e10,"device":"GPU X","gpus":1},
{"variant":"naive","n":131072,"published_g_per_second":46.0,"interactions_per_second":1.3e12,"device":"GPU X","gpus":1},
{"variant":"PTX, with tests","n":4096,"step_interactions_per_second":null,"interactions_per_second":null},
{"variant":"four GPUs","n":4096,"published_g_per_second":34.0,"interactions_per_second":null},
{"variant":"five GPUs","n":131072,"published_g_per_second":340.0},
{"variant":"six GPUs","n":131072,"published_g_per_second":341.0},
{"variant":"ours","n":4096,"step_interactions_per_second":7e10,"device":"GPU X","gpus":1}])",
                              "rows.json", column);
  const auto plot = earlier_experiment(experiment_named("path"), rows).plot;
  ASSERT_TRUE(plot);
  EXPECT_EQ(plot->categories,
            (std::vector<std::string>{"naive", "four GPUs", "five GPUs", "six GPUs", "ours"}));
  std::map<std::string, const Series*> series;
  for (const auto& each : plot->panels.at(0).series) series[each.name] = &each;
  ASSERT_EQ(series.size(), 4U);
  const auto& ours = *series.at("N = 4096, GPU X");
  ASSERT_EQ(ours.points.size(), 3U);
  EXPECT_EQ(ours.points[0][1], 40) << "full steps, where there are any";
  EXPECT_TRUE(std::isnan(ours.points[1][1])) << "no line where there is no figure";
  EXPECT_EQ(ours.points[2][0], 5);
  EXPECT_EQ(series.at("N = 131072, GPU X")->points[0][1], 1300);
  const auto& theirs = *series.at("N = 4096, Tesla K80");
  EXPECT_TRUE(theirs.dashed);
  EXPECT_EQ(theirs.colour, ours.colour);
  EXPECT_EQ(theirs.points[1][0], 2);
  EXPECT_EQ(theirs.points[1][1], 34);
  const auto script = gnuplot_script(*plot, "path.png");
  EXPECT_NE(script.find("unset logscale x"), std::string::npos);
  EXPECT_NE(script.find("('naive' 1, 'four GPUs' 2, 'five GPUs' 3, 'six GPUs' 4, 'ours' 5)"),
            std::string::npos)
      << script;
  EXPECT_NE(script.find("set xrange [0.5:5.5]"), std::string::npos) << script;
}
