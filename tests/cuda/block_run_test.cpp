/// Whole runs with block time steps on a GPU: stopped by signals and resumed, with outputs between the steps,
/// they have the bits of one that was not; and what a forecast says.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/gpu.hpp"
#include "io/durable/durable.hpp"
#include "run/run.hpp"
#include "unit/run/plummer.hpp"
#include "unit/run/stopped_runs.hpp"
#include "unit/scratch.hpp"

#include <cmath>
#include <filesystem>
#include <string>

using namespace pleiad;
using namespace pleiad::run;

namespace {

using BlockRunsOnAGpu = Gpu;
namespace fs = std::filesystem;
constexpr double dt = 1.0 / 16;

Request request_of(const fs::path& directory, const std::string& kernel) {
  Request request;
  auto& o = request.options = test::plummer(60);
  o.gravity.softening = 0.02, o.engine.backend = "cuda", o.engine.kernel = kernel;
  o.time.integrator = "block-kdk", o.time.dt = dt, o.time.eta = 0.01, o.time.t_end = 3.4 * dt;
  o.output.pictures = false, o.output.directory = directory.string();
  o.output.diagnostics_interval = 0.7 * dt, o.output.snapshot_interval = 1.3 * dt;
  return request;
}

}  // namespace

TEST_F(BlockRunsOnAGpu, HaveTheSameBitsHoweverTheyAreStopped) {
  const test::Folder folder;
  for (const std::string kernel : {"cuda/split-reduced", "cuda/fmm order=4 theta=0.6"}) {
    const auto whole = folder.path / kernel.substr(5, 3);
    ASSERT_EQ(execute(request_of(whole, kernel)), End::done);
    const auto summary = test::summary_in(whole);
    EXPECT_EQ(summary.at("gpus"), 1);
    EXPECT_GT(summary.at("evaluations"), 20);
    EXPECT_LE(std::abs(double(summary.at("largest_energy_error"))), 1e-2);
    for (const int batches : {1, 2}) {
      const auto parts = folder.path / (kernel.substr(5, 3) + std::to_string(batches));
      EXPECT_GE(test::run_in_parts(request_of(parts, kernel), batches), 1);
      EXPECT_EQ(test::summary_in(parts).at("state_hash"), summary.at("state_hash")) << kernel << batches;
      EXPECT_EQ(read_file(parts / "diagnostics.txt"), read_file(whole / "diagnostics.txt"))
          << kernel << batches;
    }
  }
}

TEST_F(BlockRunsOnAGpu, AreForecast) {
  const test::Folder folder;
  const auto f = estimate(request_of(folder.path / "run", "auto"));
  EXPECT_TRUE(f.in_blocks);
  EXPECT_EQ(f.engine.gpus, 1);
  EXPECT_GT(f.evaluation_seconds, 0);
}
