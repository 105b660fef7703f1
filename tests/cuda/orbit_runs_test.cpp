/// Runs of wisdom-holman with test particles on a GPU: outputs and a resume change no bit, and the summary
/// tells where they were.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/gpu.hpp"
#include "io/durable/durable.hpp"
#include "run/run.hpp"
#include "unit/scratch.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

using OrbitRunsOnAGpu = Gpu;
namespace fs = std::filesystem;

/// A star, a planet and 40 particles.
fs::path belt(const fs::path& folder) {
  const auto file = folder / "belt.csv";
  std::ofstream out(file);
  out << "mass,a,e,inclination,mean_anomaly\n1,,,,\n";
  out << "1e-3,5.2,0.05,0,70\n";
  for (int k = 0; k < 40; ++k) out << "0," << 2 + k / 30.0 << ",0.1,2," << 137.5 * k << "\n";
  return file;
}
Request to(const fs::path& file, const fs::path& directory, double t_end) {
  Request request;
  auto& o = request.options;
  o.ic.file = file.string();
  o.gravity.softening = 0, o.gravity.stated.softening = true;
  o.time.integrator = "wisdom-holman", o.time.dt = 0.125, o.time.t_end = t_end;
  o.engine.precision = "f64", o.engine.backend = "cuda";
  o.output.directory = directory.string();
  o.output.pictures = o.output.plots = false;
  return request;
}
nlohmann::json summary_of(const fs::path& directory) {
  return nlohmann::json::parse(read_file(directory / "summary.json"));
}
std::string hash_of(const fs::path& directory) { return summary_of(directory).at("state_hash"); }

}  // namespace

TEST_F(OrbitRunsOnAGpu, HaveTheSameBitsWithOutputsAndAfterAResume) {
  const test::Folder folder;
  const auto file = belt(folder.path);
  ASSERT_EQ(execute(to(file, folder.path / "whole", 30)), End::done);
  auto looked = to(file, folder.path / "looked", 30);
  looked.options.output.diagnostics_interval = 0.5, looked.options.output.snapshot_interval = 2.5;
  looked.options.checkpoint.every_steps = 7;
  ASSERT_EQ(execute(looked), End::done);
  EXPECT_EQ(hash_of(folder.path / "looked"), hash_of(folder.path / "whole"));
  ASSERT_EQ(execute(to(file, folder.path / "parts", 10)), End::done);
  Request resumed;
  resumed.resume = folder.path / "parts", resumed.resume_settings = {"time.t_end=30"};
  ASSERT_EQ(execute(resumed), End::done);
  EXPECT_EQ(hash_of(folder.path / "parts"), hash_of(folder.path / "whole"));
  const auto summary = summary_of(folder.path / "whole");
  EXPECT_EQ(summary.at("gpus"), 1);
  EXPECT_NE(summary.at("device").get<std::string>().find(" and "), std::string::npos) << summary.at("device");
  // The bodies with mass are those of a run on the CPU, and so are their energies.
  auto on_cpu = to(file, folder.path / "cpu", 30);
  on_cpu.options.engine.backend = "cpu";
  ASSERT_EQ(execute(on_cpu), End::done);
  EXPECT_EQ(summary_of(folder.path / "cpu").at("energy"), summary_of(folder.path / "whole").at("energy"));
}
