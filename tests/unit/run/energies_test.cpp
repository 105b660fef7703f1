/// Energy errors of runs are measured the same way on several ranks, alone and after a resume.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/config/config.hpp"
#include "io/durable/durable.hpp"
#include "ranks/simulated.hpp"
#include "run/fitting.hpp"
#include "run/run.hpp"
#include "unit/scratch.hpp"

#include <pleiad/files.hpp>
#include <pleiad/rng.hpp>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

/// A body with mass, and so many without on orbits about it: enough for several ranks.
std::filesystem::path orbits(const std::filesystem::path& folder, std::size_t n) {
  Snapshot s;
  s.bodies.add(1, {}, {0.1, 0, 0});
  for (std::size_t i = 0; i < n; ++i) {
    Random random(1, i);
    const double r = random.uniform(1, 2), angle = random.uniform(0, 2 * std::numbers::pi);
    s.bodies.add(0, {r * std::cos(angle), r * std::sin(angle), 0},
                 {0.1 - std::sin(angle) / std::sqrt(r), std::cos(angle) / std::sqrt(r), 0});
    s.bodies.id.back() = i + 1;
  }
  const auto file = folder / "orbits.csv";
  write_snapshot(file, s, {.format = &format_named("csv")});
  return file;
}

Request request_of(const std::filesystem::path& file, const std::filesystem::path& to, bool periodic) {
  Request request;
  auto& o = request.options;
  o.ic.file = file.string();
  o.gravity.softening = 0;
  if (periodic) o.gravity.boundary = "periodic", o.gravity.box = {50};
  o.time.dt = 1.0 / 64, o.time.t_end = 8.0 / 64;
  o.engine.backend = "cpu", o.engine.kernel = "cpu/threads";
  o.output.directory = to.string();
  o.output.pictures = o.output.plots = false;
  o.output.diagnostics_interval = 2.0 / 64;
  return request;
}

void execute_on(int ranks, const Request& request) {
  if (ranks == 0) return (void)execute(request);
  ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& comm) {
    auto mine = request;
    mine.ranks = &comm;
    EXPECT_EQ(execute(mine), End::done);
  });
}

nlohmann::json energies_in(const std::filesystem::path& directory) {
  const auto summary = nlohmann::json::parse(read_file(directory / "summary.json"));
  nlohmann::json found;
  for (const char* key :
       {"energy", "energy_error", "largest_energy_error", "energy_error_is", "massless_bodies", "state_hash"})
    found[key] = summary.at(key);
  return found;
}

}  // namespace

TEST(Energies, AreOfOneProcessOnSeveralRanksAndAfterAResume) {
  const test::Folder folder;
  const auto file = orbits(folder.path, 6000);
  for (const bool periodic : {false, true}) {
    std::vector<nlohmann::json> all;
    for (const int ranks : {0, 3})
      for (const bool resumed : {false, true}) {
        const auto directory = folder.path / ("run" + std::to_string(all.size()));
        auto request = request_of(file, directory, periodic);
        if (resumed) request.options.time.t_end /= 2;
        execute_on(ranks, request);
        if (resumed) {
          Request again;
          again.resume = directory, again.resume_settings = {"time.t_end=0.125"};
          execute_on(ranks, again);
        }
        all.push_back(energies_in(directory));
        EXPECT_EQ(all.back(), all.front()) << ranks << " ranks, resumed: " << resumed;
        std::filesystem::remove_all(directory);
      }
    EXPECT_EQ(all.front().at("massless_bodies").at("bodies"), 6000);
    const double change = all.front().at("massless_bodies").at("largest_energy_change");
    EXPECT_GT(change, 0);
    EXPECT_LT(change, 1e-4);  // dt^2 = 2e-4 in the energy of a circle, which a leapfrog nearly keeps
  }
}

/// The last column of the table: the same on ranks and after a resume, and refused where it means nothing.
TEST(Energies, HaveTheErrorTermOfKdkInAColumn) {
  const test::Folder folder;
  std::vector<std::string> tables;
  Request request;
  auto& o = request.options;
  o.ic.model = "plummer", o.ic.parameters = {"n=3000"};
  o.gravity.softening = 0.05, o.time.dt = 1.0 / 64, o.time.t_end = 8.0 / 64;
  o.engine.backend = "cpu", o.engine.kernel = "cpu/threads";
  o.output.pictures = o.output.plots = false;
  o.output.kdk_error_term = true, o.output.diagnostics_interval = 2.0 / 64;
  for (const int ranks : {0, 3}) {
    auto first = request;
    first.options.output.directory = (folder.path / std::to_string(ranks)).string();
    first.options.time.t_end /= 2;
    execute_on(ranks, first);
    Request again;
    again.resume = first.options.output.directory, again.resume_settings = {"time.t_end=0.125"};
    execute_on(ranks, again);
    tables.push_back(read_file(*again.resume / "diagnostics.txt"));
  }
  EXPECT_EQ(tables[0], tables[1]);
  EXPECT_NE(tables[0].find(" r90 h2\n"), std::string::npos) << tables[0];
  for (const auto& [key, value] : {std::pair("time.integrator", "dkd"), {"time.adaptive", "true"}}) {
    auto other = request;
    other.options.output.directory = (folder.path / "other").string();
    apply_setting(other.options, std::string(key) + "=" + value);
    try {
      (void)execute(other);
      ADD_FAILURE() << key;
    } catch (const UsageError& e) {
      EXPECT_NE(std::string(e.what()).find("output.kdk_error_term needs"), std::string::npos) << e.what();
    }
  }
}

TEST(CommonStep, IsTheGreatestThatFitsAll) {
  const auto step = [](std::vector<double> lengths, double dt) { return common_step(lengths, dt); };
  EXPECT_NEAR(step({1, 0.07}, 0.1), 0.01, 1e-15);
  EXPECT_NEAR(step({1, 0.25}, 0.1), 0.25 / 3, 1e-15);
  EXPECT_NEAR(step({1.0 / 3, 1}, 0.5), 1.0 / 3, 1e-15);
  EXPECT_NEAR(step({0.9, 0.3, 0.15}, 1), 0.15, 1e-15);
  EXPECT_EQ(step({1, std::numbers::pi}, 0.1), 0);  // none of any use
  const std::vector<double> steps{0.0078125, 0.015625, 0.0234375};
  EXPECT_EQ(common_multiple(steps, 1), 0.046875);
  EXPECT_EQ(common_multiple(std::vector{1.0, std::numbers::e}, 100), 0);
}
