/// Runs with added forces: the same bits on several ranks and after a resume, and what is told of their
/// energies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "ranks/simulated.hpp"
#include "run/run.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>
#include <pleiad/models.hpp>

#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

/// Of 8300 bodies three ranks have 4096, 4096 and 108: a rank owns whole blocks of 4096. There is a source on
/// each.
constexpr int on_three_ranks = 8300;
const std::vector<std::string> forces{"post-newtonian c=30 body=8260",
                                      "gr-potential c=30 body=10",
                                      "oblate j2=0.5 radius=0.1 body=5010",
                                      "radiation beta=3 on=all",
                                      "poynting-robertson beta=3 c=10 on=all body=8260",
                                      "gas-drag linear=0.1 quadratic=0.1 vx=0.3",
                                      "dynamical-friction log_lambda=5"};

Request request_of(const std::filesystem::path& to, const std::vector<std::string>& some,
                   const std::string& integrator = "kdk") {
  Request request;
  auto& o = request.options;
  o.ic.model = "plummer", o.ic.parameters = {"n=700"};
  o.gravity.softening = 0.05, o.gravity.stated.softening = true;
  o.gravity.potentials = {"plummer mass=1 scale=1"};
  o.gravity.forces = some;
  o.time.integrator = integrator;
  o.time.dt = 0.01, o.time.t_end = 0.08;
  o.engine.backend = "cpu", o.engine.kernel = "cpu/threads", o.engine.precision = "f64";
  o.output.directory = to.string();
  o.output.pictures = o.output.plots = false;
  o.output.diagnostics_interval = 0.04;
  return request;
}
/// Writes bodies for three ranks, few of them with mass, so that sums are short.
std::filesystem::path on_ranks(const std::filesystem::path& file) {
  auto start = make_model("plummer", std::array{fmt::format("n={}", on_three_ranks)}, 3);
  for (std::size_t i = 0; i < start.bodies.size(); ++i)
    if (start.bodies.id[i] % 50 != 10) start.bodies.mass[i] = 0;
  write_snapshot(file, start, {.format = &format_named("csv")});
  return file;
}
Request from_file(const std::filesystem::path& file, const std::filesystem::path& to,
                  const std::vector<std::string>& some, const std::string& integrator) {
  auto request = request_of(to, some, integrator);
  request.options.ic.model.clear(), request.options.ic.parameters.clear();
  request.options.ic.file = file.string();
  request.options.time.t_end = 0.04, request.options.output.diagnostics_interval = 0.02;
  return request;
}
nlohmann::json summary_of(const std::filesystem::path& directory) {
  return nlohmann::json::parse(read_file(directory / "summary.json"));
}

}  // namespace

TEST(AddedForceRuns, HaveTheSameBitsOnRanksAndAfterAResume) {
  const test::Folder folder;
  const auto file = on_ranks(folder.path / "bodies.csv");
  const auto of_file = [&](const auto& to, const auto& some, const std::string& integrator) {
    return from_file(file, to, some, integrator);
  };
  for (const std::string integrator : {"kdk", "forest-ruth", "hermite4", "gauss-radau"}) {
    auto some = forces;
    if (integrator == "hermite4") some.pop_back();  // has no jerks
    const auto whole = folder.path / integrator;
    EXPECT_EQ(execute(of_file(whole, some, integrator)), End::done);
    const auto hash = summary_of(whole).at("state_hash");
    const auto table = read_file(whole / "diagnostics.txt");
    for (const int ranks : {2, 3}) {
      const auto to = folder.path / (integrator + std::to_string(ranks));
      ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& comm) {
        auto mine = of_file(to, some, integrator);
        mine.ranks = &comm;
        EXPECT_EQ(execute(mine), End::done);
      });
      EXPECT_EQ(summary_of(to).at("state_hash"), hash) << integrator << " " << ranks;
      EXPECT_EQ(read_file(to / "diagnostics.txt"), table) << integrator << " " << ranks;
    }
    const auto cut = folder.path / (integrator + " cut");
    auto request = of_file(cut, some, integrator);
    request.options.time.t_end = 0.02;
    EXPECT_EQ(execute(request), End::done);
    Request onward;
    onward.resume = cut, onward.resume_settings = {"time.t_end=0.04"};
    EXPECT_EQ(execute(onward), End::done);
    EXPECT_EQ(summary_of(cut).at("state_hash"), hash) << integrator;
  }
}

/// The work, too, which the table tells to nine digits.
TEST(AddedForceRuns, CountTheSameWorkOnRanksAndAfterAResume) {
  const test::Folder folder;
  const auto file = on_ranks(folder.path / "bodies.csv");
  const std::vector<std::string> drags{forces[4], forces[5], forces[6], "gr-potential c=30"};
  for (const std::string integrator : {"kdk", "hermite4", "gauss-radau"}) {
    auto some = drags;
    if (integrator == "hermite4") some.erase(some.begin() + 2);
    const auto whole = folder.path / integrator, cut = folder.path / (integrator + "-cut");
    EXPECT_EQ(execute(from_file(file, whole, some, integrator)), End::done);
    const auto table = read_file(whole / "diagnostics.txt");
    ranks::with_simulated_ranks(3, [&](ranks::Communicator& comm) {
      auto mine = from_file(file, folder.path / (integrator + "-3"), some, integrator);
      mine.ranks = &comm;
      EXPECT_EQ(execute(mine), End::done);
    });
    EXPECT_EQ(read_file(folder.path / (integrator + "-3") / "diagnostics.txt"), table);
    auto request = from_file(file, cut, some, integrator);
    request.options.time.t_end = 0.02;
    EXPECT_EQ(execute(request), End::done);
    Request onward;
    onward.resume = cut, onward.resume_settings = {"time.t_end=0.04"};
    EXPECT_EQ(execute(onward), End::done);
    EXPECT_EQ(read_file(cut / "diagnostics.txt"), table) << integrator;
  }
}

TEST(AddedForceRuns, CallAnErrorOnlyWhatIsOne) {
  const test::Folder folder;
  const auto run = [&](const char* name, const std::vector<std::string>& some) {
    EXPECT_EQ(execute(request_of(folder.path / name, some)), End::done);
    return summary_of(folder.path / name);
  };
  const auto kept = run("kept", {"gr-potential c=100", "post-newtonian c=100"}),
             counted = run("counted", {forces[5]}), lost = run("lost", {forces[5], "post-newtonian c=100"});
  EXPECT_EQ(kept.at("energy_error_is"), "dE/E");
  EXPECT_LE(std::abs(double(kept.at("largest_energy_error"))), 1e-3);
  EXPECT_EQ(counted.at("energy_error_is"), "dE/E");
  EXPECT_LE(std::abs(double(counted.at("largest_energy_error"))), 1e-3);
  EXPECT_EQ(lost.at("energy_error_is"), "dE/E by forces that do not keep the energy");
  EXPECT_TRUE(lost.at("energy_error").is_null());
  EXPECT_GT(std::abs(double(lost.at("energy_change"))), 1e-3);
  const auto table = read_file(folder.path / "counted" / "diagnostics.txt");
  EXPECT_NE(table.find("# work: energy that forces of velocities have given to the bodies, negative: taken; "
                       "energy_error counts "
                       "it\n"),
            std::string::npos);
  EXPECT_NE(table.find(" r90 work\n"), std::string::npos);
  // The last word of the last row: -(0.1 + 0.1 |v|) v^2 in a unit of time, with v^2 = 0.52 at the start.
  EXPECT_NEAR(std::stod(table.substr(table.find_last_of(' '))), -0.008, 0.0015) << table;
  EXPECT_NE(read_file(folder.path / "lost" / "diagnostics.txt")
                .find("# energy_error: change of the energy, which the added forces change; no error\n"),
            std::string::npos);
}

TEST(AddedForceRuns, OfManySystemsHaveTheSameResultsOnRanks) {
  const test::Folder folder;
  const auto request = [&](const std::string& name) {
    auto r =
        request_of(folder.path / name, {"post-newtonian c=30", "oblate j2=0.5 radius=0.1 body=7", forces[5]});
    r.options.ic.parameters = {"n=20"};
    r.options.ensemble.vary = {"initial_conditions.seed=1:4:4"};
    r.options.engine.kernel = "auto";
    return r;
  };
  EXPECT_EQ(execute(request("one")), End::done);
  ranks::with_simulated_ranks(2, [&](ranks::Communicator& comm) {
    auto mine = request("two");
    mine.ranks = &comm;
    EXPECT_EQ(execute(mine), End::done);
  });
  EXPECT_EQ(read_file(folder.path / "one" / "ensemble.csv"), read_file(folder.path / "two" / "ensemble.csv"));
}
