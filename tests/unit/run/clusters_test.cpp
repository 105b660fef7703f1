/// Runs that look at a star cluster: their tables, the same on threads and ranks and after a kill at any
/// look; events of binaries that are known; escapers removed in a run with steps of their own.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "io/durable/durable.hpp"
#include "ranks/simulated.hpp"
#include "run/analysis.hpp"
#include "run/run.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

namespace fs = std::filesystem;
constexpr std::array tables{"cluster.csv", "shells.csv", "binaries.csv", "events.csv"};

/// A cluster with wide binaries, which ionise and exchange: 0.25 Myr, looked at 16 times.
Request request_of(const fs::path& to, const std::string& integrator) {
  Request request;
  auto& o = request.options;
  o.ic.model = "cluster";
  o.ic.parameters = {"n=60",       "half_mass_radius=0.1", "binaries=0.6",       "separation=log-uniform",
                     "imf=kroupa", "separation_min=2000",  "separation_max=8000"};
  o.time.integrator = integrator;
  o.time.dt = 0x1p-6, o.time.t_end = 0.25;
  o.engine.backend = "cpu", o.engine.precision = "f64";
  if (integrator == "kdk") o.gravity.softening = 0.001, o.time.dt = 0x1p-9;
  o.output.directory = to.string();
  o.output.pictures = o.output.plots = false;
  o.output.cluster_interval = 0x1p-6;
  o.checkpoint.interval_seconds = 0;
  o.limits.max_energy_error = 0;
  return request;
}

/// Rows of a table, by the names of its columns.
std::vector<std::map<std::string, std::string>> rows_of(const fs::path& file) {
  std::istringstream lines(read_file(file));
  std::vector<std::string> names;
  std::vector<std::map<std::string, std::string>> rows;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    std::vector<std::string> cells;
    std::istringstream words(line + ",");
    for (std::string cell; std::getline(words, cell, ',');) cells.push_back(cell);
    if (names.empty()) {
      names = cells;
      continue;
    }
    EXPECT_EQ(cells.size(), names.size()) << line;
    auto& row = rows.emplace_back();
    for (std::size_t k = 0; k < std::min(cells.size(), names.size()); ++k) row[names[k]] = cells[k];
  }
  return rows;
}

void expect_same(const fs::path& a, const fs::path& b, const std::string& what) {
  for (const auto* table : tables) EXPECT_EQ(read_file(a / table), read_file(b / table)) << what << table;
}

/// An analysis that fails after a number of steps, as if the run had been killed there.
std::uint64_t dies_at = 0;
class Dying : public Output {
 public:
  using Output::Output;
  void stepped(bool) override {
    if (run_.simulation.step() == dies_at) throw std::runtime_error("killed");
  }
};
const Analysis dying{.name = "dying", .keys = {}, .make = make_output<Dying>};

}  // namespace

TEST(Clusters, HaveTablesThatAgreeWithEachOther) {
  const test::Folder folder;
  const auto run = folder.path / "run";
  ASSERT_EQ(execute(request_of(run, "hermite4-block")), End::done);
  const auto cluster = rows_of(run / "cluster.csv"), shells = rows_of(run / "shells.csv"),
             binaries = rows_of(run / "binaries.csv"), events = rows_of(run / "events.csv");
  ASSERT_EQ(cluster.size(), 17U);
  EXPECT_EQ(shells.size(), 17U * 10);
  EXPECT_NE(read_file(run / "cluster.csv").find("core_radius in pc"), std::string::npos);
  // From the list at the start, the events lead to that of each time.
  std::set<std::set<std::string>> now;
  std::set<std::string> kinds;
  std::size_t event = 0;
  for (const auto& look : cluster) {
    std::set<std::set<std::string>> listed;
    std::size_t pairs = 0;
    for (const auto& row : binaries) {
      if (row.at("time") != look.at("time") || row.at("stars") != "2") continue;
      listed.insert({row.at("id_1"), row.at("id_2")}), ++pairs;
    }
    EXPECT_EQ(std::to_string(pairs), look.at("binaries"));
    if (&look == &cluster.front()) now = listed;
    for (; event < events.size() && events[event].at("time") == look.at("time"); ++event) {
      const auto& e = events[event];
      const std::set<std::string> pair{e.at("id1"), e.at("id2")};
      kinds.insert(e.at("event"));
      EXPECT_EQ(e.at("stars") == "2", e.at("event").starts_with("binary"));
      if (e.at("event") == "binary-ionised") {
        EXPECT_EQ(now.erase(pair), 1U);
      }
      if (e.at("event") == "binary-formed" || e.at("event") == "binary-exchanged") {
        EXPECT_TRUE(now.insert(pair).second);
      }
      if (e.at("event") == "binary-hardened") {
        EXPECT_TRUE(now.contains(pair));
      }
      if (e.at("event") == "binary-exchanged")
        std::erase_if(now, [&](const auto& old) {
          return old.contains(e.at("id3")) && (old.contains(e.at("id1")) || old.contains(e.at("id2")));
        });
    }
    EXPECT_EQ(now, listed) << look.at("time");
  }
  EXPECT_EQ(event, events.size());
  EXPECT_GE(kinds.size(), 4U);
  const auto summary = nlohmann::json::parse(read_file(run / "summary.json"));
  EXPECT_EQ(summary.at("files").at("binaries"), (run / "binaries.csv").string());
}

TEST(Clusters, HaveTheSameTablesOnThreadsAndRanksAndWithoutOtherOutputs) {
  const test::Folder folder;
  for (const std::string integrator : {"kdk", "hermite4-block"}) {
    const auto whole = folder.path / integrator;
    ASSERT_EQ(execute(request_of(whole, integrator)), End::done);
    ASSERT_GE(rows_of(whole / "events.csv").size(), 5U);
    for (const int ranks : {2, 3}) {
      const auto to = folder.path / (integrator + std::to_string(ranks));
      ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& comm) {
        auto mine = request_of(to, integrator);
        mine.ranks = &comm;
        EXPECT_EQ(execute(mine), End::done);
      });
      expect_same(whole, to, std::to_string(ranks) + " ranks ");
    }
    const auto before = threads();
    set_threads(3);
    auto request = request_of(folder.path / (integrator + " threads"), integrator);
    request.options.engine.threads = 3;
    EXPECT_EQ(execute(request), End::done);
    set_threads(before);
    expect_same(whole, folder.path / (integrator + " threads"), "threads ");
  }
}

TEST(Clusters, HaveEachRowOnceAfterAKill) {
  const test::Folder folder;
  const auto whole = folder.path / "whole";
  ASSERT_EQ(execute(request_of(whole, "hermite4-block")), End::done);
  const std::array<const Analysis*, 1> more{&dying};
  for (const std::uint64_t every : {1, 3})
    for (const std::uint64_t at : {2, 7, 16}) {
      const auto to = folder.path / (std::to_string(every) + " " + std::to_string(at));
      auto request = request_of(to, "hermite4-block");
      request.options.checkpoint.every_steps = every;
      request.more_analyses = more;
      dies_at = at;
      if (at < every) continue;
      EXPECT_THROW(execute(request), std::runtime_error);
      Request onward;
      onward.resume = to;
      EXPECT_EQ(execute(onward), End::done);
      expect_same(whole, to, to.filename().string() + " ");
    }
}

/// Two stars in a close orbit, and a third one far away that leaves.
TEST(Clusters, LoseEscapersWithStepsOfTheirOwnAndCloseTheEnergyTable) {
  const test::Folder folder;
  std::ofstream(folder.path / "three.csv") << "1 0 0 0 0 0.7 0\n1 1 0 0 0 -0.7 0\n0.01 8 0 0 3 0 0\n";
  const auto request = [&](const std::string& to, double end) {
    Request r;
    auto& o = r.options;
    o.ic.file = (folder.path / "three.csv").string();
    o.time.integrator = "hermite4-block", o.time.dt = 0x1p-4, o.time.t_end = end;
    o.engine.backend = "cpu", o.engine.precision = "f64";
    o.encounters.escape_radius = 10, o.encounters.on_escape = "remove";
    o.output.directory = (folder.path / to).string();
    o.output.pictures = o.output.plots = false;
    o.output.cluster_interval = o.output.diagnostics_interval = 0.25;
    return r;
  };
  ASSERT_EQ(execute(request("whole", 2)), End::done);
  const auto events = rows_of(folder.path / "whole/events.csv");
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].at("event"), "escape");
  EXPECT_EQ(events[1].at("event"), "removal");
  // The centre of mass of all is at 0.537 and moves at 0.015. From 7.463 to 10 at a relative speed of 2.985,
  // of whose half square the pair takes 2 / 7.5 - 2 / 9.8 = 0.06, up to 0.02 of the speed: between 0.850 and
  // 0.856.
  EXPECT_NEAR(std::stod(events[0].at("time")), 0.853, 0.003);
  const auto summary = nlohmann::json::parse(read_file(folder.path / "whole/summary.json"));
  EXPECT_EQ(std::size_t(summary.at("bodies")), 2U);
  // The kinetic energy that goes is a tenth of the binary's energy; that of the integrator is far below.
  EXPECT_GE(std::abs(double(summary.at("encounters").at("energy_lost"))), 0.03);
  EXPECT_LE(std::abs(double(summary.at("energy_error"))), 1e-5);
  ASSERT_EQ(execute(request("cut", 1)), End::done);
  Request onward;
  onward.resume = folder.path / "cut", onward.resume_settings = {"time.t_end=2"};
  EXPECT_EQ(execute(onward), End::done);
  const auto again = nlohmann::json::parse(read_file(folder.path / "cut/summary.json"));
  EXPECT_EQ(again.at("state_hash"), summary.at("state_hash"));
  expect_same(folder.path / "whole", folder.path / "cut", "resumed ");
}

/// A small cluster near a galaxy, which strips it; spheres of escapes by the cluster itself.
TEST(Clusters, HaveTheSameEscapesOnThreadsAndRanksAndAfterAKill) {
  const test::Folder folder;
  for (const std::string unit : {"half-mass-radius", "tidal-radius"})
    for (const std::string reaction : {"record", "remove"}) {
      const auto place = folder.path / (unit + reaction);
      const auto request = [&](const std::string& to) {
        auto r = request_of(place / to, "hermite4-block");
        auto& o = r.options;
        o.ic.parameters = {"n=60", "half_mass_radius=0.1", "imf=equal"};
        o.ic.position = {30, 40, 0}, o.ic.velocity = {-24, 18, 0};
        o.gravity.potentials = {"point mass=1e8"};
        o.encounters.escape_radius = unit == "tidal-radius" ? 1 : 4;
        o.encounters.escape_unit = unit, o.encounters.on_escape = reaction;
        o.output.directory = (place / to).string();
        return r;
      };
      ASSERT_EQ(execute(request("whole")), End::done);
      std::size_t escapes = 0, removals = 0;
      for (const auto& row : rows_of(place / "whole/events.csv"))
        escapes += row.at("event") == "escape" ? 1 : 0, removals += row.at("event") == "removal" ? 1 : 0;
      EXPECT_GE(escapes, 3U) << unit;
      EXPECT_LE(escapes, 50U) << unit;
      EXPECT_EQ(removals, reaction == "remove" ? escapes : 0U) << unit;
      ranks::with_simulated_ranks(3, [&](ranks::Communicator& comm) {
        auto mine = request("ranks");
        mine.ranks = &comm;
        EXPECT_EQ(execute(mine), End::done);
      });
      expect_same(place / "whole", place / "ranks", unit + reaction + " ranks ");
      const auto before = threads();
      set_threads(3);
      auto threaded = request("threads");
      threaded.options.engine.threads = 3;
      EXPECT_EQ(execute(threaded), End::done);
      set_threads(before);
      expect_same(place / "whole", place / "threads", unit + reaction + " threads ");
      auto killed = request("killed");
      const std::array<const Analysis*, 1> more{&dying};
      killed.options.checkpoint.every_steps = 3, killed.more_analyses = more;
      dies_at = 10;
      EXPECT_THROW(execute(killed), std::runtime_error);
      Request onward;
      onward.resume = place / "killed";
      EXPECT_EQ(execute(onward), End::done);
      expect_same(place / "whole", place / "killed", unit + reaction + " killed ");
    }
}

/// One star, two, and three: all tables and events, with and without groups.
TEST(Clusters, OfOneTwoAndThreeStarsHaveAllTables) {
  const test::Folder folder;
  for (const int n : {1, 2, 3})
    for (const std::string groups : {"off", "regularised"}) {
      const auto to = folder.path / (std::to_string(n) + groups);
      auto request = request_of(to, "hermite4-block");
      auto& o = request.options;
      o.ic.model = "plummer", o.ic.parameters = {"n=" + std::to_string(n)};
      o.time.groups = groups;
      o.encounters.escape_radius = 4, o.encounters.escape_unit = "half-mass-radius";
      EXPECT_EQ(execute(request), End::done) << n;
      const auto cluster = rows_of(to / "cluster.csv"), shells = rows_of(to / "shells.csv");
      ASSERT_EQ(cluster.size(), 17U) << n;
      EXPECT_EQ(shells.size(), 17U * 10) << n;
      for (const auto& row : cluster) {
        EXPECT_EQ(row.at("stars"), std::to_string(n));
        EXPECT_TRUE(std::isfinite(std::stod(row.at("half_mass_radius")))) << n;
        EXPECT_EQ(row.at("core_radius"), "nan");
      }
      std::size_t pairs = 0;
      for (const auto& row : rows_of(to / "binaries.csv")) pairs += row.at("stars") == "2" ? 1 : 0;
      EXPECT_LE(pairs, n == 1 ? 0U : 17U) << n;
      EXPECT_TRUE(fs::exists(to / "events.csv"));
    }
}

TEST(Clusters, AreRefusedInABoxAndWithoutMass) {
  const test::Folder folder;
  auto request = request_of(folder.path / "run", "kdk");
  auto& o = request.options;
  o.ic = {}, o.ic.file = (folder.path / "light.csv").string();
  std::ofstream(o.ic.file) << "0 0 0 0 0 1 0\n0 1 0 0 0 0 0\n";
  o.gravity.potentials = {"point mass=1"};
  try {
    (void)execute(request);
    ADD_FAILURE() << "not refused";
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find("no body has mass"), std::string::npos) << e.what();
  }
}
