/// Branches of runs: the bits of the run where nothing changes, the new settings where something does, and
/// the other run as it was.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/branch.hpp"

#include "io/durable/durable.hpp"
#include "ranks/simulated.hpp"
#include "run/run.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

Request plummer_to(const std::filesystem::path& to, double t_end) {
  Request request;
  auto& o = request.options;
  o.ic.model = "plummer", o.ic.parameters = {"n=200"};
  o.gravity.softening = 0.05, o.gravity.stated.softening = true;
  o.time.dt = 1.0 / 64, o.time.t_end = t_end;
  o.engine.backend = "cpu";
  o.output.directory = to.string();
  o.output.pictures = o.output.plots = false;
  return request;
}

/// As `pleiad run --resume RUN --output TO` and settings make it.
End branch(const std::filesystem::path& run, const std::filesystem::path& to,
           std::vector<std::string> settings) {
  settings.push_back("output.directory=" + to.string());
  auto made = branch_of(run, settings);
  Request request;
  request.options = std::move(made.options), request.provenance = std::move(made.provenance);
  return execute(request);
}

nlohmann::json summary_of(const std::filesystem::path& directory) {
  return nlohmann::json::parse(read_file(directory / "summary.json"));
}
std::string hash_of(const std::filesystem::path& directory) { return summary_of(directory).at("state_hash"); }

std::map<std::string, std::string> files_of(const std::filesystem::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory))
    if (entry.is_regular_file()) files[entry.path().string()] = read_file(entry.path());
  return files;
}

}  // namespace

TEST(Branches, HaveTheBitsOfTheRunWhereNothingChanges) {
  const test::Folder folder;
  ASSERT_EQ(execute(plummer_to(folder.path / "whole", 1)), End::done);
  ASSERT_EQ(execute(plummer_to(folder.path / "half", 0.5)), End::done);
  const auto before = files_of(folder.path / "half");
  ASSERT_EQ(branch(folder.path / "half", folder.path / "branch", {"time.t_end=1"}), End::done);
  EXPECT_EQ(hash_of(folder.path / "branch"), hash_of(folder.path / "whole"));
  EXPECT_EQ(files_of(folder.path / "half"), before);
  const auto manifest = read_file(folder.path / "branch" / "manifest.txt");
  const auto state = hash_of(folder.path / "half");
  EXPECT_NE(manifest.find("\n# branch of " + (folder.path / "half").string() +
                          " at step 32, t = 0.5, state " + state + "\n"),
            std::string::npos)
      << manifest;

  // Of a branch too, and it is resumed as any run.
  Request resumed;
  resumed.resume = folder.path / "branch", resumed.resume_settings = {"time.t_end=1.25"};
  ASSERT_EQ(execute(resumed), End::done);
  ASSERT_EQ(execute(plummer_to(folder.path / "longer", 1.25)), End::done);
  EXPECT_EQ(hash_of(folder.path / "branch"), hash_of(folder.path / "longer"));
  EXPECT_NE(read_file(folder.path / "branch" / "manifest.txt").find("# branch of "), std::string::npos);
}

TEST(Branches, MayChangeEverything) {
  const test::Folder folder;
  ASSERT_EQ(execute(plummer_to(folder.path / "run", 0.5)), End::done);
  const std::map<std::string, std::vector<std::string>> changes{
      {"step", {"time.dt=0.0078125"}},
      {"integrator", {"time.integrator=hermite4", "engine.precision=f64"}},
      {"accuracy", {"solver.accuracy=1e-3", "engine.precision=f64"}},
      {"softening", {"gravity.softening=0.1"}},
      {"outputs", {"output.snapshot_interval=0.125"}}};
  for (const auto& [name, settings] : changes) {
    SCOPED_TRACE(name);
    auto all = settings;
    all.push_back("time.t_end=1");
    ASSERT_EQ(branch(folder.path / "run", folder.path / name, all), End::done);
    EXPECT_LT(std::abs(double(summary_of(folder.path / name).at("largest_energy_error"))), 0.01);
  }
  EXPECT_EQ(summary_of(folder.path / "step").at("step"), 64);
  EXPECT_TRUE(std::filesystem::exists(folder.path / "outputs" / "snapshots" / "snapshot_004.hdf5"));
  EXPECT_NE(hash_of(folder.path / "integrator"), hash_of(folder.path / "step"));
}

TEST(Branches, StartFromTheCheckpointOfSeveralRanks) {
  const test::Folder folder;
  ASSERT_EQ(execute(plummer_to(folder.path / "whole", 1)), End::done);
  ranks::with_simulated_ranks(2, [&](ranks::Communicator& comm) {
    auto request = plummer_to(folder.path / "two", 0.5);
    request.ranks = &comm;
    EXPECT_EQ(execute(request), End::done);
  });
  ASSERT_EQ(branch(folder.path / "two", folder.path / "one", {"time.t_end=1"}), End::done);
  EXPECT_EQ(hash_of(folder.path / "one"), hash_of(folder.path / "whole"));
  EXPECT_THROW(read_snapshot(folder.path / "two" / "checkpoint.ranks.pleiad"), InputError);
}

TEST(Branches, RefuseWhatHasNoBodies) {
  const test::Folder folder;
  std::filesystem::create_directory(folder.path / "empty");
  EXPECT_THROW(branch_of(folder.path / "empty", {"output.directory=x"}), InputError);
  auto ensemble = plummer_to(folder.path / "ensemble", 0.25);
  ensemble.options.ensemble.count = 2, ensemble.options.ic.parameters = {"n=20"};
  ASSERT_EQ(execute(ensemble), End::done);
  EXPECT_THROW(branch_of(folder.path / "ensemble", {"output.directory=x"}), UsageError);
  ASSERT_EQ(execute(plummer_to(folder.path / "run", 0.25)), End::done);
  EXPECT_THROW(branch_of(folder.path / "run", {"output.directory=x", "time.dtt=1"}), UsageError);
}

TEST(CheckpointsAsSnapshots, HaveTheBodiesOfTheRun) {
  const test::Folder folder;
  ASSERT_EQ(execute(plummer_to(folder.path / "run", 0.5)), End::done);
  const auto content = read_snapshot(folder.path / "run" / "checkpoint.pleiad");
  EXPECT_EQ(content.format->name, "checkpoint");
  EXPECT_EQ(content.snapshot.time, 0.5);
  EXPECT_TRUE(content.units_stated);
  EXPECT_EQ(state_hash(content.snapshot.bodies), hash_of(folder.path / "run"));
  // The directory of a run suggests its softening and its step, too.
  Request request;
  request.options.ic.file = (folder.path / "run").string();
  request.options.time.t_end = 1, request.options.output.directory = (folder.path / "next").string();
  request.options.output.pictures = request.options.output.plots = false,
  request.options.engine.backend = "cpu";
  ASSERT_EQ(execute(request), End::done);
  ASSERT_EQ(execute(plummer_to(folder.path / "whole", 1)), End::done);
  EXPECT_EQ(hash_of(folder.path / "next"), hash_of(folder.path / "whole"));
}
