/// Stars that lose mass: the tracks of a table, the energy that goes with the mass, and the same bits on
/// threads and ranks and after a kill at any step.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/mass_loss.hpp"

#include "io/durable/durable.hpp"
#include "ranks/simulated.hpp"
#include "run/analysis.hpp"
#include "run/branch.hpp"
#include "run/run.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <algorithm>
#include <array>
#include <cmath>
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

/// 30 stars of a cluster in pc, Msun and km/s, which lose a fifth of their mass or more in 0.25 of their unit
/// of time, 0.978 Myr, in steps of 1/16.
Request request_of(const fs::path& folder, const std::string& to, const std::string& integrator) {
  std::ofstream(folder / "table.csv") << "# initial mass [Msun], age [Myr], mass [Msun]\n"
                                         "0.1, 0, 0.1\n0.1, 0.3, 0.08\n"
                                         "1 0.01 1\n1 0.2 0.7\n1 0.3 0.6\n"
                                         "20 0.1 10\n";
  Request request;
  auto& o = request.options;
  o.ic.model = "cluster", o.ic.parameters = {"n=30", "half_mass_radius=0.2"};
  o.time.integrator = integrator;
  o.time.dt = 0x1p-7, o.time.t_end = 0.25;
  if (integrator != "hermite4-block") o.gravity.softening = 0.02;
  o.engine.backend = "cpu", o.engine.precision = "f64";
  o.stars.mass_loss_file = (folder / "table.csv").string();
  o.stars.mass_loss_interval = 0x1p-4;
  o.output.directory = (folder / to).string();
  o.output.diagnostics_interval = 0x1p-5;
  o.output.pictures = o.output.plots = false;
  o.output.snapshot_format = "csv", o.output.snapshot_units = "run";
  return request;
}

nlohmann::json summary_of(const fs::path& run) {
  return nlohmann::json::parse(read_file(run / "summary.json"));
}

void expect_same(const fs::path& a, const fs::path& b, const std::string& what) {
  EXPECT_EQ(summary_of(a).at("state_hash"), summary_of(b).at("state_hash")) << what;
  EXPECT_EQ(read_file(a / "diagnostics.txt"), read_file(b / "diagnostics.txt")) << what;
}

/// An analysis that fails after a number of steps, as if the run had been killed there.
std::uint64_t ends_at = 0;
class Ends : public Output {
 public:
  using Output::Output;
  void stepped(bool) override {
    if (run_.simulation.step() == ends_at) throw std::runtime_error("killed");
  }
};
const Analysis ends{.name = "ends", .keys = {}, .make = make_output<Ends>};

}  // namespace

TEST(MassLoss, GoesAlongItsTracks) {
  const MassTracks tracks(std::array{1.0, 0.0, 1.0, 1.0, 2.0, 0.5, 4.0, 1.0, 2.0});
  EXPECT_EQ(tracks.part_left(1, 0), 1);
  EXPECT_EQ(tracks.part_left(1, 1), 0.75);
  EXPECT_EQ(tracks.part_left(1, 9), 0.5);
  EXPECT_EQ(tracks.part_left(0.2, 1), 0.75);          // below the range
  EXPECT_EQ(tracks.part_left(4, 0.5), 0.75);          // all of it at age 0
  EXPECT_EQ(tracks.part_left(8, 1), 0.5);             // above the range
  EXPECT_NEAR(tracks.part_left(2, 1), 0.625, 1e-15);  // between both, halfway in the logarithm
  const auto refuses = [](std::vector<double> rows, const std::string& why) {
    try {
      (void)MassTracks(rows);
      ADD_FAILURE() << why;
    } catch (const UsageError& e) {
      EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
    }
  };
  refuses({}, "rows of initial mass, age and mass"), refuses({1, 2}, "rows of initial mass");
  refuses({1, 0, 1.1}, "at most the initial one"), refuses({1, 0, 0}, "> 0");
  refuses({1, -1, 1}, "must rise"), refuses({1, 1, 1, 1, 1, 0.5}, "must rise");
  refuses({1, 1, 0.5, 1, 2, 0.6}, "must not rise"), refuses({2, 0, 2, 1, 0, 1}, "must not fall");
  refuses({1, 1, NAN}, "> 0");
}

TEST(MassLoss, TakesTheMassesOfTheTableAndClosesTheEnergyTable) {
  const test::Folder folder;
  for (const std::string integrator : {"hermite4-block", "kdk"}) {
    const auto run = folder.path / integrator;
    ASSERT_EQ(execute(request_of(folder.path, integrator, integrator)), End::done);
    const auto before = read_snapshot(run / "snapshots/snapshot_000.csv").snapshot.bodies,
               after = read_snapshot(run / "snapshots/snapshot_001.csv").snapshot.bodies;
    ASSERT_EQ(before.size(), after.size());
    // In Myr: kilometres of a parsec over seconds of a million years.
    const double age = 0.25 * 3.0856775814913673e13 / (1e6 * 365.25 * 86400);
    double lost = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const double m = before.mass[i], low = 1 - 0.2 * age / 0.3, high = 0.7 - 0.1 * (age - 0.2) / 0.1;
      ASSERT_LE(m, 20);
      ASSERT_GE(m, 0.07);
      const double left = m < 0.1 ? low
                          : m < 1 ? low + std::log(m / 0.1) / std::log(10.0) * (high - low)
                                  : high + std::log(m) / std::log(20.0) * (0.5 - high);
      EXPECT_NEAR(after.mass[i] / m, left, 1e-6) << m;  // of the units' constants
      lost += m - after.mass[i];
    }
    EXPECT_GE(lost, 1);
    std::istringstream lines(read_file(run / "diagnostics.txt"));
    std::string last;
    for (std::string line; std::getline(lines, line);) last = line;
    std::istringstream cells(last);
    std::vector<double> numbers;
    for (std::string cell; cells >> cell;) numbers.push_back(std::stod(cell));
    // The last columns: bodies and energy_lost. The energy changes by tens of per cent, its error is that of
    // the steps: of order dt^2 for kdk with a softening of a tenth of the radius, far below for Hermite's.
    EXPECT_EQ(numbers.at(numbers.size() - 2), 30);
    EXPECT_GE(std::abs(numbers.back()), 0.1 * std::abs(numbers.at(4)));
    EXPECT_LE(std::abs(double(summary_of(run).at("energy_error"))), integrator == "kdk" ? 1e-3 : 1e-6);
  }
}

TEST(MassLoss, HasNoBranchThatForgetsTheAges) {
  const test::Folder folder;
  ASSERT_EQ(execute(request_of(folder.path, "run", "kdk")), End::done);
  const std::string to = "output.directory=" + (folder.path / "branch").string();
  EXPECT_THROW((void)branch_of(folder.path / "run", {to}), UsageError);
  const auto branch =
      branch_of(folder.path / "run", {to, "stars.mass_loss=[]", "stars.mass_loss_interval=0"});
  EXPECT_FALSE(branch.options.stars.active());
}

TEST(MassLoss, HasTheSameBitsOnRanksAndAfterAKill) {
  const test::Folder folder;
  for (const std::string integrator : {"kdk", "hermite4", "hermite4-block"}) {
    ASSERT_EQ(execute(request_of(folder.path, integrator, integrator)), End::done);
    const auto whole = folder.path / integrator;
    for (const int ranks : {2, 3}) {
      const auto to = integrator + std::to_string(ranks);
      ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& comm) {
        auto mine = request_of(folder.path, to, integrator);
        mine.ranks = &comm;
        EXPECT_EQ(execute(mine), End::done);
      });
      expect_same(whole, folder.path / to, to);
    }
    // Step 8 is the first one with new masses.
    const std::array<const Analysis*, 1> more{&ends};
    for (const std::uint64_t at : {8, 9, 25}) {
      const auto to = integrator + " killed " + std::to_string(at);
      auto request = request_of(folder.path, to, integrator);
      request.options.checkpoint.every_steps = at == 25 ? 5 : 1;
      request.options.checkpoint.interval_seconds = 0;
      request.more_analyses = more;
      ends_at = at;
      EXPECT_THROW(execute(request), std::runtime_error);
      fs::remove(folder.path / "table.csv");  // the configuration has its rows
      Request onward;
      onward.resume = folder.path / to;
      EXPECT_EQ(execute(onward), End::done);
      expect_same(whole, folder.path / to, to);
    }
  }
}
