/// Apo- and pericentres and times of leaving in orbits.csv: those of orbits that are known, and the same
/// table on several ranks and after a resume.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "ranks/simulated.hpp"
#include "run/run.hpp"
#include "unit/run/plummer.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

namespace fs = std::filesystem;

struct Row {
  double time = 0, distance = 0;
  int id = 0;
  std::string event;
};
std::vector<Row> rows_of(const fs::path& table) {
  std::istringstream lines(read_file(table));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "time,id,event,distance");
  std::vector<Row> rows;
  while (std::getline(lines, line)) {
    std::ranges::replace(line, ',', ' ');
    std::istringstream words(line);
    Row row;
    words >> row.time >> row.id >> row.event >> row.distance;
    EXPECT_TRUE(bool(words)) << line;
    rows.push_back(row);
  }
  return rows;
}

/// A run of these bodies, one on each line: mass, position, velocity.
Request request_of(const test::Folder& folder, const std::string& bodies) {
  std::ofstream(folder.path / "bodies.csv") << bodies;
  Request request;
  auto& o = request.options;
  o.ic.file = (folder.path / "bodies.csv").string();
  o.engine.backend = "cpu";
  o.engine.precision = "f64";
  o.output.directory = (folder.path / "run").string();
  o.output.plots = o.output.pictures = false;
  return request;
}

}  // namespace

/// A Kepler orbit of semi-major axis 1 and eccentricity 1/2 from its apocentre on: pericentres at 1/2,
/// apocentres at 3/2, half a period of 2 pi apart. With u = r^2, u'''' = 4 (2 r'^2 / r^3 - r'' / r^2), at
/// most 20 in magnitude along the orbit.
TEST(Orbits, HaveTheApsidesOfAKeplerOrbit) {
  const test::Folder folder;
  auto request = request_of(folder, "0 1.5 0 0 0 0.5773502691896258 0\n0 3 0 0 0 0.1 0\n");
  auto& o = request.options;
  o.gravity.potentials = {"point mass=1"};
  o.gravity.softening = 0;
  o.time.integrator = "yoshida6";
  o.time.dt = 0x1p-8;
  o.time.t_end = 16;
  o.output.orbits_every = 8;
  ASSERT_EQ(execute(request), End::done);
  std::vector<Row> rows;
  for (const auto& row : rows_of(folder.path / "run/orbits.csv"))
    if (row.id == 0) rows.push_back(row);
  ASSERT_GE(rows.size(), 5U);
  const double h = 8 * 0x1p-8, u4 = 20;
  for (std::size_t k = 1; k <= 5; ++k) {
    const auto& row = rows[rows.front().event == "apocentre" ? k : k - 1];
    const bool peri = k % 2 == 1;
    const double r = peri ? 0.5 : 1.5, u2 = 2 * (1 / r - 1);
    EXPECT_EQ(row.event, peri ? "pericentre" : "apocentre") << k;
    // Of the cubic: its value errs by h^4 u4 / 384, its rate by sqrt(3) h^3 u4 / 216. The integrator by 1e-9.
    EXPECT_LE(std::abs(row.distance - r), h * h * h * h * u4 / 384 / (2 * r) + 1e-8) << k;
    EXPECT_LE(std::abs(row.time - double(k) * std::numbers::pi),
              std::sqrt(3) * h * h * h * u4 / 216 / std::abs(u2) + 1e-7)
        << k;
  }
}

/// A body that moves straight on from one of nearly no mass, and another one that comes in and goes out.
TEST(Orbits, TellWhenABodyLeavesTheRadiusOfAnother) {
  const test::Folder folder;
  auto request = request_of(folder, "1e-12 1 2 3 0.5 0 0\n0 1.1 2 3 1.5 0 0\n0 -1 2.3 3 2.5 0 0\n");
  auto& o = request.options;
  o.gravity.softening = 0.01;
  o.time.dt = 0x1p-5;
  o.time.t_end = 2;
  o.output.orbits_every = 4;
  o.output.orbits_about = {0};
  o.output.orbits_radius = 0.5;
  ASSERT_EQ(execute(request), End::done);
  const auto rows = rows_of(folder.path / "run/orbits.csv");
  ASSERT_EQ(rows.size(), 4U);
  // Distances 0.1 + t, and of the other the root of 0.3^2 + (2 t - 2)^2: u is a square, and the cubic exact.
  // The mass changes them by 1e-9.
  const Row expected[]{
      {0.4, 0.5, 1, "leaves"}, {0.8, 0.5, 2, "enters"}, {1, 0.3, 2, "pericentre"}, {1.2, 0.5, 2, "leaves"}};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(rows[k].id, expected[k].id);
    EXPECT_EQ(rows[k].event, expected[k].event);
    EXPECT_LE(std::abs(rows[k].time - expected[k].time), 1e-8) << k;
    EXPECT_LE(std::abs(rows[k].distance - expected[k].distance), 1e-8) << k;
  }
}

/// On a circular orbit about a point mass the tidal radius is R (m / 3 M)^(1/3).
TEST(Orbits, FindTheTidalRadiusInAPotential) {
  const test::Folder folder;
  auto request = request_of(folder, "3e-6 1 0 0 0 1 0\n0 1.005 0 0 0.05 1 0\n");
  auto& o = request.options;
  o.gravity.potentials = {"point mass=1"};
  o.gravity.softening = 1e-4;
  o.time.dt = 0x1p-10;
  o.time.t_end = 0.25;
  o.output.orbits_every = 2;
  o.output.orbits_about = {0};
  ASSERT_EQ(execute(request), End::done);
  const auto rows = rows_of(folder.path / "run/orbits.csv");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].event, "leaves");
  // The step changes the orbit by less than 1e-6 of its radius, and so the radius.
  EXPECT_LE(std::abs(rows[0].distance - 0.01), 1e-6);
}

TEST(Orbits, AreTheSameOnRanksAndAfterAResume) {
  std::vector<std::string> tables;
  for (const int ranks : {1, 3})
    for (const std::uint64_t every : {1, 4}) {
      const test::Folder folder;
      const auto run = folder.path / "run";
      const auto execute_on = [&](const Request& request) {
        if (ranks == 1) {
          EXPECT_EQ(execute(request), End::done);
          return;
        }
        ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& comm) {
          auto mine = request;
          mine.ranks = &comm;
          EXPECT_EQ(execute(mine), End::done);
        });
      };
      Request request;
      auto& o = request.options = test::plummer(3000);
      o.engine.kernel = "cpu/threads";
      o.output.pictures = false;
      o.output.directory = run.string();
      o.output.orbits_every = every;
      o.output.orbits_about = {7};
      o.output.orbits_radius = 0.5;
      o.checkpoint.every_steps = 6;
      execute_on(request);
      const auto whole = read_file(run / "orbits.csv");
      EXPECT_GT(std::ranges::count(whole, '\n'), 10);
      // Where a process would go on that was killed while it wrote the last checkpoint.
      fs::remove(run / (ranks == 1 ? "checkpoint.pleiad" : "checkpoint.ranks.pleiad"));
      Request again;
      again.resume = run;
      execute_on(again);
      EXPECT_EQ(read_file(run / "orbits.csv"), whole) << ranks << " ranks, every " << every;
      tables.push_back(whole);
    }
  EXPECT_EQ(tables[0], tables[2]);
  EXPECT_EQ(tables[1], tables[3]);
}

/// Mergers change the number of bodies and their division among ranks, between samples, too.
TEST(Orbits, GoOnWhereBodiesMerge) {
  std::vector<std::string> tables;
  for (const int ranks : {1, 2, 3})
    for (const bool stopped : {false, true}) {
      const test::Folder folder;
      const auto run = folder.path / "run";
      const auto execute_on = [&](const Request& request) {
        ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& comm) {
          auto mine = request;
          if (ranks > 1) mine.ranks = &comm;
          EXPECT_EQ(execute(mine), End::done);
        });
      };
      Request request;
      auto& o = request.options = test::plummer(300);
      o.engine.kernel = "cpu/threads";
      o.output.pictures = false;
      o.output.directory = run.string();
      o.output.orbits_every = 2;
      o.output.orbits_about = {7};
      o.output.orbits_radius = 0.5;
      o.encounters.radius = 0.03;
      o.encounters.on_collision = "merge";
      o.checkpoint.every_steps = 3;
      execute_on(request);
      if (stopped) {
        fs::remove(run / (ranks == 1 ? "checkpoint.pleiad" : "checkpoint.ranks.pleiad"));
        Request again;
        again.resume = run;
        execute_on(again);
      }
      EXPECT_GT(std::ranges::count(read_file(run / "events.csv"), '\n'), 2);
      tables.push_back(read_file(run / "orbits.csv"));
      EXPECT_EQ(tables.back(), tables.front()) << ranks << " ranks" << (stopped ? ", resumed" : "");
    }
  EXPECT_GT(std::ranges::count(tables.front(), '\n'), 10);
}

/// Two bodies that merge come first in the file: the places of the others change, their rows do not.
TEST(Orbits, AreThoseOfTheSameBodiesAfterAMerger) {
  const auto rows = [](const std::string& first) {
    const test::Folder folder;
    auto request = request_of(folder, first + "0 1 0 0 0 0.8 0\n0 0 0 0.7 1 0 0\n0 0 1.5 0 0.5 0 0.3\n");
    auto& o = request.options;
    o.gravity.potentials = {"point mass=1"};
    o.gravity.softening = 0;
    o.time.dt = 0x1p-8;
    o.time.t_end = 8;
    o.output.orbits_every = 4;
    o.encounters.radius = 0.001;
    o.encounters.on_collision = "merge";
    EXPECT_EQ(execute(request), End::done);
    if (!first.empty()) {
      EXPECT_NE(read_file(folder.path / "run/events.csv").find("merger"), std::string::npos);
    }
    return rows_of(folder.path / "run/orbits.csv");
  };
  const auto alone = rows(""), with_pair = rows("1e-14 9 0 0 0 0 0\n1e-14 9 2.2 0 0 -1 0\n");
  std::vector<Row> same;
  for (const auto& row : with_pair)
    if (row.id >= 2) same.push_back(row);
  ASSERT_EQ(same.size(), alone.size());
  EXPECT_GT(alone.size(), 9U);
  for (std::size_t k = 0; k < same.size(); ++k) {
    EXPECT_EQ(same[k].id - 2, alone[k].id) << k;
    EXPECT_EQ(same[k].event, alone[k].event) << k;
    // The pair pulls by 1e-14.
    EXPECT_LE(std::abs(same[k].time - alone[k].time), 1e-9) << k;
    EXPECT_LE(std::abs(same[k].distance - alone[k].distance), 1e-9) << k;
  }
}

TEST(Orbits, RefuseABodyThatIsNotThere) {
  const test::Folder folder;
  auto request = request_of(folder, "1 0 0 0 0 0 0\n1 1 0 0 0 0 0\n");
  request.options.output.orbits_every = 1;
  request.options.output.orbits_about = {77};
  EXPECT_THROW(execute(request), UsageError);
}
