/// Runs in external potentials: what is told of their energies, and the same bits on several ranks and after
/// a resume that finds no file of a potential any more.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/config/config.hpp"
#include "io/durable/durable.hpp"
#include "ranks/simulated.hpp"
#include "run/massless.hpp"
#include "run/observer.hpp"
#include "run/run.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

Request request_of(const std::filesystem::path& to, const std::vector<std::string>& potentials) {
  Request request;
  auto& o = request.options;
  o.ic.model = "plummer", o.ic.parameters = {"n=300"};
  o.ic.position = {1.5, 0.2, -0.1}, o.ic.velocity = {0, 0.9, 0.1};
  o.gravity.softening = 0.05, o.gravity.stated.softening = true;
  o.gravity.potentials = potentials;
  o.time.dt = 0.01, o.time.t_end = 0.4;
  o.engine.backend = "cpu", o.engine.kernel = "cpu/threads";
  o.output.directory = to.string();
  o.output.pictures = o.output.plots = false;
  o.output.diagnostics_interval = 0.1;
  return request;
}
nlohmann::json summary_of(const std::filesystem::path& directory) {
  return nlohmann::json::parse(read_file(directory / "summary.json"));
}
std::string head_of(const std::filesystem::path& directory) {
  return read_file(directory / "diagnostics.txt").substr(0, 400);
}

const std::string bar = "bar mass=2 length=1.2 width=0.3 height=0.2 omega=0.7",
                  disc = "miyamoto-nagai mass=3 scale=1 height=0.2";

}  // namespace

TEST(PotentialRuns, TellWhatEnergyTheFieldKeeps) {
  const test::Folder folder;
  const auto run = [&](const char* name, const std::vector<std::string>& potentials) {
    const auto to = folder.path / name;
    EXPECT_EQ(execute(request_of(to, potentials)), End::done);
    return to;
  };
  const auto still = run("still", {disc}), turning = run("turning", {disc, bar}),
             growing = run("growing", {disc + " e_fold=0.2"});
  EXPECT_EQ(summary_of(still).at("energy_error_is"), "dE/E");
  EXPECT_EQ(summary_of(turning).at("energy_error_is"), "dE/E of the Jacobi energy E - omega Lz");
  EXPECT_EQ(summary_of(growing).at("energy_error_is"), "dE/E by a field that changes with time");
  // dt = 0.01 resolves the orbits to that; the energy itself changes by more in the rotating bar.
  EXPECT_LE(std::abs(double(summary_of(still).at("largest_energy_error"))), 2e-4);
  EXPECT_LE(std::abs(double(summary_of(turning).at("largest_energy_error"))), 2e-4);
  // exp(2) times the field: far beyond limits.max_energy_error, which is 0.5 unless it is set.
  EXPECT_GT(std::abs(double(summary_of(growing).at("energy_change"))), 0.5);
  EXPECT_TRUE(summary_of(growing).at("energy_error").is_null());
  EXPECT_TRUE(summary_of(growing).at("largest_energy_error").is_null());
  EXPECT_EQ(head_of(still).find("energy_error:"), std::string::npos);
  EXPECT_NE(head_of(turning).find("# energy_error: of the Jacobi energy, total - omega lz\n"),
            std::string::npos);
  EXPECT_NE(head_of(growing).find(
                "# energy_error: change of the energy, which the external field changes; no error\n"),
            std::string::npos);
  const auto summary = summary_of(growing);  // kept, since a loop over a part of a temporary outlives it
  for (const auto& note : summary.at("notes"))
    EXPECT_EQ(std::string(note).find("dE/E"), std::string::npos) << note;
}

/// A body of which E - omega L_z stays while its energy changes from -1/2 to 0.
TEST(PotentialRuns, LookAtTheJacobiEnergiesOfMasslessBodies) {
  Bodies before, after;
  before.add(0, {1, 0, 0}, {0, 1, 0}), after.add(0, {1, 0, 0}, {0, 2, 0});
  const std::vector<double> phi{-1}, phi_after{-2};
  const auto change = [&](const std::optional<double>& omega) {
    Massless massless;
    massless.count(before);
    massless.look(before, phi, std::nullopt, omega);
    massless.look(after, phi_after, std::nullopt, omega);
    return *massless.change();
  };
  EXPECT_EQ(change(0.5).largest, 0);
  EXPECT_TRUE(change(0.5).conserved);
  EXPECT_EQ(change(0.0).largest, 0.5);
  EXPECT_FALSE(change(std::nullopt).conserved);
}

/// With a table and a track from files, which are gone when the run goes on.
TEST(PotentialRuns, HaveTheSameBitsOnRanksAndAfterAResumeWithoutFiles) {
  const test::Folder folder;
  const auto masses = folder.path / "masses.txt", track = folder.path / "track.txt";
  const auto write = [&] {
    std::ofstream(masses) << "0.5 0.2\n1 0.9\n2 2.1\n4 3.2\n8 4\n";
    std::ofstream(track) << "0 3 0 0\n0.3 2.9 0.3 0\n0.6 2.8 0.6 0\n1 2.5 1 0\n";
  };
  write();
  const std::vector<std::string> potentials{"table file=" + masses.string(),
                                            "plummer mass=2 scale=0.4 track=" + track.string(), bar,
                                            disc + " vx=0.1"};
  const auto whole = folder.path / "whole";
  EXPECT_EQ(execute(request_of(whole, potentials)), End::done);
  const auto hash = summary_of(whole).at("state_hash");
  for (const int ranks : {2, 3}) {
    const auto to = folder.path / ("ranks" + std::to_string(ranks));
    ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& comm) {
      auto mine = request_of(to, potentials);
      mine.ranks = &comm;
      EXPECT_EQ(execute(mine), End::done);
    });
    EXPECT_EQ(summary_of(to).at("state_hash"), hash) << ranks;
  }
  const auto cut = folder.path / "cut";
  auto request = request_of(cut, potentials);
  request.options.time.t_end = 0.2;
  EXPECT_EQ(execute(request), End::done);
  std::filesystem::remove(masses), std::filesystem::remove(track);
  Request onward;
  onward.resume = cut, onward.resume_settings = {"time.t_end=0.4"};
  EXPECT_EQ(execute(onward), End::done);
  EXPECT_EQ(summary_of(cut).at("state_hash"), hash);
}

/// A cluster that flies through a disc: it goes 16 units, three times the width of its first picture.
TEST(PotentialRuns, ShowTheirBodiesInEveryPicture) {
  const test::Folder folder;
  const auto flying = [&](const char* name, double until) {
    auto request = request_of(folder.path / name, {disc});
    auto& o = request.options;
    o.ic.velocity = {0, 40, 0};
    o.time.t_end = until;
    o.output.pictures = true, o.output.picture_interval = 0.1, o.output.picture_size = 100;
    EXPECT_EQ(execute(request), End::done);
    return folder.path / name;
  };
  const auto picture = [](const std::filesystem::path& run, int k) {
    return read_file(run / ("pictures/frame_0000" + std::to_string(k) + ".png"));
  };
  const auto whole = flying("whole", 0.4), cut = flying("cut", 0.2);
  // A picture without labels and bodies is black: a hundredth of the bytes.
  for (int k = 1; k <= 4; ++k) EXPECT_GE(picture(whole, k).size(), picture(whole, 0).size() / 2) << k;
  Request onward;
  onward.resume = cut, onward.resume_settings = {"time.t_end=0.4"};
  EXPECT_EQ(execute(onward), End::done);
  for (int k = 0; k <= 4; ++k) EXPECT_EQ(picture(cut, k), picture(whole, k)) << k;
}

TEST(PotentialRuns, RefuseTimesWithoutATrack) {
  const test::Folder folder;
  const auto refusal = [&](double t_end, const std::string& integrator) {
    auto request = request_of(folder.path / "out",
                              {"point mass=1 softening=0.1 track_rows=0,3,0,0,0,0,0,0.3,3,0,0,0,0,0"});
    request.options.time.t_end = t_end, request.options.time.integrator = integrator;
    request.overwrite = true;
    try {
      (void)execute(request);
    } catch (const UsageError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(0.3, "kdk"), "");
  EXPECT_EQ(refusal(0.4, "kdk"), "potential 'point': its track is from t = 0 to 0.3, the run from 0 to 0.4");
  EXPECT_NE(
      refusal(0.3, "yoshida6").find("its track is from t = 0 to 0.3; a step needs its centre at t = -0.00"),
      std::string::npos);
}

TEST(PotentialRuns, OfTheMilkyWayTellItsSource) {
  struct Notes : Observer {
    std::vector<std::string> all;
    void started(const Started& s) override { all = s.notes; }
  } notes;
  const test::Folder folder;
  auto request = request_of(folder.path / "out", {"milky-way kpc=100 msun=5e-5 x=-800"});
  request.observer = &notes;
  EXPECT_EQ(execute(request), End::done);
  bool told = false;
  for (const auto& note : notes.all)
    told = told || note.starts_with(
                       "potential 'milky-way kpc=100 msun=5e-05 x=-800': Milky Way (MilkyWayPotential "
                       "v1 of gala");
  EXPECT_TRUE(told);
  request.options.gravity.potentials = {"milky-way"};
  request.overwrite = true;
  EXPECT_THROW((void)execute(request), UsageError);  // the bodies have no physical units
}

TEST(PotentialRuns, BeginWhereTheyAreAsked) {
  const auto settled = [](std::vector<double> position) {
    Options o;
    o.ic.model = "plummer", o.ic.position = std::move(position);
    o.time.dt = 0.01, o.time.t_end = 1;
    check(o);
  };
  settled({});
  settled({1, 2, 3});
  EXPECT_THROW(settled({1, 2}), UsageError);
  EXPECT_THROW(settled({1}), UsageError);
}
