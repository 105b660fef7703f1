/// Whole comoving runs with the fast multipole method on a GPU: they end as those by Ewald's sums on the CPU
/// do, keep the equation of Layzer and Irvine, and go on with the same bits; and what is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/gpu.hpp"
#include "io/durable/durable.hpp"
#include "run/run.hpp"
#include "unit/run/stopped_runs.hpp"
#include "unit/run/waves.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <string>

using namespace pleiad;
using namespace pleiad::run;

namespace {

using ComovingRunsOnAGpu = Gpu;
namespace fs = std::filesystem;

using test::H0, test::omega_m;

/// The file of 7^3 bodies.
fs::path waves(const fs::path& file) { return test::written(test::waves(7), file); }

Request request_of(const fs::path& file, const fs::path& directory) {
  Request request;
  auto& o = request.options;
  o.ic.file = file.string();
  o.gravity.softening = 0.05;
  o.cosmology.omega_m = omega_m, o.cosmology.hubble = H0;
  o.time.dt = 0.05, o.time.end_redshift = 14;
  o.engine.backend = "cuda", o.engine.kernel = "cuda/fmm order=6 theta=0.4 leaf=24";
  o.output.directory = directory.string();
  o.output.plots = o.output.pictures = false;
  return request;
}
Snapshot end_of(const fs::path& run) {
  fs::path last;
  for (const auto& file : fs::directory_iterator(run / "snapshots")) last = std::max(last, file.path());
  return read_snapshot(last).snapshot;
}

}  // namespace

TEST_F(ComovingRunsOnAGpu, EndAsThoseByEwaldsSumsAndGoOnWithTheSameBits) {
  const test::Folder folder;
  const auto file = waves(folder.path / "waves.hdf5");
  auto sums = request_of(file, folder.path / "ewald");
  sums.options.engine.backend = "cpu", sums.options.engine.kernel = "cpu/ewald";
  ASSERT_EQ(execute(sums), End::done);
  const auto whole = folder.path / "whole";
  ASSERT_EQ(execute(request_of(file, whole)), End::done);
  const auto summary = test::summary_in(whole), right = test::summary_in(folder.path / "ewald");
  EXPECT_EQ(summary.at("gpus"), 1);
  EXPECT_NE(std::string(summary.at("kernel")).find("cuda/fmm"), std::string::npos);
  // Displacements of 0.01 of the box, grown by 1.7, by pulls of which a hundredth is wrong at worst.
  const auto there = end_of(whole), here = end_of(folder.path / "ewald");
  ASSERT_EQ(there.bodies.size(), here.bodies.size());
  double apart = 0;
  for (std::size_t i = 0; i < here.bodies.size(); ++i) {
    const auto d = (1 / here.boundary.length.x) * (there.bodies.position(i) - here.bodies.position(i));
    for (const double x : {d.x, d.y, d.z}) apart = std::max(apart, std::abs(x - std::round(x)));
  }
  EXPECT_GT(apart, 0);
  EXPECT_LE(apart, 3e-4);
  EXPECT_NEAR(double(summary.at("largest_energy_error")), double(right.at("largest_energy_error")), 1e-3);
  const auto parts = folder.path / "parts";
  EXPECT_GE(test::run_in_parts(request_of(file, parts), 4), 1);
  EXPECT_EQ(test::summary_in(parts).at("state_hash"), summary.at("state_hash"));
  EXPECT_EQ(read_file(parts / "diagnostics.txt"), read_file(whole / "diagnostics.txt"));
}

/// With settings of a solver beside the accuracy that such runs ask for, and with that accuracy alone.
TEST_F(ComovingRunsOnAGpu, TakeATreeByTheAccuracy) {
  const test::Folder folder;
  const auto file = waves(folder.path / "waves.hdf5");
  for (const bool stated : {true, false}) {
    const auto run = folder.path / (stated ? "stated" : "found");
    auto request = request_of(file, run);
    auto& o = request.options;
    o.engine.kernel = "auto", o.time.end_redshift = 22;
    if (stated) o.solver.method = "fmm", o.solver.order = 6, o.solver.theta = 0.4;
    ASSERT_EQ(execute(request), End::done) << stated;
    const auto summary = test::summary_in(run);
    EXPECT_TRUE(std::string(summary.at("kernel")).starts_with("cuda/fmm")) << summary.at("kernel");
    EXPECT_LE(double(summary.at("force_error").at("p99")), stated ? 1e-2 : 1e-3) << summary.at("kernel");
  }
}

TEST_F(ComovingRunsOnAGpu, AreRefusedByName) {
  const test::Folder folder;
  const auto file = waves(folder.path / "waves.hdf5");
  const auto refusal = [&](const std::function<void(Options&)>& change) {
    auto request = request_of(file, folder.path / "run");
    change(request.options);
    try {
      execute(request);
      return std::string("accepted");
    } catch (const Error& e) {
      return std::string(e.what());
    }
  };
  EXPECT_EQ(refusal([](Options& o) { o.engine.gpus = 2; }),
            "gpus = 2 cannot be used: 'cuda/fmm' computes a periodic box on one GPU; choose one");
  EXPECT_EQ(refusal([](Options& o) { o.engine.precision = "f64"; }),
            "'cuda/fmm' has no f64 form; choose another kernel or precision");
  EXPECT_EQ(
      refusal([](Options& o) { o.engine.kernel = "auto", o.solver.method = "direct"; }),
      "no kernel on the GPU computes all images of periodic boxes in mixed; use solver.method = \"fmm\", "
      "or --backend cpu");
}
