/// The published benchmarks' experiments on the emulated GPU, in short form: which rows there are and that
/// their forces are right, not how fast.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/experiments.hpp"

#include "bench/columns.hpp"
#include "bench/experiments/damped.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

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
    // Only the publication's own formulation is compared with its twin.
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

// Three of the publication's shapes are printed there under other names.
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

// Every program, flag and kind of load ends in the state of the serial loop; the velocity is changed in the
// kernel of the forces, as the publication has it, beside the same with an array of accelerations.
TEST(DampingFps, EndsInTheSameStateOnAGpu) {
  ExperimentOptions options;
  options.sizes = {200};
  options.steps = 5;
  options.quick = true;
  const auto report = run_experiment(experiment_named("damping-fps"), options, [](const std::string&) {});
  EXPECT_TRUE(report.refused.empty()) << report.refused.front();
  std::map<std::string, const std::vector<Cell>*> rows;
  for (const auto& row : report.table.rows) {
    rows[text(report.table, row, "variant")] = &row;
    EXPECT_GT(number(report.table, row, "steps_per_second"), 0) << text(report.table, row, "refused");
    EXPECT_LE(number(report.table, row, "difference"), 2 * 21 * 0x1p-24);
    EXPECT_GE(number(report.table, row, "spread"), 0);
  }
  ASSERT_TRUE(rows.contains("one thread per body") && rows.contains("shared tiles"));
  const auto& naive = *rows["one thread per body"];
  EXPECT_EQ(text(report.table, naive, "kernel"), "cuda/fused-velocity");
  EXPECT_EQ(text(report.table, naive, "shape"), "block=64");
  EXPECT_EQ(text(report.table, naive, "gain_over"),
            "one thread per body, separate accelerations, loads together");
  EXPECT_GT(number(report.table, naive, "gain"), 0);
  EXPECT_GT(number(report.table, naive, "speed_up"), 0);
  EXPECT_EQ(text(report.table, *rows["shared tiles"], "shape"), "block=256");
}

// Flags and expressions: each build beside the same expression with -O3 alone.
TEST(DampingFps, ComparesFlagsOfTheCompiler) {
  const auto start = damped_bodies(150);
  int builds = 0, with_gain = 0;
  for (const auto& scan : damped_scans({}))
    for (const auto& program : scan.programs)
      if (program.build != nullptr) {
        ++builds, with_gain += program.published_gain.has_value();
        EXPECT_EQ(program.base.empty(), program.build->build == "-O3") << program.variant;
        const auto outcome = run_damped(start, program, 2, 0),
                   serial = run_damped(start, serial_program(), 2, 0);
        for (std::size_t i = 0; i < start.size(); ++i)
          EXPECT_LE(norm(outcome.bodies.position(i) - serial.bodies.position(i)), 2 * 18 * 0x1p-24)
              << program.variant;
      }
  EXPECT_EQ(builds, 16);
  EXPECT_EQ(with_gain, 2);
}

// Blocks from 1, strides to 128: each is launched, but the block of 1025, which is refused in words and has
// no figure.
TEST(BlockStride, MeasuresEveryShapeThatCanBeLaunched) {
  ExperimentOptions options;
  options.sizes = {48};
  options.quick = true;
  const auto report = run_experiment(experiment_named("block-stride"), options, [](const std::string&) {});
  EXPECT_TRUE(report.refused.empty()) << report.refused.front();
  const auto& t = report.table;
  std::set<std::string> shapes;
  for (const auto& row : t.rows) {
    const auto shape = text(t, row, "shape");
    shapes.insert(shape);
    EXPECT_EQ(number(t, row, "interactions_per_second") > 0, shape != "block=1025") << shape;
    EXPECT_EQ(text(t, row, "refused").empty(), shape != "block=1025") << shape;
  }
  for (const auto* shape : {"block=1,stride=1", "block=8,stride=4", "block=128,stride=128"})
    EXPECT_TRUE(shapes.contains(shape)) << shape;
  EXPECT_EQ(report.plot->panels.size(), 3U);
}

// The publication's kernel takes the same steps as every other: single precision parts by rounding alone, and
// its limit is that of nearest images in a plane.
TEST(Periodic2d, RunsTheAccountsKernelBesideOthers) {
  ExperimentOptions options;
  options.sizes = {64};
  options.steps = 3;
  options.quick = true;
  const auto report = run_experiment(experiment_named("periodic-2d"), options, [](const std::string&) {});
  const auto& t = report.table;
  std::map<std::string, std::string> kernels;
  for (const auto& row : t.rows)
    if (text(t, row, "section") == "runs") {
      const auto variant = text(t, row, "variant");
      kernels[variant] = text(t, row, "kernel");
      EXPECT_GT(number(t, row, "elapsed_s"), 0) << variant;
      EXPECT_EQ(number(t, row, "fraction_of_limit") > 0, variant == "the account's kernel") << variant;
    }
  EXPECT_TRUE(kernels["the account's kernel"].starts_with("cuda/periodic-2d"));
  EXPECT_TRUE(kernels["tiles, in three dimensions"].starts_with("cuda/tile"));
  EXPECT_TRUE(kernels["serial loop"].starts_with("cpu/scalar"));
  EXPECT_EQ(kernels.size(), 8U);
}
