/// Block time steps under an energy error that is asked for: chosen where they pay, alone where they are
/// stated, and made again with half of all steps where they must be.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/config/config.hpp"
#include "io/durable/durable.hpp"
#include "ranks/simulated.hpp"
#include "run/energy_watch.hpp"
#include "run/run.hpp"
#include "run/stop.hpp"
#include "unit/run/budget_runs.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;
using test::budget_request;
using test::need_kept;
using test::summary_of;

namespace {

namespace fs = std::filesystem;

/// A Plummer cluster of an eighth of the mass, fifty times smaller, on a circle in a Hernquist halo.
void write_cluster_in_halo(const fs::path& file, double n) {
  auto s = model("hernquist", {{"n", 7 * n / 8}, {"mass", 0.875}, {"cut", 10}});
  const auto cluster = model("plummer", {{"n", n / 8}}, 2).bodies;
  const double length = 1.0 / 30, velocity = std::sqrt(0.125 / length);
  for (std::size_t i = 0; i < cluster.size(); ++i)
    s.bodies.add(0.125 * cluster.mass[i], length * cluster.position(i) + Vec3<double>{1, 0, 0},
                 velocity * cluster.velocity(i) + Vec3<double>{0, std::sqrt(0.875 / 4), 0});
  for (std::size_t i = 0; i < s.bodies.size(); ++i) s.bodies.id[i] = i;
  write(s, file);
}

Request cluster_in_halo(const test::Folder& folder, const char* name, double budget = 1e-3) {
  const auto file = folder.path / "halo.hdf5";
  if (!fs::exists(file)) write_cluster_in_halo(file, 1000);
  auto request = budget_request("", 0.25, budget, folder.path / name);
  request.options.ic.file = file.string(), request.options.gravity.softening = 0.002;
  return request;
}

/// Bodies at rest, which fall together: no trial at the start sees how dense they become.
Request collapse(const fs::path& directory) {
  auto request = budget_request("cold-sphere", 2, 1e-3, directory);
  request.options.ic.parameters = {"n=200"}, request.options.gravity.softening = 0.05;
  request.options.time.integrator = "block-kdk";
  return request;
}

double interactions_of(const fs::path& directory) {
  const auto summary = summary_of(directory);
  return double(summary.at("interactions_per_second")) * double(summary.at("spent").at("steps"));
}

std::string chosen_in(const fs::path& directory) {
  return read_config((directory / "config.toml").string()).time.integrator;
}

}  // namespace

// Pairs, whose evaluations make up the time of the steps: those of the whole run, both ways.
TEST(BlockDial, TakesBlocksWhereTheyCostLess) {
  const test::Folder folder;
  auto request = cluster_in_halo(folder, "any");
  test::NotesOfRun notes;
  request.observer = &notes;
  ASSERT_EQ(execute(request), End::done);
  need_kept(folder.path / "any", 1e-3);
  EXPECT_EQ(chosen_in(folder.path / "any"), "block-kdk");
  const auto first = notes.with("asked: block-kdk");
  EXPECT_NE(first.find("blocks of "), first.npos) << first;
  EXPECT_NE(first.find("times cheaper than shared steps"), first.npos) << first;
  // The energies that are looked at after each longest step are those of all pairs.
  const double looks = summary_of(folder.path / "any").at("step"),
               made = interactions_of(folder.path / "any") + looks * 1e6;
  for (const char* shared : {"kdk", "blanes-moan4"}) {
    auto other = cluster_in_halo(folder, shared);
    other.options.time.integrator = shared, other.options.time.stated.integrator = true;
    ASSERT_EQ(execute(other), End::done);
    const double of_shared = interactions_of(folder.path / shared);
    std::cout << shared << ": " << of_shared / made << " times the interactions of blocks\n";
    EXPECT_LE(made, of_shared) << shared;
  }
}

TEST(BlockDial, TakesSharedStepsWhereAllBodiesNeedNearlyTheSame) {
  const test::Folder folder;
  auto request = budget_request("plummer", 2, 1e-4, folder.path / "run");
  request.options.ic.parameters = {"n=300"}, request.options.gravity.softening = 0.1;
  struct Trials : test::NotesOfRun {
    std::string tried;
    void tuning(const std::string& what, bool) override { tried += what + "\n"; }
  } trials;
  request.observer = &trials;
  ASSERT_EQ(execute(request), End::done);
  need_kept(folder.path / "run", 1e-4);
  EXPECT_NE(chosen_in(folder.path / "run"), "block-kdk");
  EXPECT_NE(trials.with("asked: ").find("block steps were not tried"), std::string::npos);
  EXPECT_NE(trials.tried.find("kdk: a coarse trial"), std::string::npos) << trials.tried;
  EXPECT_EQ(trials.tried.find("block-kdk"), std::string::npos) << trials.tried;
}

// In a short run the longest step is short, and for a large error all bodies have it: shared steps.
TEST(BlockDial, TakesNoBlocksOfOneLevel) {
  const test::Folder folder;
  auto request = cluster_in_halo(folder, "run", 0.1);
  request.options.time.t_end = 0.1;
  test::NotesOfRun notes;
  request.observer = &notes;
  ASSERT_EQ(execute(request), End::done);
  need_kept(folder.path / "run", 0.1);
  EXPECT_EQ(chosen_in(folder.path / "run"), "kdk") << notes.with("asked: ");
}

TEST(BlockDial, SearchesTheSettingsOfBlocksWhereTheseAreStated) {
  const test::Folder folder;
  // Where shared steps would be as fast, and without a softening, by pairs.
  for (const double eps : {0.1, 0.0}) {
    const auto directory = folder.path / std::to_string(eps);
    auto request = budget_request("plummer", 0.5, 1e-4, directory);
    request.options.ic.parameters = {"n=50"}, request.options.gravity.softening = eps;
    request.options.time.integrator = "block-kdk";
    ASSERT_EQ(execute(request), End::done);
    need_kept(directory, 1e-4);
    EXPECT_EQ(chosen_in(directory), "block-kdk");
  }
  auto longest = budget_request("plummer", 0.5, 1e-3, folder.path / "longest");
  longest.options.ic.parameters = {"n=50"}, longest.options.gravity.softening = 0.1;
  longest.options.time.integrator = "block-kdk", longest.options.time.dt = 1e-3;
  ASSERT_EQ(execute(longest), End::done);
  EXPECT_LE(read_config((folder.path / "longest" / "config.toml").string()).time.dt, 1e-3);
  auto others = longest;
  others.options.output.directory = (folder.path / "others").string();
  others.options.time.integrator = "hermite4-block";
  const auto why = test::message_of<UsageError>([&] { (void)execute(others); });
  EXPECT_NE(why.find("or those of block-kdk"), why.npos) << why;
}

TEST(BlockDial, HasTheSameBitsOnRanksAndAfterAStopInTheMiddleOfARollBack) {
  const test::Folder folder;
  test::NotesOfRun notes;
  auto whole = collapse(folder.path / "whole");
  whole.observer = &notes;
  ASSERT_EQ(execute(whole), End::done);
  need_kept(folder.path / "whole", 1e-3);
  const auto summary = summary_of(folder.path / "whole");
  EXPECT_GE(summary.at("energy_budget").at("rollbacks"), 1);
  EXPECT_NE(notes.with("roll-back 1").find(" and eta = "), std::string::npos) << notes.with("roll-back 1");

  struct StopAtRollBack : Observer {
    void note(const std::string& text) override {
      if (text.find("roll-back 1") != text.npos) SignalWatch::pass_on(SIGTERM);
    }
  } stop;
  auto stopped = collapse(folder.path / "stopped");
  stopped.observer = &stop;
  ASSERT_EQ(execute(stopped), End::stopped);
  Request again;
  again.resume = folder.path / "stopped";
  ASSERT_EQ(execute(again), End::done);
  ranks::with_simulated_ranks(3, [&](ranks::Communicator& comm) {
    auto request = collapse(folder.path / "ranks");
    request.ranks = &comm;
    EXPECT_EQ(execute(request), End::done);
  });
  for (const char* other : {"stopped", "ranks"}) {
    const auto theirs = summary_of(folder.path / other);
    EXPECT_EQ(summary.at("state_hash"), theirs.at("state_hash")) << other;
    EXPECT_EQ(summary.at("energy_budget"), theirs.at("energy_budget")) << other;
    EXPECT_EQ(read_file(folder.path / "whole" / "diagnostics.txt"),
              read_file(folder.path / other / "diagnostics.txt"))
        << other;
  }
}

// Half of the longest step, and the parameter that halves each step of a body.
TEST(BlockDial, HalvesAllSteps) {
  Snapshot start;
  start.bodies.add(1, {-1, 0, 0}, {0, -0.3, 0}), start.bodies.add(1, {1, 0, 0}, {0, 0.3, 0});
  for (const double eps : {0.1, 0.0}) {
    const Method method{.integrator = &integrator_named("block-kdk"),
                        .dt = 0.01,
                        .adaptive = true,
                        .eta = 0.04,
                        .equal_steps = true};
    Simulation s(start, {.softening = {eps}}, method, {.precision = Precision::f64});
    EnergyWatch watch({.budget = 1e-6, .start = 0, .end = 1, .interval = 0.1, .span = 0.05, .longest = 0.01});
    watch.begin(s, 0, 0.1);
    EXPECT_FALSE(watch.look(1e-3, false));
    const auto half = watch.again(method, 1).method;
    EXPECT_EQ(half.dt, 0.005);
    EXPECT_EQ(half.eta, eps > 0 ? 0.01 : 0.02);
    EXPECT_TRUE(watch.look(1e-12, true));
    EXPECT_FALSE(watch.accept(half));
    watch.begin(s, 0, 0.1);
    EXPECT_TRUE(watch.look(1e-12, true));
    const auto longer = watch.accept(half);
    ASSERT_TRUE(longer);
    EXPECT_EQ(longer->dt, 0.01);
    EXPECT_EQ(longer->eta, 0.04);
  }
}

// The first note of a run with block steps that are stated.
TEST(BlockDial, TellsWhatStatedBlocksGain) {
  const test::Folder folder;
  const auto note_of = [&](const char* model, double eps, double dt) {
    auto request = budget_request(model, dt, 0, folder.path / model);
    request.options.ic.parameters = {"n=1000"}, request.options.gravity.softening = eps;
    request.options.time.integrator = "block-kdk", request.options.time.dt = dt;
    test::NotesOfRun notes;
    request.observer = &notes;
    EXPECT_EQ(execute(request), End::done);
    return notes.with("blocks of ");
  };
  const auto cusp = note_of("hernquist", 0.004, 0.125), soft = note_of("plummer", 0.3, 0.03125);
  EXPECT_EQ(cusp.find("would be as fast"), cusp.npos) << cusp;
  EXPECT_NE(cusp.find("times cheaper than shared steps"), cusp.npos) << cusp;
  EXPECT_NE(soft.find("kdk with dt = "), soft.npos) << soft;
}
