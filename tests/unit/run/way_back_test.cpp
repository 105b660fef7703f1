/// Runs on a lattice that go forward, and back as their branches: they end at the bits of the first state.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/way_back.hpp"

#include "io/durable/durable.hpp"
#include "ranks/simulated.hpp"
#include "run/branch.hpp"
#include "run/run.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

Request on_lattice(const std::filesystem::path& to, double t_end, const std::string& kernel = "auto") {
  Request request;
  auto& o = request.options;
  o.ic.model = "plummer", o.ic.parameters = {"n=300"};
  o.gravity.softening = 0.05, o.gravity.stated.softening = true;
  o.time.dt = 1.0 / 64, o.time.t_end = t_end, o.time.lattice = true;
  o.engine.kernel = kernel;
  o.output.directory = to.string();
  o.output.pictures = o.output.plots = false;
  return request;
}

/// As `pleiad run --resume RUN --output TO --reverse` and settings make it.
Request way_back(const std::filesystem::path& run, const std::filesystem::path& to,
                 std::vector<std::string> settings = {}) {
  settings.push_back("output.directory=" + to.string());
  settings.push_back("time.reverse=true");
  auto made = branch_of(run, settings);
  Request request;
  request.options = std::move(made.options), request.provenance = std::move(made.provenance);
  request.back_to = std::move(made.back_to);
  return request;
}

nlohmann::json summary_in(const std::filesystem::path& directory) {
  return nlohmann::json::parse(read_file(directory / "summary.json"));
}
bool is_back(const std::filesystem::path& directory) {
  return summary_in(directory).at("lattice").at("back_at_start");
}

}  // namespace

TEST(WayBack, EndsAtTheFirstStateOfTheRun) {
  for (const char* kernel : {"auto", "cpu/fmm order=3 theta=0.7"}) {
    const test::Folder folder;
    const auto there = folder.path / "there", back = folder.path / "back";
    auto forward = on_lattice(there, 2, kernel);
    forward.options.output.snapshot_interval = 1;
    ASSERT_EQ(execute(forward), End::done);
    const auto first = read_snapshot(there / "snapshots" / "snapshot_000.hdf5").snapshot.bodies;
    const auto lattice = summary_in(there).at("lattice");
    EXPECT_EQ(lattice.at("start_hash"), state_hash(first)) << kernel;
    EXPECT_FALSE(lattice.contains("back_at_start"));
    ASSERT_EQ(execute(way_back(there, back)), End::done);
    const auto summary = summary_in(back);
    EXPECT_TRUE(is_back(back)) << kernel;
    EXPECT_EQ(summary.at("lattice").at("reversed_hash"), lattice.at("start_hash"));
    EXPECT_EQ(summary.at("lattice").at("units"), lattice.at("units"));
    EXPECT_EQ(summary.at("time"), 4) << "as long as the way there";
    EXPECT_NE(summary.at("notes").dump().find("every bit"), std::string::npos);
    // The snapshots of the way there are passed again, from the last to the first.
    auto passed = read_snapshot(back / "snapshots" / "snapshot_001.hdf5").snapshot.bodies;
    for (const auto axis : {&Bodies::vx, &Bodies::vy, &Bodies::vz})
      for (double& v : passed.*axis) v = 0 - v;
    EXPECT_EQ(state_hash(passed),
              state_hash(read_snapshot(there / "snapshots" / "snapshot_001.hdf5").snapshot.bodies));
  }
}

TEST(WayBack, SaysWhereItIsNotBack) {
  const test::Folder folder;
  ASSERT_EQ(execute(on_lattice(folder.path / "there", 1)), End::done);
  ASSERT_EQ(execute(way_back(folder.path / "there", folder.path / "half", {"time.t_end=1.5"})), End::done);
  EXPECT_FALSE(is_back(folder.path / "half"));
  ASSERT_EQ(execute(way_back(folder.path / "there", folder.path / "other", {"time.dt=0.0078125"})),
            End::done);
  EXPECT_FALSE(is_back(folder.path / "other"));
  EXPECT_NE(summary_in(folder.path / "other").at("notes").dump().find("not back"), std::string::npos);
  // The rest of the way, resumed.
  Request rest;
  rest.resume = folder.path / "half", rest.resume_settings = {"time.t_end=2"};
  ASSERT_EQ(execute(rest), End::done);
  EXPECT_TRUE(is_back(folder.path / "half"));
}

TEST(WayBack, IsTheSameOnAnyNumberOfRanks) {
  const test::Folder folder;
  ASSERT_EQ(execute(on_lattice(folder.path / "one", 1)), End::done);
  for (const int n : {2, 3}) {
    const auto there = folder.path / ("there" + std::to_string(n)),
               back = folder.path / ("back" + std::to_string(n));
    ranks::with_simulated_ranks(n, [&](ranks::Communicator& comm) {
      auto forward = on_lattice(there, 1);
      forward.ranks = &comm;
      EXPECT_EQ(execute(forward), End::done);
    });
    EXPECT_EQ(summary_in(there).at("state_hash"), summary_in(folder.path / "one").at("state_hash")) << n;
    ranks::with_simulated_ranks(5 - n, [&](ranks::Communicator& comm) {
      auto home = way_back(there, back);
      home.ranks = &comm;
      EXPECT_EQ(execute(home), End::done);
    });
    EXPECT_TRUE(is_back(back)) << n;
  }
}

TEST(WayBack, EndsWithAValidCheckpointWhereABodyLeavesTheLattice) {
  const test::Folder folder;
  auto request = on_lattice(folder.path / "run", 4);
  request.options.ic.velocity = {4, 0, 0};
  request.options.time.lattice_units = {0x1p-58, 0x1p-58};  // the bodies of this model begin within 16
  request.options.time.t_end = 16;
  try {
    (void)execute(request);
    ADD_FAILURE() << "the bodies have gone 64";
  } catch (const NumericalError& e) {
    EXPECT_EQ(e.kind(), Error::Kind::numerical);
    EXPECT_NE(std::string(e.what()).find("left the lattice"), std::string::npos) << e.what();
  }
  const auto kept = read_snapshot(folder.path / "run" / "checkpoint.pleiad").snapshot;
  for (const double x : kept.bodies.x) EXPECT_LE(std::abs(x), 16);
}

TEST(WayBack, KeepsItsUnitsInTheConfiguration) {
  const test::Folder folder;
  ASSERT_EQ(execute(on_lattice(folder.path / "run", 0.25)), End::done);
  const auto text = read_file(folder.path / "run" / "config.toml");
  EXPECT_NE(text.find("lattice = true"), std::string::npos);
  EXPECT_EQ(text.find("lattice_units = []"), std::string::npos) << text;
}
