/// Runs with a spline and with softenings of types and bodies: the same bits on several ranks, after a resume
/// and with equal softenings, what files give, and a long run that keeps its energy.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "ranks/simulated.hpp"
#include "run/run.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>
#include <pleiad/models.hpp>

#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

using Change = std::function<void(Options&)>;

/// A disc galaxy: discs, bulge and halo are types.
Request request_of(const std::filesystem::path& to, const Change& change) {
  Request request;
  auto& o = request.options;
  o.ic.model = "galaxy", o.ic.parameters = {"n=1100"};
  o.gravity.stated.softening = true;
  o.time.dt = 0.01, o.time.t_end = 0.08;
  o.engine.backend = "cpu", o.engine.precision = "f64";
  o.output.directory = to.string();
  o.output.pictures = o.output.plots = false;
  o.output.diagnostics_interval = 0.04;
  change(o);
  return request;
}
nlohmann::json summary_of(const std::filesystem::path& directory) {
  return nlohmann::json::parse(read_file(directory / "summary.json"));
}
std::string hash_of(const Request& request) {
  EXPECT_EQ(execute(request), End::done);
  return summary_of(request.options.output.directory).at("state_hash");
}

const Change by_type = [](Options& o) {
  o.gravity.softening = 0.02;
  o.gravity.softening_by_type = {"halo=0.1", "bulge=0.05"};
};
const Change splines = [](Options& o) {
  by_type(o);
  o.time.eta = 0.5;
  o.gravity.softening_kernel = "spline", o.gravity.softening_rule = "quadratic";
  o.time.adaptive = true;
};

}  // namespace

TEST(SofteningRuns, HaveTheSameBitsOnRanksAndAfterAResume) {
  const test::Folder folder;
  int k = 0;
  for (const auto& law : {by_type, splines}) {
    // More than the block of 4096 that a rank has at least.
    const Change change = [&](Options& o) {
      law(o);
      o.ic.parameters = {"n=4400"};
      o.time.dt = 1e-4, o.time.t_end = 4e-4, o.output.diagnostics_interval = 2e-4;
    };
    const auto whole = folder.path / std::to_string(++k);
    const auto hash = hash_of(request_of(whole, change));
    const auto table = read_file(whole / "diagnostics.txt");
    for (const int ranks : {2, 3}) {  // of which the third has no bodies
      const auto to = folder.path / (std::to_string(k) + " on " + std::to_string(ranks));
      ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& comm) {
        auto mine = request_of(to, change);
        mine.ranks = &comm;
        EXPECT_EQ(execute(mine), End::done);
      });
      EXPECT_EQ(summary_of(to).at("state_hash"), hash) << k << " on " << ranks;
      EXPECT_EQ(read_file(to / "diagnostics.txt"), table) << k << " on " << ranks;
    }
    const auto cut = folder.path / (std::to_string(k) + " cut");
    auto request = request_of(cut, change);
    request.options.time.t_end = 2e-4;
    EXPECT_EQ(execute(request), End::done);
    Request onward;
    onward.resume = cut, onward.resume_settings = {"time.t_end=4e-4"};
    EXPECT_EQ(execute(onward), End::done);
    EXPECT_EQ(summary_of(cut).at("state_hash"), hash) << k;
  }
}

TEST(SofteningRuns, OfEqualSofteningsHaveTheBitsOfOne) {
  const test::Folder folder;
  const auto one = hash_of(request_of(folder.path / "one", [](Options& o) { o.gravity.softening = 0.05; }));
  // Types that no body has do not count.
  const auto each = hash_of(request_of(folder.path / "each", [](Options& o) {
    o.gravity.softening_by_type = {"disc=0.05", "bulge=0.05", "halo=0.05", "gas=9"};
  }));
  EXPECT_EQ(each, one);
  const auto other = hash_of(request_of(folder.path / "other", [](Options& o) {
    o.gravity.softening_by_type = {"disc=0.05", "bulge=0.05", "halo=0.06"};
  }));
  EXPECT_NE(other, one);
}

TEST(SofteningRuns, TakeTheSofteningsOfAFile) {
  const test::Folder folder;
  auto s = make_model("plummer", std::array<std::string, 1>{"n=200"}, 3);
  for (std::size_t i = 0; i < 200; ++i) s.bodies.softening.push_back(0.01 * double(1 + i % 4));
  std::string first;
  for (const std::string format : {"csv", "hdf5"}) {
    const auto file = folder.path / ("start." + format);
    write_snapshot(file, s, {.format = &format_named(format)});
    EXPECT_EQ(read_snapshot(file).snapshot.bodies.softening, s.bodies.softening) << format;
    const auto start = [&](Options& o) {
      o.ic.model.clear(), o.ic.parameters.clear(), o.ic.file = file.string();
      o.gravity.stated.softening = false;
      o.output.snapshot_format = format;
    };
    const auto to = folder.path / format;
    const auto hash = hash_of(request_of(to, start));
    if (first.empty()) first = hash;
    EXPECT_EQ(hash, first);
    // They go on in snapshots, and in the run's configuration.
    EXPECT_NE(read_file(to / "config.toml").find("softening_of_bodies = true"), std::string::npos);
    std::size_t snapshots = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(to)) {
      if (!entry.path().filename().string().starts_with("snapshot") || !entry.is_regular_file()) continue;
      ++snapshots;
      EXPECT_EQ(read_snapshot(entry.path()).snapshot.bodies.softening, s.bodies.softening) << entry.path();
    }
    EXPECT_GE(snapshots, 2u);
    const auto stated = [&](Options& o) {
      start(o), o.gravity.softening = 0.02, o.gravity.stated.softening = true;
    };
    EXPECT_NE(hash_of(request_of(folder.path / (format + " stated"), stated)), first);
  }
}

// A run by types that goes on from its snapshot is one by types again, which trees take.
TEST(SofteningRuns, KnowTypesOfAFileByTheirSoftenings) {
  const test::Folder folder;
  EXPECT_EQ(execute(request_of(folder.path / "first", by_type)), End::done);
  const auto request = request_of(folder.path / "second", [&](Options& o) {
    o.ic.model.clear(), o.ic.parameters.clear();
    o.ic.file = (folder.path / "first" / "snapshots" / "snapshot_001.hdf5").string();
    o.gravity.stated.softening = false;
    o.time.t_end = 0.12;
    o.engine.kernel = "cpu/fmm order=5 theta=0.5";
  });
  EXPECT_EQ(execute(request), End::done);
  const auto config = read_file(folder.path / "second" / "config.toml");
  EXPECT_NE(config.find("\"disc=0.02\", \"bulge=0.05\""), std::string::npos) << config;
  EXPECT_NE(config.find("\"halo=0.1\""), std::string::npos) << config;
}

TEST(SofteningRuns, RefuseWhatAFileDoesNotGive) {
  const test::Folder folder;
  const auto file = folder.path / "start.csv";
  write_snapshot(file, make_model("plummer", std::array<std::string, 1>{"n=20"}, 3),
                 {.format = &format_named("csv")});
  const auto request = request_of(folder.path / "run", [&](Options& o) {
    o.ic.model.clear(), o.ic.parameters.clear(), o.ic.file = file.string();
    o.gravity.softening_of_bodies = true;
  });
  try {
    execute(request);
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find("gives its bodies no softenings; set gravity.softening"),
              std::string::npos)
        << e.what();
  }
}

// A leapfrog's energy error does not grow: 5e-5 with steps of a tenth of the time to cross the softening.
TEST(SofteningRuns, KeepTheirEnergy) {
  const test::Folder folder;
  EXPECT_EQ(execute(request_of(folder.path / "long",
                               [](Options& o) {
                                 o.ic.model = "plummer", o.ic.parameters = {"n=200"};
                                 o.gravity.softening = 0.1;
                                 o.gravity.softening_kernel = "spline";
                                 o.time.dt = 1.0 / 128, o.time.t_end = 4;
                                 o.output.diagnostics_interval = 0.5;
                               })),
            End::done);
  EXPECT_LE(std::abs(double(summary_of(folder.path / "long").at("largest_energy_error"))), 1e-4);
}
