/// Runs of ensembles of planetary systems on a GPU: their tables are those of a CPU to rounding, and have the
/// same bytes with other outputs and after a resume.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/gpu.hpp"
#include "io/durable/durable.hpp"
#include "run/run.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

using OrbitEnsemblesOnAGpu = Gpu;
namespace fs = std::filesystem;

/// The Sun and eight planets at six dates, in steps of some four days.
Request to(const fs::path& directory, double t_end, const char* backend = "cuda") {
  Request request;
  auto& o = request.options;
  o.ic.model = "solar-system";
  o.gravity.softening = 0, o.gravity.stated.softening = true;
  o.time.integrator = "wisdom-holman", o.time.dt = 0.0625, o.time.t_end = t_end;
  o.engine.backend = backend;
  o.ensemble.vary = {"epoch=-45000:15000:6"};
  o.ensemble.json = true;
  o.output.diagnostics_interval = 2.5;
  o.output.directory = directory.string();
  o.output.pictures = o.output.plots = false;
  return request;
}
nlohmann::json json_of(const fs::path& file) { return nlohmann::json::parse(read_file(file)); }
std::string refusal(const Request& request) {
  try {
    execute(request);
  } catch (const Error& e) {
    return e.what();
  }
  return "(accepted)";
}

}  // namespace

TEST_F(OrbitEnsemblesOnAGpu, HaveTheTablesOfACpuAndTheSameBytesHoweverTheyAreCut) {
  const test::Folder folder;
  for (const char* integrator : {"wisdom-holman", "wisdom-holman-jacobi"})
    for (const int corrector : {0, 7}) {
      const auto name = integrator + std::to_string(corrector);
      const auto in = [&](const char* kind) { return folder.path / (name + kind); };
      const auto with = [&](Request request) {
        request.options.time.integrator = integrator, request.options.time.corrector = corrector;
        return request;
      };
      ASSERT_EQ(execute(with(to(in("whole"), 20))), End::done) << name;
      auto looked = with(to(in("looked"), 20));
      looked.options.ensemble.save = {1, 4}, looked.options.output.snapshot_interval = 1.25;
      ASSERT_EQ(execute(looked), End::done) << name;
      ASSERT_EQ(execute(with(to(in("parts"), 7.5))), End::done) << name;
      Request resumed;
      resumed.resume = in("parts"), resumed.resume_settings = {"time.t_end=20"};
      ASSERT_EQ(execute(resumed), End::done) << name;
      const auto table = read_file(in("whole") / "ensemble.csv");
      EXPECT_EQ(read_file(in("looked") / "ensemble.csv"), table) << name;
      EXPECT_EQ(read_file(in("parts") / "ensemble.csv"), table) << name;
      EXPECT_EQ(read_file(in("parts") / "ensemble_times.csv"), read_file(in("whole") / "ensemble_times.csv"))
          << name;
      EXPECT_EQ(json_of(in("whole") / "summary.json").at("kernel"), "cuda/orbit-systems");

      ASSERT_EQ(execute(with(to(in("cpu"), 20, "cpu"))), End::done) << name;
      const auto gpu = json_of(in("whole") / "ensemble.json"), cpu = json_of(in("cpu") / "ensemble.json");
      ASSERT_EQ(gpu.size(), 6u);
      for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_EQ(gpu[k].at("steps"), 320);
        EXPECT_EQ(gpu[k].at("status"), "ok");
        // Rounding of 320 steps, whose sums of two doubles keep that of changes alone.
        EXPECT_LE(std::abs(gpu[k].at("energy").get<double>() / cpu[k].at("energy").get<double>() - 1), 1e-14)
            << name << " " << k;
        EXPECT_LE(gpu[k].at("worst_energy_error").get<double>(), 1e-6) << name << " " << k;
      }
    }
}

/// Small ensembles stay on the CPU unless a GPU is asked for, and the reason is told.
TEST_F(OrbitEnsemblesOnAGpu, AreChosenWhereTheyAreManyAndRefusedByName) {
  const test::Folder folder;
  ASSERT_EQ(execute(to(folder.path / "few", 2.5, "auto")), End::done);
  EXPECT_EQ(json_of(folder.path / "few" / "summary.json").at("gpus"), 0);
  auto many = to(folder.path / "many", 2.5, "auto");
  many.options.ensemble.vary = {"epoch=-45000:15000:512"};
  ASSERT_EQ(execute(many), End::done);
  EXPECT_EQ(json_of(folder.path / "many" / "summary.json").at("kernel"), "cuda/orbit-systems");

  auto hybrid = to(folder.path / "hybrid", 2.5);
  hybrid.options.time.integrator = "wisdom-holman-hybrid";
  EXPECT_NE(refusal(hybrid).find("wisdom-holman-hybrid needs its bodies on the CPU"), std::string::npos)
      << refusal(hybrid);
  auto forced = to(folder.path / "forced", 2.5);
  forced.options.gravity.forces = {"gr-potential c=10065"};
  EXPECT_NE(refusal(forced).find("ensembles take gravity.forces on CPUs"), std::string::npos)
      << refusal(forced);
  auto watched = to(folder.path / "watched", 2.5);
  watched.options.encounters.distance = 0.01;
  EXPECT_NE(refusal(watched).find("[encounters] are found in runs of one system"), std::string::npos)
      << refusal(watched);
}
