/// Energy errors where the energy at the start is about 0: they are relative to T + |W| then, in runs,
/// resumed ones, those with mergers, ensembles and simulations of the library.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "run/run.hpp"
#include "unit/scratch.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/ensemble.hpp>
#include <pleiad/files.hpp>
#include <pleiad/rng.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

namespace fs = std::filesystem;

/// Two bodies, masses 1 and `ratio`, with the pericentre 1 and this eccentricity, at `angle` from pericentre;
/// about their centre of mass, turned by `turn`.
Snapshot pair(double ratio, double eccentricity, double angle, double turn) {
  const double total = 1 + ratio, p = 1 + eccentricity;
  const double r = p / (1 + eccentricity * std::cos(angle)), k = std::sqrt(total / p);
  const auto turned = [&](double x, double y) {
    return Vec3<double>{x * std::cos(turn) - y * std::sin(turn),
                        0.6 * (x * std::sin(turn) + y * std::cos(turn)),
                        0.8 * (x * std::sin(turn) + y * std::cos(turn))};
  };
  const auto x = turned(r * std::cos(angle), r * std::sin(angle));
  const auto v = turned(-k * std::sin(angle), k * (eccentricity + std::cos(angle)));
  Snapshot s;
  s.bodies.add(1, (-ratio / total) * x, (-ratio / total) * v);
  s.bodies.add(ratio, (1 / total) * x, (1 / total) * v);
  s.bodies.id = {0, 1};
  return s;
}
double parts_of(const Energies& e) { return e.kinetic + std::abs(e.potential); }

fs::path written(const fs::path& file, const Snapshot& s) {
  write_snapshot(file, s, {.format = &format_named("csv")});
  return file;
}

Request request_of(const fs::path& file, const fs::path& to) {
  Request request;
  auto& o = request.options;
  o.ic.file = file.string();
  o.gravity.softening = 0, o.gravity.stated.softening = true;
  o.time.dt = 1.0 / 64, o.time.t_end = 6;
  o.engine.backend = "cpu", o.engine.kernel = "cpu/threads";
  o.output.directory = to.string();
  o.output.pictures = o.output.plots = false;
  o.output.diagnostics_interval = 0.5;
  return request;
}

nlohmann::json summary_of(const fs::path& directory) {
  return nlohmann::json::parse(read_file(directory / "summary.json"));
}

constexpr std::string_view parts_line =
    "# energy_error: of the parts, kinetic + |potential|, at the start, whose sum is about 0\n";

}  // namespace

TEST(ParabolicPairs, HaveErrorsRelativeToTheirParts) {
  for (std::uint64_t k = 0; k < 200; ++k) {
    Random random(5, k);
    const double ratio = std::exp(random.uniform(-12, 2)), angle = random.uniform(-2, 2);
    // |E| / (T + |W|) is |1 - e| r / 4 at the distance r, here 1 to 3.4.
    const double away = k % 3 == 0 ? 0 : k % 3 == 1 ? std::pow(10, random.uniform(-14, -6.5)) : -1e-8;
    const auto s = pair(ratio, 1 + away, angle, random.uniform(0, 6));
    const auto e = direct_energies(s.bodies, {});
    EXPECT_EQ(energy_scale(e.total(), e), parts_of(e)) << k;
    // The same in single precision, whose rounding makes the energy.
    auto rounded = s.bodies;
    for (auto* column :
         {&rounded.mass, &rounded.x, &rounded.y, &rounded.z, &rounded.vx, &rounded.vy, &rounded.vz})
      for (double& value : *column) value = double(float(value));
    const auto single = direct_energies(rounded, {});
    EXPECT_EQ(energy_scale(single.total(), single), parts_of(single)) << k;
  }
}

TEST(ParabolicPairs, AreNotOrbitsWithAnEnergy) {
  for (const double e : {0.0, 0.5, 0.9999, 0.99999, 1.00001, 3.0})
    for (const double angle : {0.0, 1.0, -1.5}) {
      const auto energies = direct_energies(pair(0.3, e, angle, 1).bodies, {});
      EXPECT_EQ(energy_scale(energies.total(), energies), std::abs(energies.total())) << e << " at " << angle;
    }
  EXPECT_EQ(energy_scale(0, {}), 0);
  EXPECT_EQ(energy_error(0.25, 0), 0.25);
  EXPECT_EQ(energy_scale(0, {.kinetic = 2, .potential = -2}), 4);
  // The Jacobi energy has a third part.
  EXPECT_EQ(energy_scale(0, {.kinetic = 2, .potential = -1}), 4);
  EXPECT_EQ(energy_scale(-0.5, {.kinetic = 1, .potential = -1.5}), 0.5);
  EXPECT_TRUE(std::isnan(energy_error(
      0, energy_scale(std::numeric_limits<double>::quiet_NaN(), {.kinetic = 1, .potential = std::nan("")}))));
}

TEST(ParabolicPairs, RunToTheirEndAndResume) {
  const test::Folder folder;
  for (const double e : {1.0, 1 - 1e-9, 1 + 1e-8}) {
    const auto file = written(folder.path / "pair.csv", pair(1, e, -2, 0.3));
    const auto whole = folder.path / "whole", parted = folder.path / "parted";
    ASSERT_EQ(execute(request_of(file, whole)), End::done);
    auto first = request_of(file, parted);
    first.options.time.t_end = 3;
    ASSERT_EQ(execute(first), End::done);
    Request onward;
    onward.resume = parted, onward.resume_settings = {"time.t_end=6"};
    ASSERT_EQ(execute(onward), End::done);
    for (const auto& directory : {whole, parted}) {
      const auto summary = summary_of(directory);
      EXPECT_EQ(summary.at("energy_error_is"), "|dE| / (T + |W|) of the start");
      // A leapfrog in the passage: (h / tau)^2 = 4e-3 of T there, tau = 1/4 (v / a at pericentre is 1/2 of
      // masses 1 and 1); T there is less than 4 times (T + |W|) of the start.
      EXPECT_LT(summary.at("largest_energy_error"), 0.016);
      EXPECT_GT(summary.at("largest_energy_error"), 0);
    }
    const auto table = read_file(whole / "diagnostics.txt");
    EXPECT_NE(table.find(parts_line), std::string::npos);
    EXPECT_EQ(table, read_file(parted / "diagnostics.txt"));
    fs::remove_all(whole), fs::remove_all(parted);
  }
}

TEST(ParabolicPairs, MergeWithAClosedTable) {
  const test::Folder folder;
  auto s = pair(1, 1, -2, 0.3);
  s.bodies.add(1e-9, {40, 0, 0}, {}), s.bodies.id[2] = 2;  // for a pair after the merger
  auto request = request_of(written(folder.path / "pair.csv", s), folder.path / "run");
  request.options.encounters.radius = 0.55, request.options.encounters.on_collision = "merge";
  request.options.engine.precision = "f64";
  ASSERT_EQ(execute(request), End::done);
  const auto summary = summary_of(folder.path / "run");
  EXPECT_EQ(summary.at("encounters").at("merger"), 1);
  EXPECT_EQ(summary.at("energy_error_is"), "|dE| / (T + |W|) of the start");
  EXPECT_LT(summary.at("largest_energy_error"), 0.016);  // as above
}

TEST(ParabolicPairs, AreSystemsOfAnEnsemble) {
  History history;
  for (const double angle : {-2.0, -1.0, 0.0}) history.add(diagnose(pair(1, 1, angle, 0.3), Gravity{}));
  // Three states of one parabola: energies of a few roundings of T.
  EXPECT_LT(std::abs(history.energy_error()), 1e-14);
  EXPECT_LT(history.worst_energy_error, 1e-14);
  const test::Folder folder;
  auto request = request_of(written(folder.path / "pair.csv", pair(1, 1, -2, 0.3)), folder.path / "run");
  request.options.ensemble.vary = {"time.dt=0.015625,0.0078125"};
  ASSERT_EQ(execute(request), End::done);
  const auto summary = summary_of(folder.path / "run");
  EXPECT_EQ(summary.at("energy_error_is"), "|dE| / (T + |W|) of the start");
  EXPECT_LT(summary.at("worst_energy_error").at("largest"), 0.016);
}

TEST(ParabolicPairs, AreSimulationsOfTheLibrary) {
  const test::Folder folder;
  Simulation sim(pair(1, 1, -2, 0.3), {.dt = 1.0 / 64, .integrator = "hermite4"});
  const auto start = sim.energies();
  EXPECT_EQ(sim.energy_scale(), parts_of(start));
  (void)sim.run_until(2);
  const double error = sim.diagnostics().energy_error;
  EXPECT_EQ(error, (sim.energies().total() - start.total()) / parts_of(start));
  EXPECT_LT(std::abs(error), 1e-4);
  save(sim, folder.path);
  auto loaded = load(folder.path);
  EXPECT_EQ(loaded.energy_scale(), parts_of(start));
  EXPECT_EQ(loaded.diagnostics().energy_error, error);
}
