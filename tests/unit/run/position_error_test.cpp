/// A position error that is asked for is kept at the end, as a run ten times finer shows; or refused before
/// the run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "control/position_error.hpp"

#include "ranks/simulated.hpp"
#include "run/kernel.hpp"
#include "run/start.hpp"
#include "sizes.hpp"
#include "unit/run/budget_runs.hpp"
#include "unit/scratch.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/simulation.hpp>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;
using test::summary_of;

namespace {

namespace fs = std::filesystem;

Request position_request(const std::string& model, double t_end, double error, const fs::path& directory) {
  auto request = test::budget_request(model, t_end, 0, directory);
  request.options.time.position_error = error;
  return request;
}

/// Of the same bodies, with a tenth of the step that the run has chosen.
Bodies finer_end(Options options, const Options& chosen) {
  const auto start = prepare(options);
  auto method = method_of(chosen);
  if (!method.adaptive) method.dt /= 10;
  else method.eta /= method.integrator->needs_jerks ? 100 : 10;
  Simulation s(start.initial, gravity_of(options), method, {.precision = Precision::f64});
  s.run_until(options.time.t_end);
  return s.snapshot().bodies;
}

Bodies bodies_at_the_end(const fs::path& directory) {
  return load_checkpoint(directory).checkpoint.snapshot.bodies;
}

std::string refused_positions(const Request& request) {
  try {
    (void)execute(request);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(PositionError, IsThatOfTheBodyThatIsFarthestOffForItsOrbit) {
  Bodies exact;
  exact.add(10, {0, 0, 0}, {}), exact.add(1, {1, 0, 0}, {}), exact.add(1e-9, {0, 100, 0}, {});
  auto off = exact;
  EXPECT_EQ(control::position_error(off, exact).largest, 0);
  off.x[2] += 0.5, off.y[1] += 0.02;
  EXPECT_NEAR(control::position_error(off, exact).largest, 0.02, 1e-15);
  EXPECT_EQ(control::position_error(off, exact).body, 1U);
  off.z[0] += 0.03;  // of the distance of the nearest body
  EXPECT_NEAR(control::position_error(off, exact).largest, 0.03, 1e-15);
  off.x[2] = std::nan("");
  EXPECT_EQ(control::position_error(off, exact).body, 2U);
  EXPECT_TRUE(std::isinf(control::position_error(off, exact).largest));
}

struct PositionCase {
  const char *name, *model;
  std::vector<std::string> settings;
  double t_end, error;
};

class PositionErrorOf : public testing::TestWithParam<PositionCase> {};

TEST_P(PositionErrorOf, IsKeptAtTheEnd) {
  const auto& c = GetParam();
  const test::Folder folder;
  auto request = position_request(c.model, c.t_end, c.error, folder.path / "run");
  for (const auto& setting : c.settings) apply_setting(request.options, setting);
  test::NotesOfRun notes;
  request.observer = &notes;
  ASSERT_EQ(execute(request), End::done);
  const auto chosen = read_config((folder.path / "run" / "config.toml").string());
  const auto found =
      control::position_error(bodies_at_the_end(folder.path / "run"), finer_end(request.options, chosen));
  const auto told = notes.with("position error");
  std::cout << c.name << ": " << told << "; found " << found.largest << "\n";
  EXPECT_LE(found.largest, c.error) << told;
  EXPECT_NE(told.find(" asked: " + chosen.time.integrator), told.npos) << told;
  // What was predicted is no smaller than a third of what comes.
  const auto at = told.find("predicted ");
  ASSERT_NE(at, told.npos) << told;
  EXPECT_GE(std::stod(told.substr(at + 10)), found.largest / 3) << told;
}

INSTANTIATE_TEST_SUITE_P(
    Runs, PositionErrorOf,
    testing::Values(
        PositionCase{"FigureEight1e3", "figure-eight", {}, 100, 1e-3},
        PositionCase{"FigureEight1e8", "figure-eight", {}, 60, 1e-8},
        PositionCase{
            "EccentricPair1e4", "two-body", {"initial_conditions.parameters=[\"e=0.9\"]"}, 100, 1e-4},
        PositionCase{"Planets1e2", "solar-system", {}, 100, 1e-2},
        PositionCase{"Planets1e5", "solar-system", {}, 200, 1e-5},
        // To 6000 the trials are a part of the run.
        PositionCase{"PlanetsForLong1e3", "solar-system", {}, test::all_or(6000.0, 400.0), 1e-3},
        PositionCase{"FreeFall1e4", "free-fall", {}, 10, 1e-4},
        PositionCase{"Pythagorean1e3", "pythagorean", {}, 20, 1e-3},
        PositionCase{"SoftCluster1e4",
                     "plummer",
                     {"initial_conditions.parameters=[\"n=30\"]", "gravity.softening=0.1"},
                     4,
                     1e-4}),
    [](const auto& info) { return info.param.name; });

TEST(PositionErrorOfRuns, IsRefusedWhereOrbitsMeanNothing) {
  const test::Folder folder;
  auto request = position_request("plummer", 40, 1e-3, folder.path / "run");
  request.options.ic.parameters = {"n=40"}, request.options.gravity.softening = 0.02;
  const auto text = refused_positions(request);
  EXPECT_NE(text.find("no integrator keeps it until t = 40"), text.npos) << text;
  EXPECT_NE(text.find("chaotic"), text.npos) << text;
  EXPECT_NE(text.find("right to it until t ="), text.npos) << text;
  EXPECT_FALSE(fs::exists(folder.path / "run"));
}

TEST(PositionErrorOfRuns, IsRefusedWhereItIsNotOffered) {
  const test::Folder folder;
  const auto with = [&](const std::vector<std::string>& settings) {
    auto request = position_request("figure-eight", 5, 1e-3, folder.path / "run");
    for (const auto& setting : settings) apply_setting(request.options, setting);
    EXPECT_FALSE(fs::exists(folder.path / "run")) << settings.front();
    return refused_positions(request);
  };
  const std::pair<std::vector<std::string>, const char*> rows[] = {
      {{"time.energy_error=1e-6"}, "set only one of them"},
      {{"time.integrator=euler", "time.damping=0.9"}, "time.damping"},
      {{"gravity.boundary=periodic", "gravity.box=[50]"}, "open space"},
      {{"time.reverse=true"}, "time.reverse"},
      {{"time.exact_steps=true"}, "time.exact_steps"},
      {{"time.integrator=wisdom-holman"}, "on Kepler orbits"},
      {{"ensemble.count=2", "time.dt=0.01"}, "one system"},
      {{"encounters.distance=0.1"}, "[encounters]"},
      {{"initial_conditions.model=plummer", "initial_conditions.parameters=[\"n=101\"]",
        "gravity.softening=0.1"},
       "at most 100 bodies"},
      {{"time.integrator=kdk", "time.position_error=1e-13"}, "no integrator keeps it"},
  };
  for (const auto& [settings, words] : rows) {
    const auto text = with(settings);
    EXPECT_NE(text.find(words), std::string::npos) << settings.front() << ": " << text;
  }
}

TEST(PositionErrorOfRuns, TakesTheStatedIntegratorAndHasTheSameBitsOnRanksAndAfterAResume) {
  const test::Folder folder;
  const auto of = [&](const std::string& name) {
    auto request = position_request("figure-eight", 20, 1e-3, folder.path / name);
    apply_setting(request.options, "time.integrator=kdk");
    return request;
  };
  ASSERT_EQ(execute(of("whole")), End::done);
  EXPECT_EQ(read_config((folder.path / "whole" / "config.toml").string()).time.integrator, "kdk");
  ranks::with_simulated_ranks(2, [&](ranks::Communicator& comm) {
    auto request = of("ranks");
    request.ranks = &comm;
    EXPECT_EQ(execute(request), End::done);
  });
  EXPECT_EQ(summary_of(folder.path / "whole").at("state_hash"),
            summary_of(folder.path / "ranks").at("state_hash"));
  // The choice of the longer run is kept.
  Request again;
  again.resume = folder.path / "whole", again.resume_settings = {"time.t_end=21"};
  const auto dt = read_config((folder.path / "whole" / "config.toml").string()).time.dt;
  ASSERT_EQ(execute(again), End::done);
  EXPECT_EQ(read_config((folder.path / "whole" / "config.toml").string()).time.dt, dt);
}
