/// Runs with encounters: their events, mergers and removals have the same bits for any number of threads and
/// ranks, and after a stop or a kill at any step; the energy table closes.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "io/durable/durable.hpp"
#include "ranks/simulated.hpp"
#include "run/analysis.hpp"
#include "run/run.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

namespace fs = std::filesystem;

/// Ten bodies, well apart, on a sphere of radius 1 that fall together, and `others` about them; every seventh
/// of these is a test particle.
fs::path falling(const fs::path& folder, std::size_t others) {
  Snapshot s;
  const auto place = [&](double radius, double z, double angle) {
    const double r = std::sqrt(1 - z * z);
    return radius * Vec3<double>{r * std::cos(angle), r * std::sin(angle), z};
  };
  for (std::size_t i = 0; i < 10; ++i) {
    const auto x =
        place(1, -0.9 + 0.2 * double(i), 2.399963 * double(i));  // far from each other: by the golden angle
    s.bodies.add(1 + 0.1 * double(i), x, -4.0 * x);
  }
  for (std::size_t i = 10; i < 10 + others; ++i) {
    Random random(3, i);
    const double z = random.uniform(-1, 1);
    const auto x = place(3 + 0.001 * double(i), z, random.uniform(0, 6.283185307179586));
    s.bodies.add(i % 7 == 0 ? 0 : 0.01, x, -0.3 * x);
  }
  // Two that pass each other at 0.15.
  s.bodies.add(0.001, {6, 0.5, 0}, {0, -2, 0}), s.bodies.add(0.001, {6.15, -0.5, 0}, {0, 2, 0});
  for (std::size_t i = 0; i < s.bodies.size(); ++i) s.bodies.id[i] = 5 + 3 * ((17 * i) % s.bodies.size());
  const auto file = folder / ("falling" + std::to_string(others) + ".csv");
  write_snapshot(file, s, {.format = &format_named("csv")});
  return file;
}

Request request_of(const fs::path& file, const fs::path& to) {
  Request request;
  auto& o = request.options;
  o.ic.file = file.string();
  o.gravity.softening = 0.02, o.gravity.stated.softening = true;
  o.time.dt = 1.0 / 64, o.time.t_end = 32.0 / 64;
  o.engine.backend = "cpu", o.engine.kernel = "cpu/threads", o.engine.precision = "f64";
  o.output.directory = to.string();
  o.output.pictures = o.output.plots = false;
  o.output.diagnostics_interval = o.output.snapshot_interval = 4.0 / 64;
  o.encounters.distance = 0.2, o.encounters.radius = 0.05;
  o.encounters.on_collision = "merge";
  o.limits.max_energy_error = 0;
  return request;
}

void resume(const fs::path& directory, const std::string& setting = "") {
  Request onward;
  onward.resume = directory;
  if (!setting.empty()) onward.resume_settings = {setting};
  EXPECT_EQ(execute(onward), End::done);
}

nlohmann::json summary_of(const fs::path& directory) {
  return nlohmann::json::parse(read_file(directory / "summary.json"));
}
std::string hash_of(const fs::path& directory) { return summary_of(directory).at("state_hash"); }

/// The cells of a column of events.csv, of one kind of event.
std::vector<std::string> column(const fs::path& directory, const std::string& event, std::size_t which) {
  std::istringstream lines(read_file(directory / "events.csv"));
  std::vector<std::string> found;
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    if (cells.at(2) == event) found.push_back(cells.at(which));
  }
  return found;
}

void expect_same(const fs::path& a, const fs::path& b, const std::string& what) {
  EXPECT_EQ(hash_of(a), hash_of(b)) << what;
  for (const char* table : {"events.csv", "diagnostics.txt"})
    EXPECT_EQ(read_file(a / table), read_file(b / table)) << what << " " << table;
}

/// An analysis that fails after a number of steps, as if the run had been killed there.
std::uint64_t killed_at = 0;
class Killing : public Output {
 public:
  using Output::Output;
  void stepped(bool) override {
    if (run_.simulation.step() == killed_at) throw std::runtime_error("killed");
  }
};
const Analysis killing{.name = "killing", .keys = {}, .make = make_output<Killing>};

}  // namespace

TEST(EncounterRuns, MergeTenAtOnceAndCloseTheEnergyTable) {
  const test::Folder folder;
  const auto file = falling(folder.path, 30);
  EXPECT_EQ(execute(request_of(file, folder.path / "all")), End::done);
  const auto mergers = column(folder.path / "all", "merger", 1);
  ASSERT_GE(mergers.size(), 9U);
  const auto step = mergers.front();
  EXPECT_GE(std::ranges::count(mergers, step), 9) << "ten in one step";
  // The last step before, without and with the merger: all that differs is the merger.
  const auto until = [&](const std::string& name, const std::string& reaction) {
    auto request = request_of(file, folder.path / name);
    request.options.time.t_end = std::stod(step) / 64;
    request.options.encounters.on_collision = reaction;
    request.options.output.diagnostics_interval = 1.0 / 64;
    EXPECT_EQ(execute(request), End::done);
    return summary_of(folder.path / name);
  };
  const auto merged = until("merged", "merge"), apart = until("apart", "record");
  const double lost = merged.at("encounters").at("energy_lost"), energy = apart.at("energy");
  EXPECT_EQ(std::size_t(apart.at("bodies")), 42U);
  EXPECT_EQ(std::size_t(merged.at("bodies")), 42 - column(folder.path / "merged", "merger", 1).size());
  EXPECT_GT(std::abs(lost), 1e-3 * std::abs(energy));
  // Sums of 800 pairs in double precision, each at most a tenth of the whole.
  EXPECT_LE(std::abs(double(merged.at("energy")) + lost - energy), 1e-12 * std::abs(energy));
  EXPECT_LE(std::abs(double(merged.at("energy_error")) - double(apart.at("energy_error"))), 1e-12);
  // Momentum: the rows of both tables, whose numbers have nine digits.
  const auto last_row = [&](const char* name) {
    std::istringstream lines(read_file(folder.path / name / "diagnostics.txt"));
    std::string last;
    for (std::string line; std::getline(lines, line);) last = line;
    std::istringstream cells(last);
    std::vector<double> numbers;
    for (std::string cell; cells >> cell;) numbers.push_back(std::stod(cell));
    return numbers;
  };
  const auto a = last_row("merged"), b = last_row("apart");
  for (const std::size_t k : {6, 7, 8, 12, 13, 14}) EXPECT_NEAR(a.at(k), b.at(k), 1e-8);
  ASSERT_EQ(a.size(), b.size() + 2);
  EXPECT_EQ(a.at(b.size()), double(merged.at("bodies")));
  EXPECT_NEAR(a.at(b.size() + 1), lost, 1e-8 * std::abs(lost));
}

TEST(EncounterRuns, HaveTheSameBitsOnThreadsAndAfterAStopAtAnyStep) {
  const test::Folder folder;
  const auto file = falling(folder.path, 40);
  const auto whole = folder.path / "whole";
  EXPECT_EQ(execute(request_of(file, whole)), End::done);
  ASSERT_GE(column(whole, "merger", 1).size(), 9U);
  ASSERT_GE(column(whole, "approach", 1).size(), 1U);
  const auto before = threads();
  for (const int count : {1, 2, 3}) {
    auto request = request_of(file, folder.path / std::to_string(count));
    request.options.engine.threads = count;
    set_threads(count);
    EXPECT_EQ(execute(request), End::done);
    expect_same(folder.path / std::to_string(count), whole, std::to_string(count) + " threads");
  }
  set_threads(before);
  // At the step of the merger, which is at an output too, and around it.
  const std::uint64_t step = std::stoull(column(whole, "merger", 1).front());
  for (std::uint64_t k = step - 1; k <= step + 1; ++k) {
    const auto cut = folder.path / ("cut" + std::to_string(k));
    auto request = request_of(file, cut);
    request.options.time.t_end = double(k) / 64;
    EXPECT_EQ(execute(request), End::done);
    resume(cut, "time.t_end=0.5");
    EXPECT_EQ(hash_of(cut), hash_of(whole)) << k;
    EXPECT_EQ(read_file(cut / "events.csv"), read_file(whole / "events.csv")) << k;
  }
}

TEST(EncounterRuns, HaveTheSameRowsAfterAKill) {
  const test::Folder folder;
  const auto file = falling(folder.path, 40);
  const auto whole = folder.path / "whole";
  auto first = request_of(file, whole);
  first.options.output.diagnostics_interval = 1.0 / 64;
  EXPECT_EQ(execute(first), End::done);
  const std::uint64_t step = std::stoull(column(whole, "merger", 1).front());
  const std::array<const Analysis*, 1> more{&killing};
  for (const std::uint64_t every : {std::uint64_t{1}, std::uint64_t{5}, step})
    for (std::uint64_t k = step; k <= step + 2; ++k) {
      const auto to = folder.path / (std::to_string(every) + " " + std::to_string(k));
      auto request = request_of(file, to);
      request.options.output.diagnostics_interval = 1.0 / 64;
      request.options.checkpoint.every_steps = every, request.options.checkpoint.interval_seconds = 0;
      request.more_analyses = more;
      killed_at = k;
      EXPECT_THROW(execute(request), std::runtime_error);
      resume(to);
      expect_same(to, whole, to.filename().string());
    }
}

TEST(EncounterRuns, HaveTheSameBitsWithEveryIntegratorAfterAResume) {
  const test::Folder folder;
  const auto file = falling(folder.path, 20);
  for (const std::string integrator : {"kdk", "yoshida6", "hermite4", "gauss-radau", "hermite4-block"})
    for (const bool adaptive : {false, true}) {
      if (adaptive && (integrator == "yoshida6" || integrator == "hermite4-block")) continue;
      const auto name = integrator + (adaptive ? " adaptive" : "");
      const auto request = [&](const std::string& to, double end) {
        auto r = request_of(file, folder.path / to);
        r.options.time.integrator = integrator, r.options.time.adaptive = adaptive;
        r.options.time.t_end = end;
        return r;
      };
      EXPECT_EQ(execute(request(name, 0.5)), End::done);
      ASSERT_GE(column(folder.path / name, "merger", 1).size(), 5U) << name;
      EXPECT_EQ(execute(request(name + " cut", 0.25)), End::done);
      ASSERT_GE(column(folder.path / (name + " cut"), "merger", 1).size(), 5U) << name;
      resume(folder.path / (name + " cut"), "time.t_end=0.5");
      expect_same(folder.path / name, folder.path / (name + " cut"), name);
    }
}

/// Stars with steps of their own, alone and in groups, that merge inside the steps of a run.
TEST(EncounterRuns, HaveTheSameBitsInsideStepsOnThreadsAndRanksAndAfterAnyStop) {
  const test::Folder folder;
  constexpr double dt = 1.0 / 16;
  constexpr int steps = 8;
  const std::array<const Analysis*, 1> more{&killing};
  for (const std::string groups : {"off", "regularised"}) {
    const auto request = [&](const std::string& to, int made) {
      Request r;
      auto& o = r.options;
      o.ic.model = "plummer", o.ic.parameters = {"n=60"}, o.ic.seed = 3;
      o.time.integrator = "hermite4-block", o.time.groups = groups;
      o.time.dt = dt, o.time.t_end = made * dt, o.time.eta = 0.02;
      o.gravity.stated.softening = true;
      o.engine.backend = "cpu", o.engine.precision = "f64";
      o.output.directory = (folder.path / groups / to).string();
      o.output.pictures = o.output.plots = false;
      // Rows between the steps, too, of copies in which stars merge.
      o.output.diagnostics_interval = 0.7 * dt, o.output.snapshot_interval = 4 * dt;
      o.encounters.distance = 0.1, o.encounters.radius = 0.02, o.encounters.on_collision = "merge";
      o.limits.max_energy_error = 1e-3;
      return r;
    };
    fs::create_directories(folder.path / groups);
    const auto whole = folder.path / groups / "whole";
    EXPECT_EQ(execute(request("whole", steps)), End::done);
    const auto mergers = column(whole, "merger", 1);
    ASSERT_GE(mergers.size(), 2U) << groups;
    ASSERT_GE(column(whole, "approach", 1).size(), 1U) << groups;
    for (const int count : {2, 3}) {
      auto threaded = request(std::to_string(count) + "threads", steps);
      threaded.options.engine.threads = count;
      EXPECT_EQ(execute(threaded), End::done);
      expect_same(folder.path / groups / (std::to_string(count) + "threads"), whole, groups + " threads");
      const auto to = std::to_string(count) + "ranks";
      ranks::with_simulated_ranks(count, [&](ranks::Communicator& comm) {
        auto mine = request(to, steps);
        mine.ranks = &comm;
        EXPECT_EQ(execute(mine), End::done);
      });
      expect_same(folder.path / groups / to, whole, groups + " ranks");
    }
    for (int k = 1; k < steps; ++k) {
      const auto cut = folder.path / groups / ("cut" + std::to_string(k));
      EXPECT_EQ(execute(request(cut.filename().string(), k)), End::done);
      resume(cut, "time.t_end=0.5");
      EXPECT_EQ(hash_of(cut), hash_of(whole)) << groups << " " << k;
      EXPECT_EQ(read_file(cut / "events.csv"), read_file(whole / "events.csv")) << groups << " " << k;
      const auto to = folder.path / groups / ("killed" + std::to_string(k));
      auto killed = request(to.filename().string(), steps);
      killed.options.checkpoint.every_steps = 3, killed.options.checkpoint.interval_seconds = 0;
      killed.more_analyses = more;
      killed_at = std::uint64_t(k);
      EXPECT_THROW(execute(killed), std::runtime_error);
      if (k < 3) continue;  // there is no checkpoint yet
      resume(to);
      expect_same(to, whole, groups + " " + to.filename().string());
    }
  }
}

TEST(EncounterRuns, HaveTheSameBitsOnRanks) {
  const test::Folder folder;
  // Blocks of 4096 bodies: on three ranks each has one. The heavy ones are on all of them.
  Snapshot s;
  constexpr std::size_t n = 9000;
  for (std::size_t i = 0; i < n; ++i) {
    Random random(4, i);
    const auto any = [&] {
      return Vec3<double>{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    };
    const auto x = any();
    s.bodies.add(i % 300 == 17 ? 0.1 : 0, x, -1.0 * x + 0.1 * any());
    s.bodies.id[i] = 2 * ((i * 7919) % n);
  }
  const auto file = folder.path / "many.csv";
  write_snapshot(file, s, {.format = &format_named("csv")});
  for (const std::string reaction : {"merge", "remove"}) {
    const auto request = [&](const std::string& to) {
      auto r = request_of(file, folder.path / to);
      auto& o = r.options;
      o.time.t_end = 24.0 / 64, o.output.snapshot_interval = 0, o.output.diagnostics_interval = 8.0 / 64;
      o.output.snapshot_fields = {};
      o.encounters.distance = 0.03, o.encounters.radius = 0.02;
      o.encounters.on_collision = reaction;
      o.encounters.escape_radius = 1.5, o.encounters.on_escape = "remove";
      return r;
    };
    EXPECT_EQ(execute(request("one")), End::done);
    const auto changes = column(folder.path / "one", reaction == "merge" ? "merger" : "removal", 1);
    ASSERT_GE(changes.size(), 100U);
    for (const int ranks : {2, 3}) {
      const auto to = std::to_string(ranks) + reaction;
      ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& comm) {
        auto mine = request(to);
        mine.ranks = &comm;
        EXPECT_EQ(execute(mine), End::done);
      });
      expect_same(folder.path / to, folder.path / "one", to);
      EXPECT_EQ(summary_of(folder.path / to).at("bodies"), summary_of(folder.path / "one").at("bodies"));
    }
    const auto cut = folder.path / "cut";
    ranks::with_simulated_ranks(3, [&](ranks::Communicator& comm) {
      auto mine = request("cut");
      mine.ranks = &comm, mine.options.time.t_end = 16.0 / 64;
      EXPECT_EQ(execute(mine), End::done);
    });
    ranks::with_simulated_ranks(2, [&](ranks::Communicator& comm) {
      Request onward;
      onward.resume = cut, onward.resume_settings = {"time.t_end=0.375"}, onward.ranks = &comm;
      EXPECT_EQ(execute(onward), End::done);
    });
    expect_same(cut, folder.path / "one", "resumed on two of three ranks");
    fs::remove_all(folder.path / "one"), fs::remove_all(cut);
  }
}

TEST(EncounterRuns, StopWithTheirReasonAndGoOnFromThere) {
  const test::Folder folder;
  const auto file = falling(folder.path, 10);
  const auto request = [&](const std::string& to, const std::string& reaction) {
    auto r = request_of(file, folder.path / to);
    r.options.encounters.on_collision = reaction;
    r.options.time.t_end = 14.0 / 64;
    return r;
  };
  EXPECT_EQ(execute(request("whole", "record")), End::done);
  const auto collisions = column(folder.path / "whole", "collision", 1);
  ASSERT_GE(collisions.size(), 9U);
  EXPECT_EQ(execute(request("stops", "stop")), End::stopped);
  const auto summary = summary_of(folder.path / "stops");
  const std::string why = summary.at("stopped_by");
  EXPECT_EQ(std::to_string(std::uint64_t(summary.at("step"))), collisions.front());
  EXPECT_TRUE(why.starts_with("a collision of bodies ")) << why;
  EXPECT_TRUE(why.ends_with("(encounters.on_collision = \"stop\")")) << why;
  // From stop to stop to the end.
  for (int k = 0; k < 50; ++k) {
    Request onward;
    onward.resume = folder.path / "stops";
    if (execute(onward) == End::done) break;
  }
  EXPECT_EQ(hash_of(folder.path / "stops"), hash_of(folder.path / "whole"));
  EXPECT_EQ(read_file(folder.path / "stops" / "events.csv"), read_file(folder.path / "whole" / "events.csv"));
}

TEST(EncounterRuns, AbsorbTestParticlesWithoutATrace) {
  const test::Folder folder;
  Snapshot s;
  s.bodies.add(1, {0, 0, 0}, {0, 0, 0});
  // Two test particles meet each other at 2, and the third falls into the body with mass.
  s.bodies.add(0, {2, -0.1, 0}, {0, 1, 0}), s.bodies.add(0, {2, 0.1, 0}, {0, -1, 0});
  s.bodies.add(0, {0.5, 0, 0}, {-1, 0, 0});
  const auto file = folder.path / "four.csv";
  write_snapshot(file, s, {.format = &format_named("csv")});
  auto request = request_of(file, folder.path / "run");
  request.options.output.trajectory_ids = {0, 3};
  EXPECT_EQ(execute(request), End::done);
  EXPECT_EQ(column(folder.path / "run", "merger", 3), std::vector<std::string>{"0"});
  EXPECT_EQ(column(folder.path / "run", "merger", 4), std::vector<std::string>{"3"});
  EXPECT_TRUE(column(folder.path / "run", "approach", 3).empty());
  const auto summary = summary_of(folder.path / "run");
  EXPECT_EQ(std::size_t(summary.at("bodies")), 3U);
  EXPECT_EQ(double(summary.at("encounters").at("energy_lost")), 0);
  EXPECT_EQ(std::size_t(summary.at("massless_bodies").at("bodies")), 2U);
  // The two others have kept theirs: a change that is small against the steps of this orbit.
  EXPECT_LE(double(summary.at("massless_bodies").at("energy_change").at("largest")), 1e-2);
}

TEST(EncounterRuns, RemoveEscapersAndKeepABodyThatPulls) {
  const test::Folder folder;
  Snapshot s;
  s.bodies.add(1, {-0.5, 0, 0}, {0, 0.7, 0}), s.bodies.add(1, {0.5, 0, 0}, {0, -0.7, 0});
  s.bodies.add(0.01, {3, 0, 0}, {9, 0, 0}), s.bodies.add(0, {0, 3, 0}, {0, 9, 0});
  const auto file = folder.path / "four.csv";
  write_snapshot(file, s, {.format = &format_named("csv")});
  auto request = request_of(file, folder.path / "run");
  auto& e = request.options.encounters;
  e = {};
  e.escape_radius = 5, e.on_escape = "remove";
  request.options.output.diagnostics_interval = 1.0 / 64;
  EXPECT_EQ(execute(request), End::done);
  auto escaped = column(folder.path / "run", "escape", 3);
  std::ranges::sort(escaped);  // they are in the order of their times
  EXPECT_EQ(escaped, (std::vector<std::string>{"2", "3"}));
  EXPECT_EQ(column(folder.path / "run", "removal", 3), (std::vector<std::string>{"2", "3"}));
  const auto summary = summary_of(folder.path / "run");
  EXPECT_EQ(std::size_t(summary.at("bodies")), 2U);
  // The body had 0.4 of energy, of a total of -0.1; steps of 1/64 of orbits of 3 have errors of some 1e-4.
  EXPECT_LE(std::abs(double(summary.at("largest_energy_error"))), 1e-2);
  EXPECT_GT(double(summary.at("encounters").at("energy_lost")), 0.3);
  // All bodies leave: then the run stops, and none is taken away.
  Snapshot apart;
  apart.bodies.add(1, {-1, 0, 0}, {-9, 0, 0}), apart.bodies.add(1, {1, 0, 0}, {9, 0, 0});
  const auto both = folder.path / "two.csv";
  write_snapshot(both, apart, {.format = &format_named("csv")});
  auto last = request_of(both, folder.path / "last");
  last.options.encounters = e;
  EXPECT_EQ(execute(last), End::stopped);
  const auto end = summary_of(folder.path / "last");
  EXPECT_TRUE(std::string(end.at("stopped_by")).starts_with("the escape of all bodies with mass")) << end;
  EXPECT_EQ(std::size_t(end.at("bodies")), 2U);
}

TEST(EncounterRuns, CloseTheEnergyTableWithTreesAsTheForcesAllow) {
  const test::Folder folder;
  const auto file = falling(folder.path, 400);
  auto request = request_of(file, folder.path / "tree");
  auto& o = request.options;
  o.engine.kernel = "auto", o.engine.precision = "mixed";
  o.solver.method = "fmm", o.solver.accuracy = 1e-4;
  EXPECT_EQ(execute(request), End::done);
  EXPECT_GE(column(folder.path / "tree", "merger", 1).size(), 9U);
  auto direct = request_of(file, folder.path / "direct");
  EXPECT_EQ(execute(direct), End::done);
  const auto a = summary_of(folder.path / "tree"), b = summary_of(folder.path / "direct");
  EXPECT_NEAR(double(a.at("energy_error")), double(b.at("energy_error")), 1e-3);
}

TEST(EncounterRuns, RefuseWhatTheyCannotHave) {
  const test::Folder folder;
  const auto file = falling(folder.path, 0);
  const auto why = [&](const auto& change) {
    auto request = request_of(file, folder.path / "refused");
    change(request.options);
    return test::message_of<UsageError>([&] { check(request); });
  };
  EXPECT_EQ(why([](Options&) {}), "");
  EXPECT_EQ(why([](Options& o) { o.encounters.radii = {"6=0.1"}; }),
            "encounters.radii: there is no body with id 6; ids go from 5 to 38");
  EXPECT_NE(why([](Options& o) { o.encounters.radii = {"6:0.1"}; }).find("must be \"ID=RADIUS\""),
            std::string::npos);
  EXPECT_NE(why([](Options& o) {
              o.encounters.radii = {"5=1", "5=2"};
            }).find("has body 5 twice"),
            std::string::npos);
  EXPECT_NE(why([](Options& o) { o.encounters.density = 1; }).find("set only one of them"),
            std::string::npos);
  EXPECT_NE(
      why([](Options& o) { o.encounters.radius = 0; }).find("needs encounters.radius, density or radii"),
      std::string::npos);
  EXPECT_NE(why([](Options& o) { o.encounters.on_escape = "remove"; }).find("needs encounters.escape_radius"),
            std::string::npos);
  EXPECT_NE(
      why([](Options& o) { o.gravity.boundary = "periodic", o.gravity.box = {9}; }).find("need open space"),
      std::string::npos);
  EXPECT_NE(why([](Options& o) { o.gravity.forces = {"gas-drag linear=1"}; }).find("gravity.forces"),
            std::string::npos);
  EXPECT_NE(why([](Options& o) { o.gravity.potentials = {"hill omega=1"}; }).find("'hill'"),
            std::string::npos);
  for (const auto& spline : {false, true})
    EXPECT_NE(why([&](Options& o) {
                o.gravity.softening = 0.1;
                if (spline) o.gravity.softening_kernel = "spline";
                else o.gravity.softening_by_type = {"star=0.2"};
              }).find("one Plummer softening"),
              std::string::npos);
  EXPECT_EQ(why([](Options& o) { o.gravity.softening = 0.1, o.gravity.softening_by_type = {"star=0.1"}; }),
            "");
  EXPECT_NE(why([](Options& o) { o.ensemble.count = 2; }).find("runs of one system"), std::string::npos);
  EXPECT_NE(why([](Options& o) { o.time.integrator = "block-kdk"; }).find("use hermite4-block"),
            std::string::npos);
  EXPECT_EQ(why([](Options& o) { o.time.integrator = "hermite4-block"; }), "");
  EXPECT_NE(why([](Options& o) {
              o.gravity.softening = 0;
              o.time.integrator = "hermite4-block", o.time.groups = "regularised";
              o.encounters.on_collision = "remove";
            }).find("vanishes from a regularised group"),
            std::string::npos);
}
