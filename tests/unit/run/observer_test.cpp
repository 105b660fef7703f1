/// What a run tells comes as values and in order, whoever listens; by itself it prints nothing.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/observer.hpp"

#include "io/durable/durable.hpp"
#include "run/run.hpp"
#include "unit/run/plummer.hpp"
#include "unit/scratch.hpp"

#include <pleiad/checkpoint.hpp>

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

class Recorder : public Observer {
 public:
  std::vector<std::string> events;
  std::size_t count = 0;
  std::vector<Progress> progress;
  SystemSummary system;
  EnsembleSummary ensemble;

  void started(const Started& s) override { events.push_back("started"), count = s.count; }
  void progressed(const std::function<Progress()>& now) override {
    if (events.back() != "progressed") events.push_back("progressed");
    progress.push_back(now());
  }
  void finished(const SystemSummary& s) override { events.push_back("finished"), system = s; }
  void finished(const EnsembleSummary& s) override { events.push_back("finished"), ensemble = s; }
};

/// `change` is made to the options of a run of 64 bodies.
Recorder told(const std::filesystem::path& directory, const std::function<void(Options&)>& change) {
  Recorder recorder;
  Request request;
  request.options = test::plummer(64);
  request.options.time.t_end = 4 * request.options.time.dt;
  request.options.output.pictures = request.options.output.plots = false;
  request.options.output.directory = directory.string();
  change(request.options);
  request.observer = &recorder;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(execute(request), End::done);
  EXPECT_EQ(testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr(), "");
  return recorder;
}

const std::vector<std::string> in_order{"started", "progressed", "finished"};

TEST(Observer, IsToldOfOneSystem) {
  const test::Folder folder;
  const auto r = told(folder.path / "run", [](Options&) {});
  EXPECT_EQ(r.events, in_order);
  EXPECT_EQ(r.count, 64u);
  EXPECT_EQ(r.system.step, 4u);
  EXPECT_EQ(r.progress.back().time, r.system.time);
  EXPECT_EQ(r.progress.back().steps, 4);
  EXPECT_EQ(r.system.json + "\n", read_file(folder.path / "run/summary.json"));
}

TEST(Observer, IsToldOfAnEnsemble) {
  const test::Folder folder;
  const auto r = told(folder.path / "run", [](Options& o) { o.ensemble.count = 3; });
  EXPECT_EQ(r.events, in_order);
  EXPECT_EQ(r.count, 3u);
  EXPECT_EQ(r.ensemble.systems, 3u);
  EXPECT_EQ(r.ensemble.bodies, 3u * 64);
  EXPECT_EQ(r.ensemble.json + "\n", read_file(folder.path / "run/summary.json"));
}

/// The first is there when the second is begun; the clock writes none.
TEST(Checkpoints, AreWrittenAtMultiplesOfTheirSteps) {
  struct Watcher : Observer {
    std::filesystem::path directory;
    std::set<std::uint64_t> steps;
    void progressed(const std::function<Progress()>&) override {
      if (std::filesystem::exists(directory / "checkpoint.pleiad"))
        steps.insert(load_checkpoint(directory).checkpoint.snapshot.step);
    }
  };
  for (const std::uint64_t every : {0, 3}) {
    const test::Folder folder;
    Watcher watcher;
    Request request;
    auto& o = request.options = test::plummer(64);
    o.time.t_end = 10 * o.time.dt;
    o.output.pictures = o.output.plots = false;
    o.output.directory = (watcher.directory = folder.path / "run").string();
    o.checkpoint.interval_seconds = 0, o.checkpoint.every_steps = every;
    request.observer = &watcher;
    EXPECT_EQ(execute(request), End::done);
    std::erase_if(watcher.steps, [](std::uint64_t step) { return step == 0 || step == 10; });
    EXPECT_EQ(watcher.steps.contains(3), every == 3);
    for (const auto step : watcher.steps) EXPECT_EQ(every > 0 ? step % every : 1, 0U) << step;
  }
}

TEST(Forecast, IsOfTheKindThatTheRunIs) {
  const test::Folder folder;
  Request request;
  request.options = test::plummer(64);
  request.options.output.directory = (folder.path / "run").string();
  EXPECT_EQ(std::get<Forecast>(forecast(request)).bodies, 64u);
  request.options.ensemble.count = 3;
  EXPECT_EQ(std::get<EnsembleForecast>(forecast(request)).systems, 3u);
  EXPECT_FALSE(std::filesystem::exists(folder.path / "run"));
}

}  // namespace
