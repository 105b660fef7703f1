/// The accounts' experiments on the emulated GPU, in short form: which rows there are and that their forces
/// are right, not how fast.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/experiments.hpp"

#include "bench/columns.hpp"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::bench;

namespace {

Report five_kernels_of(std::size_t n) {
  ExperimentOptions options;
  options.sizes = {n};
  options.quick = true;
  return run_experiment(experiment_named("five-kernels"), options, [](const std::string&) {});
}

}  // namespace

TEST(FiveKernels, AreMeasuredInBothFormulationsInTheAccountsShapes) {
  const auto report = five_kernels_of(96);
  EXPECT_TRUE(report.refused.empty()) << report.refused.front();
  std::map<std::string, std::set<std::string>> shapes;
  for (const auto& row : report.table.rows) {
    const auto kernel = text(report.table, row, "kernel");
    const auto what = kernel + " " + text(report.table, row, "shape");
    EXPECT_TRUE(shapes[kernel].insert(text(report.table, row, "shape")).second) << what;
    EXPECT_GT(number(report.table, row, "ms"), 0) << what << text(report.table, row, "refused");
    EXPECT_LE(number(report.table, row, "error_max"), 1e-3) << what;
    // Only the account's own formulation is compared with its twin.
    EXPECT_EQ(number(report.table, row, "float4_gain") > 0, kernel.ends_with("-forces")) << what;
  }
  ASSERT_EQ(shapes.size(), 11U);  // two times five, and the serial loop
  for (const auto* name : {"naive", "tile", "grid-stride", "grid-stride-tile", "shuffle"}) {
    const auto kernel = "cuda/" + std::string(name);
    EXPECT_EQ(shapes[kernel], shapes[kernel + "-forces"]);
    EXPECT_EQ(shapes[kernel].size(), kernel == "cuda/naive" || kernel == "cuda/tile" ? 6U : 14U);
  }
  EXPECT_TRUE(shapes["cuda/shuffle-forces"].contains("block=32,grid=512"));
}

// Three of the account's shapes are printed there under other names.
TEST(FiveKernels, TellWhatTheAccountPrintsForAShape) {
  const auto report = five_kernels_of(64);
  std::map<std::string, std::string> words;
  for (const auto& row : report.table.rows)
    if (const auto kernel = text(report.table, row, "kernel");
        kernel == "cuda/tile-forces" || kernel == "cuda/shuffle-forces")
      words[kernel + " " + text(report.table, row, "shape")] = text(report.table, row, "also_printed_as");
  EXPECT_EQ(words["cuda/tile-forces block=512"], "block 1024");
  EXPECT_EQ(words["cuda/tile-forces block=256"], "");
  EXPECT_EQ(words["cuda/shuffle-forces block=512,grid=16"], "block 1024");
  EXPECT_EQ(words["cuda/shuffle-forces block=512,grid=32"], "");
  EXPECT_EQ(words["cuda/shuffle-forces block=32,grid=512"], "grids 256 and 128");
}
