/// Tables of trees: what is measured, what is best, and that every row is as accurate as it says.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/experiments.hpp"
#include "bench/solvers.hpp"
#include "core/threads.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/tree.hpp>
#include <pleiad/models.hpp>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::bench;

namespace {

void silent(const std::string&) {}

Bodies sphere(std::size_t n) {
  const std::vector<std::string> settings{"n=" + std::to_string(n)};
  return make_model("plummer", settings, 1).bodies;
}

}  // namespace

TEST(AccuracyCurve, HasEverySolverAndMarksWhatNothingBeats) {
  const auto report = accuracy_curve(sphere(1500), {.softening = {0.01}},
                                     {.name = "plummer", .longest_seconds = 1e6}, silent);
  const auto& t = report.table;
  std::set<std::string> solvers;
  double last = INFINITY;
  std::size_t best = 0;
  for (const auto& row : t.rows) {
    solvers.insert(text(t, row, "solver"));
    const double error = number(t, row, "error_p99"), ms = number(t, row, "ms");
    EXPECT_LE(error, last);
    EXPECT_GE(ms, 1e-6);
    last = error;
    bool beaten = false;
    for (const auto& other : t.rows) {
      const double e = number(t, other, "error_p99"), m = number(t, other, "ms");
      beaten = beaten || (e <= error && m <= ms && (e < error || m < ms));
    }
    EXPECT_EQ(text(t, row, "best"), beaten ? "" : "*") << text(t, row, "kernel");
    best += !beaten;
  }
  for (const auto* name :
       {"direct f32", "direct mixed", "direct f64", "fmm 3 error", "fmm 8 spheres", "barnes-hut 3 spheres"})
    EXPECT_TRUE(solvers.contains(name)) << name;
  EXPECT_GE(best, 1U);
  // Of direct sums in double precision on the same sample in the same order nothing is left but rounding.
  EXPECT_LE(last, 1e-13);
  ASSERT_TRUE(report.plot);
  ASSERT_EQ(report.plot->panels.size(), 2U);
  EXPECT_GE(report.plot->panels[0].series.size(), 10U);  // five orders, two MACs
  EXPECT_GE(report.plot->panels[1].series.size(), 10U);
  EXPECT_NE(gnuplot_script(*report.plot, "a.png").find("set format x '%g'"), std::string::npos);
}

TEST(AccuracyCurve, RefusesWhatHasNoErrorsOrNoTrees) {
  EXPECT_THROW(accuracy_curve(sphere(1), {}, {}, silent), UsageError);
  EXPECT_THROW(accuracy_curve(sphere(10), {.boundary = {true, {9, 9, 9}}}, {}, silent), UsageError);
}

TEST(Trees, AreAsAccurateAsTheirRowsSayOnAllModels) {
  const auto report = run_experiment(experiment_named("trees"),
                                     {.kernel = {}, .precision = {}, .steps = {}, .sizes = {1500}}, silent);
  const auto& t = report.table;
  std::set<std::string> models;
  std::set<double> threads, kept;
  for (const auto& row : t.rows) {
    models.insert(text(t, row, "model"));
    if (text(t, row, "compared") == "threads") threads.insert(number(t, row, "threads"));
    if (text(t, row, "compared") == "refresh") {
      kept.insert(number(t, row, "rebuild_every"));
      EXPECT_EQ(number(t, row, "rebuild_every") > 1, number(t, row, "refresh_ms") > 0)
          << text(t, row, "kernel");
    }
    // Structures are compared at settings that are the same, not at an accuracy: those are near 1e-2.
    const double asked = number(t, row, "accuracy");
    EXPECT_LE(number(t, row, "error_p99"), std::isnan(asked) ? 0.03 : asked) << text(t, row, "kernel");
    EXPECT_LE(number(t, row, "error_p50"), number(t, row, "error_p99"));
    EXPECT_EQ(number(t, row, "n"), 1500);
    for (const auto* key : {"ms", "direct_ms", "speedup", "build_ms", "moments_ms", "forces_ms",
                            "pairs_per_body", "bytes_per_body"})
      EXPECT_GT(number(t, row, key), 0) << key << " of " << text(t, row, "kernel");
    EXPECT_GE(number(t, row, "cells_per_body"), 0) << text(t, row, "kernel");  // there may be no distant ones
    EXPECT_EQ(name_of(tree_settings_of(text(t, row, "kernel")).solver), text(t, row, "solver"));
  }
  EXPECT_EQ(models, (std::set<std::string>{"cluster in halo", "galaxy", "merger", "plummer", "two clumps",
                                           "uniform"}));
  EXPECT_EQ(kept, (std::set<double>{1, 2, 4, 8, 16, 32}));
  EXPECT_TRUE(threads.contains(1) && threads.contains(pleiad::threads()));
  EXPECT_EQ(report.notes.size(), 2U) << report.notes.front();  // what was published, and where to read on
  ASSERT_TRUE(report.plot);
  EXPECT_GE(report.plot->panels.size(), models.size());
  EXPECT_EQ(report.plot->panels[0].series[0].name, "direct");
  EXPECT_EQ(report.plot->panels[0].series[0].points.size(), 1U);
}

TEST(Crossover, ComparesThePlannersChoiceWithTheBestOfAScan) {
  const auto report = run_experiment(experiment_named("crossover"),
                                     {.kernel = {},
                                      .precision = {},
                                      .steps = {},
                                      .sizes = {1000, 3000},
                                      .quick = true,
                                      .model = {},
                                      .accuracy = 3e-3},
                                     silent);
  const auto& t = report.table;
  ASSERT_EQ(t.rows.size(), 8U);  // direct sums, two trees and the planner, twice
  for (const auto& row : t.rows) {
    const auto solver = text(t, row, "solver"), kernel = text(t, row, "kernel");
    EXPECT_GE(number(t, row, "over_best"), 1) << solver;
    EXPECT_GT(number(t, row, "ms"), 0) << solver;
    EXPECT_EQ(number(t, row, "measured"), number(t, row, "n")) << solver;
    if (kernel != "direct") {
      EXPECT_LE(number(t, row, "error_p99"), 3e-3) << kernel;
      EXPECT_LE(number(t, row, "error_p50"), number(t, row, "error_p99")) << kernel;
    }
    // So few bodies are summed directly before anything is measured.
    if (solver == "planner" && number(t, row, "n") == 1000) {
      EXPECT_EQ(kernel, "direct");
    }
  }
  ASSERT_TRUE(report.plot);
  EXPECT_EQ(report.plot->panels[0].series.size(), 4U);
}
