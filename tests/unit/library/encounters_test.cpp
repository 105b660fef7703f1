/// Encounters of simulations of the library: those of a run of the program, to the bit; bodies that merge and
/// vanish, stops, checkpoints, and the C interface.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "encounters/event.hpp"
#include "io/durable/durable.hpp"
#include "run/run.hpp"
#include "unit/scratch.hpp"

#include <pleiad/encounters.hpp>
#include <pleiad/error.hpp>
#include <pleiad/files.hpp>
#include <pleiad/pleiad.h>
#include <pleiad/rng.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

namespace fs = std::filesystem;

/// Bodies that fall together, from a sphere; some are test particles, one flies away.
Snapshot falling() {
  Snapshot s;
  for (std::uint64_t i = 0; i < 60; ++i) {
    Random random(3, i);
    const auto within = [&] { return random.uniform(-1, 1); };
    const Vec3<double> x{within(), within(), within()};
    s.bodies.add(i % 9 == 0 ? 0 : 0.05, x, -1.0 * x);
  }
  s.bodies.add(0.001, {1.5, 0, 0}, {6, 0, 0});
  for (std::size_t i = 0; i < s.bodies.size(); ++i) s.bodies.id[i] = 4 + 3 * ((17 * i) % s.bodies.size());
  return s;
}
SimulationOptions options() {
  return {.softening = 0.02,
          .dt = 1.0 / 64,
          .precision = Precision::f64,
          .backend = "cpu",
          .kernel = "cpu/threads"};
}
EncounterSettings settings() {
  return {.distance = 0.1,
          .density = 500,
          .radii = {{7, 0.08}},
          .escape_radius = 3,
          .on_collision = Reaction::merge,
          .on_escape = Reaction::remove};
}
std::string rows(const std::vector<Encounter>& events) {
  std::string text;
  for (const auto& e : events) text += encounters::row_of(e) + "\n";
  return text;
}
std::string hash(Simulation& s) { return state_hash(s.snapshot().bodies); }
std::size_t count(const std::vector<Encounter>& events, EncounterKind kind) {
  return std::size_t(std::ranges::count(events, kind, &Encounter::kind));
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const UsageError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(LibraryEncounters, AreThoseOfARunToTheBit) {
  const test::Folder folder;
  const auto file = folder.path / "falling.csv";
  write_snapshot(file, falling(), {.format = &format_named("csv")});
  run::Request request;
  auto& o = request.options;
  o.ic.file = file.string();
  o.gravity.softening = 0.02, o.gravity.stated.softening = true;
  o.time.dt = 1.0 / 64, o.time.t_end = 1;
  o.engine.backend = "cpu", o.engine.kernel = "cpu/threads", o.engine.precision = "f64";
  o.output.directory = (folder.path / "run").string(), o.output.pictures = o.output.plots = false;
  o.encounters.distance = 0.1, o.encounters.density = 500, o.encounters.radii = {"7=0.08"};
  o.encounters.escape_radius = 3, o.encounters.on_collision = "merge", o.encounters.on_escape = "remove";
  o.limits.max_energy_error = 0;
  ASSERT_EQ(run::execute(request), run::End::done);
  Simulation sim(read_snapshot(file).snapshot, options());
  sim.watch_encounters(settings());
  EXPECT_TRUE(sim.run_until(1));
  const auto table = read_file(folder.path / "run" / "events.csv");
  EXPECT_EQ(table, std::string(encounters::event_columns) + "\n" + rows(sim.encounters()));
  const auto summary = read_file(folder.path / "run" / "summary.json");
  EXPECT_NE(summary.find(hash(sim)), std::string::npos);
  EXPECT_GT(count(sim.encounters(), EncounterKind::approach), 5U);
  EXPECT_GT(count(sim.encounters(), EncounterKind::merger), 5U);
  EXPECT_EQ(count(sim.encounters(), EncounterKind::removal), 1U);
  EXPECT_EQ(sim.size(), 61 - count(sim.encounters(), EncounterKind::merger) - 1);
}

TEST(LibraryEncounters, AreToldAfterTheBodiesHaveChangedAndGoOnFromACheckpoint) {
  const test::Folder folder;
  Simulation whole(falling(), options());
  whole.watch_encounters(settings());
  std::vector<Encounter> told;
  whole.tell_encounters([&](const Encounter& e) {
    told.push_back(e);
    const auto& ids = whole.snapshot().bodies.id;
    const auto gone = e.kind == EncounterKind::merger    ? e.other
                      : e.kind == EncounterKind::removal ? std::optional(e.id)
                                                         : std::nullopt;
    if (gone) {
      EXPECT_EQ(std::ranges::count(ids, *gone), 0) << *gone;
    }
  });
  EXPECT_TRUE(whole.run_until(1));
  EXPECT_EQ(rows(told), rows(whole.encounters()));
  Simulation parted(falling(), options());
  parted.watch_encounters(settings());
  std::string found;
  for (double t = 0.125; t <= 1; t += 0.125) {
    EXPECT_TRUE(parted.run_until(t));
    save(parted, folder.path);
    found += rows(parted.encounters());
    parted = load(folder.path);
    ASSERT_TRUE(parted.watched_encounters());
    EXPECT_EQ(parted.watched_encounters()->density, 500);
    EXPECT_TRUE(parted.encounters().empty());
  }
  EXPECT_EQ(found, rows(whole.encounters()));
  EXPECT_EQ(hash(parted), hash(whole));
  EXPECT_EQ(parted.diagnostics().energy_error, whole.diagnostics().energy_error);
}

TEST(LibraryEncounters, TakeEnergyThatIsNoError) {
  const auto error = [](double dt) {
    auto o = options();
    o.dt = dt;
    Simulation sim(falling(), o);
    const double before = sim.energies().total();
    sim.watch_encounters(settings());
    EXPECT_TRUE(sim.run_until(1));
    // What the bodies have lost is of the order of all that they had.
    EXPECT_GT(std::abs(sim.energies().total() - before), 0.5 * std::abs(before));
    return std::abs(sim.diagnostics().energy_error);
  };
  // What is left is the error of a leapfrog, of order 2: 4 of |E| at dt = 1/64, whose closest pairs are not
  // resolved.
  EXPECT_LT(error(1.0 / 2048), 4.0 / 1024);
}

TEST(LibraryEncounters, StopAndGoOn) {
  auto stopping = settings();
  stopping.on_approach = Reaction::stop;
  Simulation whole(falling(), options()), parted(falling(), options());
  whole.watch_encounters(settings()), parted.watch_encounters(stopping);
  int calls = 0, stops = 0;
  parted.every(1.0 / 64, [&](const Snapshot&) { ++calls; });
  EXPECT_TRUE(whole.run_until(1));
  EXPECT_EQ(whole.stopped_by(), "");
  while (!parted.run_until(1)) {
    ASSERT_LT(++stops, 64);
    EXPECT_NE(parted.stopped_by().find("an approach of bodies "), std::string::npos) << parted.stopped_by();
    EXPECT_EQ(parted.encounters().back().step, parted.step());
  }
  EXPECT_GT(stops, 3);
  EXPECT_EQ(calls, 65);
  EXPECT_EQ(rows(whole.encounters()), rows(parted.encounters()));
  EXPECT_EQ(hash(whole), hash(parted));
  Simulation stepped(falling(), options());
  stepped.watch_encounters(stopping);
  stepped.make_steps(64);
  EXPECT_LT(stepped.step(), 64U);
  EXPECT_FALSE(stepped.stopped_by().empty());
}

TEST(LibraryEncounters, HappenWithATreeWhoseAccuracyIsKept) {
  auto o = options();
  o.accuracy = 1e-3, o.kernel = "auto";
  Simulation sim(falling(), o);
  sim.watch_encounters(settings());
  EXPECT_TRUE(sim.run_until(1));
  EXPECT_LT(sim.size(), 56U);
  EXPECT_LE(sim.force_errors().p99, 1e-3);
}

TEST(LibraryEncounters, AreNotFoundWhereBodiesAreMovedBetweenSteps) {
  Snapshot s;
  s.bodies.add(1, {0, 0, 0}, {0, 0, 0}), s.bodies.add(1e-9, {3, 0, 0}, {0, 0.5, 0});
  s.bodies.id = {0, 1};
  Simulation sim(s, {.dt = 1.0 / 64, .kernel = "cpu/threads"});
  sim.watch_encounters({.distance = 0.5});
  sim.make_steps(4);
  auto moved = sim.snapshot().bodies;
  moved.x[1] = -3;  // through the other one, if it were a path
  sim.move_bodies(moved);
  sim.make_steps(4);
  EXPECT_TRUE(sim.encounters().empty());
  sim.watch_encounters({});
  EXPECT_FALSE(sim.watched_encounters());
}

TEST(LibraryEncounters, AreRefusedWhereTheyCannotBe) {
  Simulation sim(falling(), options());
  const auto why = [&](const EncounterSettings& s) { return refusal([&] { sim.watch_encounters(s); }); };
  EXPECT_EQ(why({.distance = -1}), "encounters.distance = -1 must be finite and >= 0");
  EXPECT_EQ(why({.distance = std::nan("")}), "encounters.distance = nan must be finite and >= 0");
  EXPECT_EQ(why({.radius = 1, .density = 1}),
            "encounters.radius and encounters.density both give radii: set only one of them");
  EXPECT_EQ(why({.distance = 1, .on_collision = Reaction::merge}),
            "encounters.on_collision = \"merge\" needs encounters.radius, density or radii");
  EXPECT_EQ(why({.on_escape = Reaction::stop}),
            "encounters.on_escape = \"stop\" needs encounters.escape_radius");
  EXPECT_EQ(why({.escape_radius = 1, .on_escape = Reaction::merge}),
            "encounters.on_escape = \"merge\" is no reaction to it");
  EXPECT_NE(why({.radii = {{1, 0.1}}}).find("there is no body with id 1; ids go from 4 to 184"),
            std::string::npos);
  EXPECT_FALSE(sim.watched_encounters());
  auto boxed = falling();
  boxed.boundary = {true, {20, 20, 20}};
  Simulation periodic(boxed, options());
  EXPECT_NE(refusal([&] { periodic.watch_encounters({.distance = 0.1}); }).find("open space"),
            std::string::npos);
}

/// The unit and the centre of the sphere of escapes go through a checkpoint, and refusals name what is
/// missing.
TEST(LibraryEncounters, EscapeThroughSpheresOfTheClusterItself) {
  const test::Folder folder;
  const EncounterSettings stated{.escape_radius = 3, .escape_unit = EscapeUnit::half_mass_radius};
  Simulation whole(falling(), options()), cut(falling(), options());
  whole.watch_encounters(stated), cut.watch_encounters(stated);
  EXPECT_TRUE(whole.run_until(1));
  EXPECT_GT(count(whole.encounters(), EncounterKind::escape), 3U);
  EXPECT_TRUE(cut.run_until(0.5));
  save(cut, folder.path);
  auto again = load(folder.path);
  ASSERT_TRUE(again.watched_encounters());
  EXPECT_EQ(*again.watched_encounters(), stated);
  EXPECT_TRUE(again.run_until(1));
  EXPECT_EQ(rows(whole.encounters()), rows(cut.encounters()) + rows(again.encounters()));
  const auto why = [&](const EncounterSettings& s) { return refusal([&] { whole.watch_encounters(s); }); };
  EXPECT_EQ(why({.escape_radius = 2, .escape_unit = EscapeUnit::half_mass_radius}),
            "encounters.escape_radius = 2 half-mass radii need not hold most of the mass; it must be >= 3");
  EXPECT_NE(why({.escape_radius = 1, .escape_unit = EscapeUnit::tidal_radius}).find("set gravity.potentials"),
            std::string::npos);
  EXPECT_NE(
      why({.distance = 1, .escape_centre = EscapeCentre::density}).find("encounters.escape_radius: set it"),
      std::string::npos);
}

TEST(LibraryEncounters, AreThoseOfCppInC) {
  Simulation same(falling(), options());
  auto stated = settings();
  stated.on_escape = Reaction::stop;
  same.watch_encounters(stated);
  EXPECT_FALSE(same.run_until(1));
  const auto s = falling();
  std::vector<double> x, v;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const auto here = s.bodies.position(i), speed = s.bodies.velocity(i);
    x.insert(x.end(), {here.x, here.y, here.z}), v.insert(v.end(), {speed.x, speed.y, speed.z});
  }
  pleiad_bodies* bodies = nullptr;
  const test::Folder folder;
  write_snapshot(folder.path / "falling.csv", s, {.format = &format_named("csv")});
  ASSERT_EQ(pleiad_bodies_read((folder.path / "falling.csv").c_str(), &bodies), PLEIAD_OK);
  pleiad_simulation_options o;
  pleiad_simulation_defaults(&o);
  o.softening = 0.02, o.dt = 1.0 / 64, o.precision = "f64", o.backend = "cpu", o.kernel = "cpu/threads";
  pleiad_simulation* sim = nullptr;
  ASSERT_EQ(pleiad_simulation_new(bodies, &o, &sim), PLEIAD_OK);
  pleiad_bodies_free(bodies);
  pleiad_encounter_settings e;
  pleiad_encounter_defaults(&e);
  const std::uint64_t id = 7;
  const double radius = 0.08;
  e.distance = 0.1, e.density = 500, e.ids = &id, e.radii = &radius, e.own_radii = 1;
  e.escape_radius = 3, e.on_collision = "merge", e.on_escape = "vanish";
  EXPECT_EQ(pleiad_simulation_watch_encounters(sim, &e), PLEIAD_USAGE);
  EXPECT_STREQ(pleiad_last_error(), "a reaction must be one of record, stop, merge, remove, not 'vanish'");
  e.on_escape = "stop", e.escape_unit = "parsecs";
  EXPECT_EQ(pleiad_simulation_watch_encounters(sim, &e), PLEIAD_USAGE);
  EXPECT_STREQ(pleiad_last_error(),
               "escape_unit must be one of length, half-mass-radius, tidal-radius, not 'parsecs'");
  e.escape_unit = "length";
  ASSERT_EQ(pleiad_simulation_watch_encounters(sim, &e), PLEIAD_OK);
  EXPECT_EQ(pleiad_simulation_run_until(sim, 1, nullptr, nullptr), PLEIAD_STOPPED);
  EXPECT_EQ(pleiad_last_error(), same.stopped_by());
  EXPECT_EQ(pleiad_simulation_time(sim), same.time());
  EXPECT_EQ(pleiad_simulation_count(sim), same.size());
  std::size_t all = 0;
  ASSERT_EQ(pleiad_simulation_encounters(sim, 0, nullptr, 0, &all), PLEIAD_OK);
  ASSERT_EQ(all, same.encounters().size());
  std::vector<pleiad_encounter> found(all);
  ASSERT_EQ(pleiad_simulation_encounters(sim, 1, found.data(), all, &all), PLEIAD_OK);
  for (std::size_t k = 1; k < all; ++k) {
    const auto& there = same.encounters()[k];
    const auto& here = found[k - 1];
    EXPECT_EQ(int(here.kind), int(there.kind));
    EXPECT_EQ(here.time, there.time);
    EXPECT_EQ(here.id, there.id);
    EXPECT_EQ(here.other, there.other.value_or(there.id));
    EXPECT_EQ(here.position[2], there.x.z);
    EXPECT_EQ(std::isnan(here.energy_lost), !there.energy_lost);
  }
  pleiad_simulation_free(sim);
}
