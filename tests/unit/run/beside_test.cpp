/// Work on copies of the state while the steps go on: each copy is of one moment, nothing follows a failure,
/// and neither outputs nor checkpoints change the run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/copies.hpp"
#include "run/run.hpp"
#include "run/start.hpp"
#include "unit/run/plummer.hpp"
#include "unit/scratch.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/error.hpp>

#include <latch>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

Options plummer(std::size_t n, const std::string& integrator, const std::string& precision) {
  auto o = test::plummer(n);
  o.time.t_end = 0.25;
  o.time.integrator = integrator;
  o.engine.precision = precision;
  o.output.pictures = false;
  o.output.diagnostics_interval = o.time.t_end;
  o.checkpoint.interval_seconds = 0;
  return o;
}

Simulation simulation_of(Options o) {
  auto start = prepare(o);
  return {std::move(start.initial), gravity_of(o), method_of(o), engine_of(o)};
}

Checkpoint end_of_run(const Options& options) {
  const test::Folder folder;
  Request request;
  request.options = options;
  request.options.output.directory = (folder.path / "run").string();
  EXPECT_EQ(execute(request), End::done);
  return load_checkpoint(folder.path / "run").checkpoint;
}

/// Everything that can be written, as often as can be.
Options with_all_outputs(Options o) {
  o.output.pictures = true;
  o.output.picture_size = 32;
  o.output.picture_interval = o.output.snapshot_interval = o.output.diagnostics_interval = o.time.dt;
  o.output.trajectory_ids = {0, 3};
  o.checkpoint.every_steps = 1;
  return o;
}

}  // namespace

/// Many bodies are converted in blocks.
TEST(Copies, AreOfTheMomentWhenTheyWereAskedFor) {
  for (const auto& [n, integrator, precision] : {std::tuple{9000, "kdk", "f32"},
                                                 {9000, "kdk", "mixed"},
                                                 {300, "kdk", "f64"},
                                                 {300, "hermite4", "f64"}}) {
    auto simulation = simulation_of(plummer(std::size_t(n), integrator, precision));
    const auto step = [&] { simulation.run_until(simulation.time() + 1.0 / 128); };
    step();
    std::latch begun(1);
    std::vector<Snapshot> expected, got;
    Copies copies(simulation);
    for (const bool fields : {false, true, false}) {
      expected.push_back(fields ? simulation.snapshot_with_fields() : simulation.snapshot());
      copies.start(fields, [&](const Snapshot& s) {
        if (got.size() == 1) begun.wait();  // until another copy is on its way
        got.push_back(s);
      });
      step();
      if (expected.size() == 3) begun.count_down();
    }
    copies.wait();
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
      EXPECT_TRUE(got[k].bodies == expected[k].bodies) << precision << " " << integrator << " " << k;
      EXPECT_EQ(got[k].time, expected[k].time);
      EXPECT_EQ(got[k].step, expected[k].step);
      EXPECT_EQ(got[k].ax, expected[k].ax);
      EXPECT_EQ(got[k].potential, expected[k].potential);
    }
  }
}
TEST(Copies, NothingIsDoneAfterAFailure) {
  auto simulation = simulation_of(plummer(20, "kdk", "f64"));
  Copies copies(simulation);
  std::latch both(1);
  bool done = false;
  copies.start(false, [&](Snapshot&) {
    both.wait();
    throw ResourceError("no space");
  });
  copies.start(false, [&](Snapshot&) { done = true; });
  both.count_down();
  EXPECT_THROW(copies.wait(), ResourceError);
  EXPECT_FALSE(done);
  copies.start(false, [&](Snapshot&) { done = true; });
  copies.wait();
  EXPECT_TRUE(done);
}
/// Pictures of a movie do not wait for a snapshot of a gigabyte.
TEST(Copies, WorkWithoutACopyWaitsForNoneOfThem) {
  auto simulation = simulation_of(plummer(20, "kdk", "f64"));
  Copies copies(simulation);
  std::latch drawn(3);
  bool all_drawn = false;
  copies.start(false, [&](Snapshot&) {
    drawn.wait();
    all_drawn = true;
  });
  copies.start(false, [](Snapshot&) {});
  for (int picture = 0; picture < 3; ++picture) copies.start([&] { drawn.count_down(); });
  copies.wait();
  EXPECT_TRUE(all_drawn);
}
TEST(ARun, HasTheSameStateWithAndWithoutOutputs) {
  for (const std::string precision : {"f32", "mixed", "f64"})
    for (const std::string integrator : {"kdk", "forest-ruth"}) {
      const auto o = plummer(300, integrator, precision);
      const auto without = end_of_run(o), with = end_of_run(with_all_outputs(o));
      EXPECT_EQ(state_hash(with.snapshot.bodies), state_hash(without.snapshot.bodies))
          << precision << " " << integrator;
      EXPECT_EQ(with.snapshot.step, 32U);
    }
}
/// One that is written beside many others is the one that is written when all is over.
TEST(ARun, LeavesTheSameCheckpointHoweverManyItHasWritten) {
  for (const std::string integrator : {"kdk", "hermite4"}) {
    auto o = with_all_outputs(plummer(100, integrator, "f64"));
    const auto many = end_of_run(o);
    o.checkpoint.every_steps = 0;
    const auto one = end_of_run(o);
    EXPECT_TRUE(many.snapshot.bodies == one.snapshot.bodies) << integrator;
    for (const char* table : {"diagnostics.txt", "trajectory.csv"})
      EXPECT_EQ(many.appended_files.at(table), one.appended_files.at(table));
    EXPECT_EQ(many.extra, one.extra);
    EXPECT_EQ(many.reference_energy, one.reference_energy);
    EXPECT_EQ(many.snapshot.time, one.snapshot.time);
    EXPECT_TRUE(many.snapshot.ax.empty() && many.snapshot.potential.empty());
  }
}
/// Each belongs to one moment: its state is that of its step, its tables end there.
TEST(ARun, LeavesNoCheckpointThatMixesTwoMoments) {
  const auto o = plummer(200, "kdk", "mixed");
  for (const double end : {3.0 / 128, 4.0 / 128, 11.0 / 128}) {
    auto all = with_all_outputs(o);
    all.time.t_end = end;
    const auto saved = end_of_run(all);
    auto simulation = simulation_of(o);
    simulation.run_until(end);
    EXPECT_TRUE(saved.snapshot.bodies == simulation.snapshot().bodies) << end;
    EXPECT_EQ(saved.snapshot.step, simulation.step());
  }
}
