/// Whole runs with steps of single bodies on a GPU: stopped by signals and resumed, with outputs between the
/// steps, they have the bits of one that was not; and what a forecast says.
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

using IndividualRunsOnAGpu = Gpu;
namespace fs = std::filesystem;
constexpr double dt = 1.0 / 32;

Request request_of(const fs::path& directory) {
  Request request;
  auto& o = request.options = test::plummer(40);
  o.gravity.softening = 0, o.engine.backend = "cuda";
  o.time.integrator = "hermite4-block", o.time.dt = dt, o.time.eta = 0.02, o.time.t_end = 3.4 * dt;
  o.output.pictures = false, o.output.directory = directory.string();
  o.output.diagnostics_interval = 0.7 * dt, o.output.snapshot_interval = 1.3 * dt;
  return request;
}

}  // namespace

TEST_F(IndividualRunsOnAGpu, HaveTheSameBitsHoweverTheyAreStopped) {
  const test::Folder folder;
  const auto whole = folder.path / "whole";
  ASSERT_EQ(execute(request_of(whole)), End::done);
  const auto summary = test::summary_in(whole);
  EXPECT_EQ(summary.at("gpus"), 1);
  EXPECT_EQ(summary.at("precision"), "f64");
  EXPECT_GT(summary.at("evaluations"), 20);
  // 1e-7 at eta 0.02 by the table of docs/time.md, of which a sphere of 40 has larger parts.
  EXPECT_LE(std::abs(double(summary.at("largest_energy_error"))), 1e-6);
  for (const int batches : {1, 2}) {
    const auto parts = folder.path / std::to_string(batches);
    EXPECT_GE(test::run_in_parts(request_of(parts), batches), 1);
    EXPECT_EQ(test::summary_in(parts).at("state_hash"), summary.at("state_hash")) << batches;
    EXPECT_EQ(read_file(parts / "diagnostics.txt"), read_file(whole / "diagnostics.txt")) << batches;
  }
}

/// Those that the host makes: close groups, and stars in a halo; with so many stars that a GPU makes some of
/// the sums.
TEST_F(IndividualRunsOnAGpu, HaveTheSameBitsWhereTheHostMakesTheSteps) {
  for (const bool grouped : {true, false}) {
    const test::Folder folder;
    const auto request_in = [&](const char* name) {
      auto request = request_of(folder.path / name);
      auto& o = request.options;
      o.ic.parameters = {"n=140"};
      if (grouped) o.time.groups = "regularised", o.time.group_radius = 0.02;
      else o.gravity.potentials = {"nfw mass=8 scale=2"};
      return request;
    };
    ASSERT_EQ(execute(request_in("whole")), End::done);
    const auto summary = test::summary_in(folder.path / "whole");
    EXPECT_EQ(summary.at("gpus"), 1);
    // The error of the scheme, which soft groups make larger: that of a CPU, whose places differ by 1e-9.
    auto on_cpu = request_in("cpu");
    on_cpu.options.engine.backend = "cpu";
    ASSERT_EQ(execute(on_cpu), End::done);
    const auto error_of = [](const auto& of) { return double(of.at("largest_energy_error")); };
    EXPECT_LE(std::abs(error_of(summary) - error_of(test::summary_in(folder.path / "cpu"))), 1e-7);
    EXPECT_GE(test::run_in_parts(request_in("parts"), 2), 1);
    EXPECT_EQ(test::summary_in(folder.path / "parts").at("state_hash"), summary.at("state_hash")) << grouped;
    EXPECT_EQ(read_file(folder.path / "parts/diagnostics.txt"),
              read_file(folder.path / "whole/diagnostics.txt"))
        << grouped;
  }
}

TEST_F(IndividualRunsOnAGpu, AreForecast) {
  const test::Folder folder;
  const auto f = estimate(request_of(folder.path / "run"));
  EXPECT_TRUE(f.in_blocks);
  EXPECT_EQ(f.engine.gpus, 1);
  EXPECT_NE(f.engine.why.find("cuda/individual-steps"), std::string::npos) << f.engine.why;
  EXPECT_GT(f.evaluation_seconds, 0);
}
