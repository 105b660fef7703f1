/// Runs whose ends and outputs fall between fixed steps: the bits are those of a run that has none there,
/// also after a resume, and what is written there is exact and written once.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "ranks/simulated.hpp"
#include "run/observer.hpp"
#include "run/run.hpp"
#include "run/stop.hpp"
#include "unit/run/plummer.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

namespace fs = std::filesystem;
constexpr double dt = 1.0 / 128;

End execute_on(int ranks, const Request& request) {
  if (ranks == 1) return execute(request);
  End end{};
  ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& comm) {
    auto mine = request;
    mine.ranks = &comm;
    const auto own = execute(mine);
    if (comm.rank() == 0) end = own;
  });
  return end;
}

struct Way {
  std::string integrator, kernel, precision;
  int ranks = 1;
  bool symmetric = false;  ///< adaptive steps, of some dt / 2
  std::string text() const {
    return fmt::format("{} by {} in {} on {} ranks", integrator, kernel, precision, ranks);
  }
};

/// To 16 steps, with outputs at whole steps only.
Request request_of(const Way& way, const fs::path& directory) {
  Request request;
  auto& o = request.options = test::plummer(200);
  o.time.integrator = way.integrator;
  o.engine.kernel = way.kernel, o.engine.precision = way.precision;
  o.time.adaptive = o.time.symmetric_steps = way.symmetric;
  if (way.symmetric) o.time.dt = 1, o.time.eta = 0.03;
  o.output.pictures = false;
  o.output.diagnostics_interval = 4 * dt;
  o.output.directory = directory.string();
  return request;
}

Request resumed(const fs::path& directory, std::string t_end = "") {
  Request request;
  request.resume = directory;
  if (!t_end.empty()) request.resume_settings = {"time.t_end=" + t_end};
  return request;
}

nlohmann::json summary_in(const fs::path& run) {
  return nlohmann::json::parse(read_file(run / "summary.json"));
}
std::string hash_in(const fs::path& run) { return summary_in(run).at("state_hash"); }

/// The first two columns of the diagnostics.
std::vector<std::pair<double, std::uint64_t>> rows_in(const fs::path& run) {
  std::istringstream text(read_file(run / "diagnostics.txt"));
  std::vector<std::pair<double, std::uint64_t>> rows;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    auto& [time, step] = rows.emplace_back();
    words >> time >> step;
  }
  return rows;
}

std::vector<double> snapshot_times_in(const fs::path& run) {
  std::vector<double> times;
  for (const auto& file : fs::directory_iterator(run / "snapshots"))
    times.push_back(read_snapshot(file.path()).snapshot.time);
  std::ranges::sort(times);
  return times;
}

std::vector<Way> ways() {
  std::vector<Way> all;
  for (const char* integrator :
       {"euler", "kdk", "dkd", "forest-ruth", "blanes-moan4", "yoshida6", "kahan-li8", "hermite4"})
    all.push_back({integrator, "cpu/threads", "f64"});
  for (const char* kernel : {"cpu/symmetric", "cpu/fmm", "cpu/barnes-hut"})
    all.push_back({"kdk", kernel, "mixed"});
  all.push_back({"kdk", "cpu/threads", "f32"});
  for (const int ranks : {2, 3})
    for (const char* kernel : {"cpu/threads", "cpu/fmm"}) all.push_back({"kdk", kernel, "mixed", ranks});
  all.push_back({"hermite4", "cpu/threads", "f64", 2});
  return all;
}

}  // namespace

TEST(RunBetweenSteps, EndsAndOutputsChangeNoBits) {
  for (const auto& way : ways()) {
    const test::Folder folder;
    const auto whole = folder.path / "whole", odd = folder.path / "odd";
    ASSERT_EQ(execute_on(way.ranks, request_of(way, whole)), End::done) << way.text();
    // Outputs between steps, an end between two outputs, an end in the same step, the end of the other run.
    auto request = request_of(way, odd);
    auto& o = request.options;
    o.output.diagnostics_interval = 0.7 * dt, o.output.snapshot_interval = 2.75 * dt;
    o.time.t_end = 5.3 * dt;
    ASSERT_EQ(execute_on(way.ranks, request), End::done) << way.text();
    EXPECT_EQ(summary_in(odd).at("time"), 5.3 * dt);
    EXPECT_EQ(summary_in(odd).at("step"), 6);
    EXPECT_EQ(snapshot_times_in(odd).back(), 5.3 * dt);
    const auto at_end = hash_in(odd);
    // There again: no step is made.
    ASSERT_EQ(execute_on(way.ranks, resumed(odd)), End::done);
    EXPECT_EQ(hash_in(odd), at_end) << way.text();
    ASSERT_EQ(execute_on(way.ranks, resumed(odd, fmt::format("{}", 5.9 * dt))), End::done);
    EXPECT_NE(hash_in(odd), at_end) << way.text();
    ASSERT_EQ(execute_on(way.ranks, resumed(odd, fmt::format("{}", 16 * dt))), End::done);
    EXPECT_EQ(hash_in(odd), hash_in(whole)) << way.text();
    EXPECT_EQ(summary_in(odd).at("step"), 16);

    std::vector<std::pair<double, std::uint64_t>> rows;
    for (std::uint64_t k = 0; k <= 22; ++k) rows.emplace_back(time_of_step(0, 0.7 * dt, k), (7 * k + 9) / 10);
    for (const double end : {5.3, 5.9, 16.0}) rows.emplace_back(end * dt, std::uint64_t(std::ceil(end)));
    std::ranges::sort(rows);
    EXPECT_EQ(rows_in(odd), rows) << way.text();
    std::vector<double> times{5.3 * dt, 5.9 * dt, 16 * dt};
    for (std::uint64_t k = 0; k <= 5; ++k) times.push_back(time_of_step(0, 2.75 * dt, k));
    std::ranges::sort(times);
    EXPECT_EQ(snapshot_times_in(odd), times) << way.text();
  }
}

TEST(RunBetweenSteps, AnyEndAndIntervalLeadToTheBitsOfARunWithout) {
  for (const auto& way : {Way{"kdk", "cpu/threads", "mixed"}, Way{"hermite4", "cpu/threads", "f64"}}) {
    const test::Folder folder;
    const auto whole = folder.path / "whole";
    ASSERT_EQ(execute(request_of(way, whole)), End::done);
    for (const double end : {1.25, 7.999, 15.5})
      for (const double interval : {0.31, 1.0, 2.25}) {
        const auto odd = folder.path / fmt::format("{} {}", end, interval);
        auto request = request_of(way, odd);
        request.options.output.diagnostics_interval = interval * dt, request.options.time.t_end = end * dt;
        ASSERT_EQ(execute(request), End::done);
        ASSERT_EQ(execute(resumed(odd, fmt::format("{}", 16 * dt))), End::done);
        EXPECT_EQ(hash_in(odd), hash_in(whole)) << way.text() << ": " << end << " every " << interval;
      }
  }
}

/// Steps that are not shortened for outputs, since a shorter one would not lead back.
TEST(RunBetweenSteps, OutputsAndEndsLeaveSymmetricStepsAsTheyAre) {
  for (const Way& way :
       {Way{"kdk", "cpu/threads", "f64", 1, true}, Way{"blanes-moan4", "cpu/fmm", "mixed", 1, true},
        Way{"dkd", "cpu/threads", "mixed", 2, true}, Way{"kdk", "cpu/fmm", "mixed", 3, true}}) {
    const test::Folder folder;
    const auto whole = folder.path / "whole", odd = folder.path / "odd";
    ASSERT_EQ(execute_on(way.ranks, request_of(way, whole)), End::done) << way.text();
    auto request = request_of(way, odd);
    auto& o = request.options;
    o.output.diagnostics_interval = 0.7 * dt, o.output.snapshot_interval = 0.1 * dt;
    o.time.t_end = 5.3 * dt;
    ASSERT_EQ(execute_on(way.ranks, request), End::done) << way.text();
    EXPECT_EQ(summary_in(odd).at("time"), 5.3 * dt);
    const auto at_end = hash_in(odd);
    ASSERT_EQ(execute_on(way.ranks, resumed(odd)), End::done);
    EXPECT_EQ(hash_in(odd), at_end) << way.text();
    ASSERT_EQ(execute_on(way.ranks, resumed(odd, fmt::format("{}", 16 * dt))), End::done);
    EXPECT_EQ(hash_in(odd), hash_in(whole)) << way.text();
    EXPECT_EQ(summary_in(odd).at("step"), summary_in(whole).at("step"));
    EXPECT_GT(summary_in(odd).at("step"), 16);
    const auto rows = rows_in(odd);
    ASSERT_EQ(rows.size(), 25U) << way.text();  // 23 of the interval, and two ends
    EXPECT_EQ(rows[1].first, 0.7 * dt);
  }
}

/// A signal comes after some batches of steps; then the run is resumed, until it is done.
class StopsAfter final : public Observer {
 public:
  explicit StopsAfter(int batches) : left_(batches) {}
  void progressed(const std::function<Progress()>&) override {
    if (--left_ == 0) SignalWatch::pass_on(SIGTERM);
  }

 private:
  int left_;
};

TEST(RunBetweenSteps, OutputsAreWrittenOnceHoweverARunIsStopped) {
  for (const bool symmetric : {false, true}) {
    const Way way{"kdk", "cpu/threads", "mixed", 1, symmetric};
    const auto made = [&](const fs::path& directory) {
      auto request = request_of(way, directory);
      request.options.output.diagnostics_interval = 0.3 * dt,
      request.options.output.snapshot_interval = 0.7 * dt;
      request.options.time.t_end = 3.1 * dt;
      return request;
    };
    const test::Folder folder;
    const auto whole = folder.path / "whole";
    ASSERT_EQ(execute(made(whole)), End::done);
    for (const int batches : {1, 2, 3, 5}) {
      const auto parts = folder.path / fmt::format("{}", batches);
      auto request = made(parts);
      int stops = 0;
      while (true) {
        const SignalWatch watch;
        StopsAfter stop(batches);
        request.observer = &stop;
        if (execute(request) == End::done) break;
        ASSERT_LE(++stops, 30);
        request = resumed(parts);
      }
      EXPECT_GT(stops, 1);
      EXPECT_EQ(hash_in(parts), hash_in(whole)) << batches;
      EXPECT_EQ(read_file(parts / "diagnostics.txt"), read_file(whole / "diagnostics.txt")) << batches;
      EXPECT_EQ(snapshot_times_in(parts), snapshot_times_in(whole)) << batches;
    }
  }
}

/// The rows of a copy are those of a run that makes its steps to there alone.
TEST(RunBetweenSteps, AnEndIsWhatACopyShows) {
  const Way way{"kdk", "cpu/threads", "f64"};
  const test::Folder folder;
  auto passing = request_of(way, folder.path / "passing"), ending = request_of(way, folder.path / "ending");
  passing.options.output.snapshot_times = {2.6 * dt};
  ending.options.time.t_end = 2.6 * dt;
  ASSERT_EQ(execute(passing), End::done);
  ASSERT_EQ(execute(ending), End::done);
  const auto a = read_snapshot(folder.path / "passing/snapshots/snapshot_001.hdf5").snapshot,
             b = read_snapshot(folder.path / "ending/snapshots/snapshot_001.hdf5").snapshot;
  EXPECT_EQ(a.time, 2.6 * dt);
  EXPECT_EQ(state_hash(a.bodies), state_hash(b.bodies));
  EXPECT_EQ(hash_in(folder.path / "ending"), state_hash(b.bodies));
}

TEST(RunBetweenSteps, AreRefusedWhereFullStepsAreAskedFor) {
  const Way way{"kdk", "cpu/threads", "f64"};
  const test::Folder folder;
  const auto refusal = [&](const auto& change) -> std::string {
    auto request = request_of(way, folder.path / "run");
    change(request.options);
    try {
      check(request);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), Error::Kind::usage);
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal([](Options& o) { o.time.t_end = 0.1; }), "accepted");
  EXPECT_EQ(refusal([](Options& o) { o.time.t_end = 0.1, o.time.exact_steps = true; }),
            "time.t_end = 0.1 is 12.8 steps of time.dt = 0.0078125, which must be a whole number with "
            "time.exact_steps = true; time.dt = 0.00625 would fit the end and all outputs");
  const auto in_ensemble = refusal([](Options& o) { o.time.t_end = 0.1, o.ensemble.count = 2; });
  EXPECT_NE(in_ensemble.find("which must be a whole number in an ensemble"), std::string::npos)
      << in_ensemble;
  // A step that the rounding of times would lose is not proposed.
  const auto late = refusal([](Options& o) {
    o.time.exact_steps = true;
    o.time.t_end = 0.125, o.output.snapshot_times = {0.1, 0.100000001};
  });
  EXPECT_NE(late.find("no step fits the end and all outputs"), std::string::npos) << late;
}
