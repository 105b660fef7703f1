/// Whole runs with block time steps on a GPU: stopped by signals and resumed, with outputs between the steps,
/// they have the bits of one that was not; and what a forecast says.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/gpu.hpp"
#include "io/durable/durable.hpp"
#include "run/observer.hpp"
#include "run/run.hpp"
#include "run/stop.hpp"
#include "unit/run/plummer.hpp"
#include "unit/scratch.hpp"

#include <cmath>
#include <csignal>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
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
nlohmann::json summary_in(const fs::path& run) {
  return nlohmann::json::parse(read_file(run / "summary.json"));
}

/// A signal comes after some batches of steps.
class StopsEarly final : public Observer {
 public:
  explicit StopsEarly(int batches) : left_(batches) {}
  void progressed(const std::function<Progress()>&) override {
    if (--left_ == 0) SignalWatch::pass_on(SIGTERM);
  }

 private:
  int left_;
};

}  // namespace

TEST_F(BlockRunsOnAGpu, HaveTheSameBitsHoweverTheyAreStopped) {
  const test::Folder folder;
  for (const std::string kernel : {"cuda/split-reduced", "cuda/fmm order=4 theta=0.6"}) {
    const auto whole = folder.path / kernel.substr(5, 3);
    ASSERT_EQ(execute(request_of(whole, kernel)), End::done);
    const auto summary = summary_in(whole);
    EXPECT_EQ(summary.at("gpus"), 1);
    EXPECT_GT(summary.at("evaluations"), 20);
    EXPECT_LE(std::abs(double(summary.at("largest_energy_error"))), 1e-2);
    for (const int batches : {1, 2}) {
      const auto parts = folder.path / (kernel.substr(5, 3) + std::to_string(batches));
      auto request = request_of(parts, kernel);
      int stops = 0;
      while (true) {
        const SignalWatch watch;
        StopsEarly stop(batches);
        request.observer = &stop;
        if (execute(request) == End::done) break;
        ASSERT_LE(++stops, 30);
        request = {};
        request.resume = parts;
      }
      EXPECT_GE(stops, 1);
      EXPECT_EQ(summary_in(parts).at("state_hash"), summary.at("state_hash")) << kernel << batches;
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
