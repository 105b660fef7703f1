/// Whole runs on a lattice on GPUs: stopped and resumed in the middle, with outputs between the steps, they
/// come back as their branches to the bits of the first state.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/gpu.hpp"
#include "engine/device.hpp"
#include "io/durable/durable.hpp"
#include "run/branch.hpp"
#include "run/run.hpp"
#include "sizes.hpp"
#include "unit/run/plummer.hpp"
#include "unit/run/stopped_runs.hpp"
#include "unit/scratch.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

using namespace pleiad;
using namespace pleiad::run;

namespace {

using LatticeRunsOnAGpu = Gpu;
namespace fs = std::filesystem;
constexpr double dt = 1.0 / 32;

Request request_of(const fs::path& directory, const std::string& kernel, int gpus) {
  Request request;
  auto& o = request.options = test::plummer(test::emulated_size(500, 80));
  o.engine.backend = "cuda", o.engine.kernel = kernel, o.engine.gpus = gpus, o.engine.precision = "mixed";
  o.time.lattice = true, o.time.dt = dt, o.time.t_end = 4 * dt;
  o.output.pictures = false, o.output.directory = directory.string();
  o.output.diagnostics_interval = 0.7 * dt, o.output.snapshot_interval = 1.3 * dt;
  return request;
}
/// Goes on to this time.
void resume(const fs::path& run, const std::string& t_end) {
  Request request;
  request.resume = run, request.resume_settings = {"time.t_end=" + t_end};
  ASSERT_EQ(execute(request), End::done);
}

}  // namespace

TEST_F(LatticeRunsOnAGpu, ComeBackThroughResumedParts) {
  for (const auto& kernel : {std::string("auto"), std::string("cuda/fmm order=4 theta=0.6")})
    for (int gpus = 1; gpus <= std::min(device_count(), 2); ++gpus) {
      const test::Folder folder;
      const auto there = folder.path / "there", back = folder.path / "back";
      ASSERT_EQ(execute(request_of(there, kernel, gpus)), End::done);
      resume(there, std::to_string(10 * dt));
      const auto summary = test::summary_in(there);
      // So small a tree is not divided.
      EXPECT_EQ(summary.at("gpus"), kernel == "auto" ? gpus : 1);
      const std::vector<std::string> settings{"output.directory=" + back.string(), "time.reverse=true",
                                              "time.t_end=" + std::to_string(13 * dt)};
      auto made = branch_of(there, settings);
      Request home;
      home.options = std::move(made.options), home.provenance = std::move(made.provenance);
      home.back_to = std::move(made.back_to);
      ASSERT_EQ(execute(home), End::done);
      EXPECT_FALSE(test::summary_in(back).at("lattice").at("back_at_start"));
      resume(back, std::to_string(20 * dt));
      const auto end = test::summary_in(back);
      EXPECT_TRUE(end.at("lattice").at("back_at_start")) << kernel << ", " << gpus;
      EXPECT_EQ(end.at("lattice").at("reversed_hash"), summary.at("lattice").at("start_hash"));
      EXPECT_EQ(end.at("gpus"), summary.at("gpus"));
      EXPECT_NE(end.at("notes").dump().find("every bit"), std::string::npos);
    }
}
