/// An energy error that is asked for is kept: the choice of the integration, its watch, and the way back.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/config/config.hpp"
#include "io/durable/durable.hpp"
#include "ranks/simulated.hpp"
#include "run/energy_watch.hpp"
#include "run/observer.hpp"
#include "run/run.hpp"
#include "run/stop.hpp"
#include "unit/run/budget_runs.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;
using test::budget_request;
using test::need_kept;
using test::summary_of;

namespace {

namespace fs = std::filesystem;

Request plummer(const fs::path& directory, double budget = 1e-6) {
  auto request = budget_request("plummer", 1, budget, directory);
  request.options.ic.parameters = {"n=100"}, request.options.gravity.softening = 0.1;
  return request;
}
/// Bodies at rest, which fall together: no trial at the start sees how dense they become.
Request collapse(const fs::path& directory, double budget = 1e-4) {
  auto request = budget_request("cold-sphere", 2, budget, directory);
  request.options.ic.parameters = {"n=64"}, request.options.gravity.softening = 0.05;
  request.options.time.integrator = "forest-ruth";  // Gauss-Radau shortens its steps by itself
  return request;
}

/// Stops a run at the note of its first roll-back, as a signal does.
struct StopAtRollBack : Observer {
  int count = 0;
  void note(const std::string& text) override {
    if (text.find("roll-back") != text.npos && ++count == 1) SignalWatch::pass_on(SIGTERM);
  }
};

std::string refusal(const Request& request) {
  try {
    (void)execute(request);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(EnergyBudget, IsKeptInEveryRow) {
  const test::Folder folder;
  for (const double budget : {1e-3, 1e-6, 1e-9}) {
    const auto directory = folder.path / fmt::format("{:g}", budget);
    ASSERT_EQ(execute(plummer(directory, budget)), End::done);
    need_kept(directory, budget);
    // It is not wasted: the step is not ten times shorter than it must be. Gauss-Radau's errors are rounding.
    const auto config = read_file(directory / "config.toml");
    if (config.find("gauss-radau") == config.npos) {
      EXPECT_GE(double(summary_of(directory).at("energy_budget").at("worst")), 1e-3 * budget) << config;
    }
  }
}

TEST(EnergyBudget, IsKeptWhereTheTrialsAreBlind) {
  const test::Folder folder;
  ASSERT_EQ(execute(collapse(folder.path / "run")), End::done);
  need_kept(folder.path / "run", 1e-4);
  EXPECT_GE(summary_of(folder.path / "run").at("energy_budget").at("rollbacks"), 1);
}

TEST(EnergyBudget, IsKeptInCloseEncounters) {
  const test::Folder folder;
  ASSERT_EQ(execute(budget_request("pythagorean", 20, 1e-6, folder.path / "run")), End::done);
  need_kept(folder.path / "run", 1e-6);
}

TEST(EnergyBudget, PerTimeIsThatTimesTheLength) {
  const test::Folder folder;
  auto whole = plummer(folder.path / "whole", 4e-6), per_time = plummer(folder.path / "rate", 0);
  whole.options.time.t_end = per_time.options.time.t_end = 2;
  per_time.options.time.energy_error_rate = 2e-6;
  execute(whole), execute(per_time);
  EXPECT_EQ(summary_of(folder.path / "whole").at("state_hash"),
            summary_of(folder.path / "rate").at("state_hash"));
}

TEST(EnergyBudget, HasTheSameBitsOnAnyNumberOfThreadsAndRanks) {
  const test::Folder folder;
  std::vector<std::string> tables;
  const auto finished = [&](const fs::path& directory) {
    tables.push_back(std::string(summary_of(directory).at("state_hash")) +
                     read_file(directory / "diagnostics.txt"));
  };
  for (const int threads : {1, 2}) {
    auto request = collapse(folder.path / std::to_string(threads));
    request.options.engine.threads = threads;
    execute(request), finished(folder.path / std::to_string(threads));
  }
  ranks::with_simulated_ranks(3, [&](ranks::Communicator& comm) {
    auto request = collapse(folder.path / "ranks");
    request.ranks = &comm;
    EXPECT_EQ(execute(request), End::done);
  });
  finished(folder.path / "ranks");
  EXPECT_EQ(tables[0], tables[1]);
  EXPECT_EQ(tables[0], tables[2]);
}

TEST(EnergyBudget, HasThemAfterAStopInTheMiddleOfARollBack) {
  const test::Folder folder;
  execute(collapse(folder.path / "whole"));
  const auto directory = folder.path / "stopped";
  auto request = collapse(directory);
  StopAtRollBack observer;
  request.observer = &observer;
  ASSERT_EQ(execute(request), End::stopped);
  EXPECT_EQ(observer.count, 1);
  Request again;
  again.resume = directory;
  ASSERT_EQ(execute(again), End::done);
  const auto whole = summary_of(folder.path / "whole"), resumed = summary_of(directory);
  EXPECT_EQ(whole.at("state_hash"), resumed.at("state_hash"));
  EXPECT_EQ(whole.at("energy_budget"), resumed.at("energy_budget"));
  EXPECT_EQ(read_file(folder.path / "whole" / "diagnostics.txt"), read_file(directory / "diagnostics.txt"));
  again.resume_settings = {"time.t_end=3"};
  EXPECT_NE(refusal(again).find("asked for until 2"), std::string::npos) << refusal(again);
}

TEST(EnergyBudget, IsRefusedWhereThereIsNone) {
  const test::Folder folder;
  int number = 0;
  const auto with = [&](const std::vector<std::string>& settings) {
    auto request = plummer(folder.path / std::to_string(++number));
    for (const auto& setting : settings) apply_setting(request.options, setting);
    EXPECT_FALSE(fs::exists(request.options.output.directory));
    return refusal(request);
  };
  const std::pair<std::vector<std::string>, const char*> rows[] = {
      {{"time.integrator=euler", "time.damping=0.9"}, "time.damping"},
      {{"gravity.boundary=periodic", "gravity.box=[50]"}, "open space"},
      {{"time.adaptive=true"}, "leave out time.adaptive"},
      {{"time.reverse=true"}, "time.reverse"},
      {{"time.exact_steps=true"}, "time.exact_steps"},
      {{"time.integrator=wisdom-holman"}, "on Kepler orbits"},
      {{"ensemble.count=2", "time.dt=0.01"}, "one system"},
      {{"encounters.distance=0.1"}, "[encounters]"},
      {{"output.trajectory_ids=[1]"}, "output.trajectory_ids"},
      {{"time.energy_error_rate=1"}, "only one of them"},
      {{"gravity.potentials=[\"bar mass=1 length=1 width=0.5 height=0.3 omega=2\", \"plummer mass=1 scale=1 "
        "rise_from=0 rise_to=1\"]"},
       "needs an energy that is kept"},
      {{"time.energy_error=1e-18"}, "no integrator keeps it"},
  };
  for (const auto& [settings, words] : rows) {
    const auto text = with(settings);
    EXPECT_NE(text.find(words), std::string::npos) << settings.front() << ": " << text;
  }
  // A dry run refuses the law, too.
  auto dry = plummer(folder.path / "dry");
  dry.options.gravity.potentials = {"plummer mass=1 scale=1 rise_from=0 rise_to=1"};
  EXPECT_THROW((void)forecast(dry), UsageError);
}

TEST(EnergyBudget, TakesTheIntegratorThatIsNamed) {
  const test::Folder folder;
  auto request = plummer(folder.path / "run");
  request.options.time.integrator = "forest-ruth", request.options.time.dt = 1e-3;
  execute(request);
  const auto config = read_file(folder.path / "run" / "config.toml");
  EXPECT_NE(config.find("integrator = \"forest-ruth\""), std::string::npos) << config;
  EXPECT_LE(read_config((folder.path / "run" / "config.toml").string()).time.dt, 1e-3);
}

// Errors that grow by what the law allows at each interval stay below the budget; a larger one is made again.
TEST(EnergyWatch, AllowsErrorsThatStayBelowTheBudget) {
  Snapshot start;
  start.bodies.add(1, {-1, 0, 0}, {0, -0.3, 0}), start.bodies.add(1, {1, 0, 0}, {0, 0.3, 0});
  const Method method{
      .integrator = &integrator_named("kdk"), .dt = 0.01, .adaptive = true, .equal_steps = true};
  Simulation s(start, {}, method, {.precision = Precision::f64});
  EnergyWatch watch({.budget = 1, .start = 0, .end = 1, .interval = 0.01, .span = 10, .longest = 1});
  double error = 0;
  for (int k = 0; k < 100; ++k) {
    watch.begin(s, error, (k + 1) * 0.01);
    // The largest error that is allowed, to ten digits.
    double low = error, high = 2;
    for (int i = 0; i < 40; ++i) {
      auto copy = watch;
      const double middle = (low + high) / 2;
      (copy.look(middle, true) ? low : high) = middle;
    }
    EXPECT_GT(low, error) << k;
    error = low;
    EXPECT_TRUE(watch.look(error, true));
    (void)watch.accept(method);
    EXPECT_LE(error, 0.5 + 0.5 * (k + 1) * 0.01 + 1e-9) << k;
    s.run_until((k + 1) * 0.01);
  }
  EXPECT_LE(watch.worst(), 1);
  EXPECT_GE(watch.worst(), 0.9);
}

TEST(EnergyWatch, HalvesTheStepAndSaysWhereThatDoesNotHelp) {
  Snapshot start;
  start.bodies.add(1, {-1, 0, 0}, {0, -0.3, 0}), start.bodies.add(1, {1, 0, 0}, {0, 0.3, 0});
  Method method{.integrator = &integrator_named("kdk"), .dt = 0.01, .adaptive = true, .equal_steps = true};
  Simulation s(start, {}, method, {.precision = Precision::f64});
  EnergyWatch watch({.budget = 1e-6, .start = 0, .end = 1, .interval = 0.1, .span = 0.2, .longest = 0.02});
  watch.begin(s, 0, 0.1);
  EXPECT_FALSE(watch.look(1e-3, false));
  method = watch.again(method, 1).method;
  EXPECT_EQ(method.dt, 0.005);
  EXPECT_TRUE(watch.look(2.5e-4, false));  // it is made whole
  EXPECT_FALSE(watch.look(1e-6, true));
  method = watch.again(method, 2).method;
  EXPECT_TRUE(watch.look(1e-7, true));
  (void)watch.accept(method);
  EXPECT_EQ(watch.redone(), 2U);
  // Rounding: shorter steps have the same error.
  watch.begin(s, 1e-7, 0.2);
  for (int k = 0; k < 3; ++k) {
    EXPECT_FALSE(watch.look(3e-6, true)) << k;
    method = watch.again(method, 1).method;
  }
  EXPECT_FALSE(watch.look(3e-6, true));
  EXPECT_THROW(watch.again(method, 1), NumericalError);
  // NaN is no error that is kept.
  EnergyWatch other({.budget = 1e-6, .start = 0, .end = 1, .interval = 0.1, .span = 0.2, .longest = 0.02});
  other.begin(s, 0, 0.1);
  EXPECT_FALSE(other.look(std::numeric_limits<double>::quiet_NaN(), true));
}

TEST(EnergyWatch, LengthensTheStepAfterAQuietSpanAndWaitsLongerWhenThatWasWrong) {
  Snapshot start;
  start.bodies.add(1, {-1, 0, 0}, {0, -0.3, 0}), start.bodies.add(1, {1, 0, 0}, {0, 0.3, 0});
  Method method{.integrator = &integrator_named("kdk"), .dt = 0.001, .adaptive = true, .equal_steps = true};
  Simulation s(start, {}, method, {.precision = Precision::f64});
  EnergyWatch watch({.budget = 1e-6, .start = 0, .end = 10, .interval = 0.1, .span = 0.25, .longest = 0.01});
  const auto quiet_intervals = [&] {
    for (int k = 1; k < 20; ++k) {
      watch.begin(s, 0, s.time() + 0.1);
      EXPECT_TRUE(watch.look(1e-12, true));
      if (const auto longer = watch.accept(method)) {
        EXPECT_EQ(longer->dt, 2 * method.dt);
        return k;
      }
    }
    return 0;
  };
  EXPECT_EQ(quiet_intervals(), 3);
  watch.begin(s, 0, s.time() + 0.1);
  EXPECT_FALSE(watch.look(1e-3, false));
  (void)watch.again(method, 1);
  EXPECT_TRUE(watch.look(1e-12, true));
  (void)watch.accept(method);
  EXPECT_EQ(quiet_intervals(), 5);  // twice as long
}

// From a pericentre on the error is large everywhere else: where it becomes smaller the step is needed, too.
TEST(EnergyWatch, TakesAnErrorThatBecomesSmallerForNoQuietTime) {
  Snapshot start;
  start.bodies.add(1, {-1, 0, 0}, {0, -0.3, 0}), start.bodies.add(1, {1, 0, 0}, {0, 0.3, 0});
  const Method method{
      .integrator = &integrator_named("kdk"), .dt = 0.001, .adaptive = true, .equal_steps = true};
  Simulation s(start, {}, method, {.precision = Precision::f64});
  EnergyWatch watch({.budget = 1e-6, .start = 0, .end = 10, .interval = 0.1, .span = 0.25, .longest = 0.01});
  for (int k = 0; k < 20; ++k) {
    watch.begin(s, 2e-7, s.time() + 0.1);
    EXPECT_TRUE(watch.look(-1e-9, false));
    EXPECT_TRUE(watch.look(2e-7, true));
    EXPECT_FALSE(watch.accept(method)) << k;
  }
}

// The runs that a user may ask this of, at small cost: planets, few bodies, clusters softened and not,
// galaxies. The energies of the run itself are the judge.
struct BudgetCase {
  const char *name, *model;
  std::vector<std::string> settings;
  double t_end, budget;
  std::vector<std::string> integrators;  ///< one of which is chosen; empty: any
};

class EnergyBudgetOf : public testing::TestWithParam<BudgetCase> {};

TEST_P(EnergyBudgetOf, IsKept) {
  const auto& c = GetParam();
  const test::Folder folder;
  auto request = budget_request(c.model, c.t_end, c.budget, folder.path / "run");
  for (const auto& setting : c.settings) apply_setting(request.options, setting);
  ASSERT_EQ(execute(request), End::done);
  need_kept(folder.path / "run", c.budget);
  const auto chosen = read_config((folder.path / "run" / "config.toml").string()).time.integrator;
  const auto budget = summary_of(folder.path / "run").at("energy_budget").dump();
  std::cout << c.name << ": " << chosen << ", " << budget << "\n";
  if (!c.integrators.empty()) {
    EXPECT_TRUE(std::ranges::find(c.integrators, chosen) != c.integrators.end()) << chosen;
  }
}

const std::vector<std::string> n100_soft{"initial_conditions.parameters=[\"n=100\"]",
                                         "gravity.softening=0.05"};
const std::vector<std::string> n100_points{"initial_conditions.parameters=[\"n=100\"]",
                                           "gravity.softening=0"};

INSTANTIATE_TEST_SUITE_P(
    Runs, EnergyBudgetOf,
    testing::Values(
        BudgetCase{"FigureEight1e3", "figure-eight", {}, 1200, 1e-3, {}},
        BudgetCase{"FigureEight1e6", "figure-eight", {}, 600, 1e-6, {}},
        BudgetCase{"FigureEight1e9", "figure-eight", {}, 300, 1e-9, {}},
        BudgetCase{
            "EccentricPair1e3", "two-body", {"initial_conditions.parameters=[\"e=0.9\"]"}, 200, 1e-3, {}},
        BudgetCase{
            "EccentricPair1e9", "two-body", {"initial_conditions.parameters=[\"e=0.9\"]"}, 200, 1e-9, {}},
        BudgetCase{"Planets1e6", "solar-system", {}, 600, 1e-6, {}},
        BudgetCase{"Planets1e9", "solar-system", {}, 200, 1e-9, {}},
        BudgetCase{"Pythagorean1e3", "pythagorean", {}, 70, 1e-3, {"hermite4", "gauss-radau"}},
        BudgetCase{"FreeFall1e6", "free-fall", {}, 10, 1e-6, {"hermite4", "gauss-radau"}},
        BudgetCase{"SoftCluster1e3", "plummer", n100_soft, 10, 1e-3, {}},
        BudgetCase{"SoftCluster1e6", "plummer", n100_soft, 5, 1e-6, {}},
        BudgetCase{"SoftCluster1e9", "plummer", n100_soft, 2, 1e-9, {}},
        BudgetCase{"Points1e6", "plummer", n100_points, 1, 1e-6, {"hermite4", "gauss-radau"}},
        BudgetCase{"Collapse1e3", "cold-sphere", n100_soft, 4, 1e-3, {}},
        BudgetCase{"Collapse1e6", "cold-sphere", n100_soft, 3, 1e-6, {}},
        BudgetCase{"Hernquist1e4", "hernquist", n100_soft, 5, 1e-4, {}},
        BudgetCase{"Encounter1e4",
                   "encounter",
                   {"initial_conditions.parameters=[\"n=400\"]", "gravity.softening=0.5"},
                   0.3,
                   1e-4,
                   {}},
        BudgetCase{"Galaxy1e4",
                   "galaxy",
                   {"initial_conditions.parameters=[\"n=400\"]", "gravity.softening=0.2"},
                   0.2,
                   1e-4,
                   {}}),
    [](const auto& info) { return info.param.name; });
