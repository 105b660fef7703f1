/// What is written comes back: to the bit where the format holds doubles, to the float where it holds floats,
/// or it is said to be lost.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/hdf5.hpp"
#include "io/files/share.hpp"
#include "ranks/simulated.hpp"
#include "unit/files/golden.hpp"

#include <pleiad/error.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad {
namespace {

using golden::Folder, golden::bytes_of;
namespace fs = std::filesystem;

/// 97 bodies of all types, in the order of their types, with 53-bit numbers; `single`: rounded to floats.
Snapshot sample(bool rounded, const Units& units) {
  Snapshot s;
  Random r(7, 0);
  const auto round = [&](double v) { return rounded ? double(float(v)) : v; };
  for (std::size_t i = 0; i < 97; ++i) {
    s.bodies.add(round(r.uniform()), {round(r.normal()), round(r.normal()), round(1e3 * r.normal())},
                 {round(r.normal()), round(r.normal()), round(r.normal())}, Type(i * 6 / 97));
    s.bodies.id.back() = 1000 + 17 * ((i * 31) % 97);
  }
  s.time = 1.0 / 3, s.step = 12345678901;
  s.units = units, s.G = units.G();
  return s;
}

void add_tree_sums(Snapshot& s) {
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const double k = 1 + double(i);
    s.ax.push_back(1 / k), s.ay.push_back(2 / k), s.az.push_back(-3 / k), s.potential.push_back(-k / 7);
  }
}

void expect_same(const Snapshot& a, const Snapshot& b) {
  EXPECT_TRUE(a.bodies == b.bodies);
  EXPECT_EQ(state_hash(a.bodies), state_hash(b.bodies));
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.units, b.units);
  EXPECT_EQ(a.G, b.G);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.boundary.periodic, b.boundary.periodic);
  EXPECT_TRUE(!a.boundary.periodic || a.boundary.length == b.boundary.length);
  EXPECT_EQ(a.boundary.all_images(), b.boundary.all_images());
  EXPECT_EQ(a.ax, b.ax);
  EXPECT_EQ(a.ay, b.ay);
  EXPECT_EQ(a.az, b.az);
  EXPECT_EQ(a.potential, b.potential);
}

std::vector<Units> systems() {
  std::vector<Units> all{custom_units(1.5e18, 2e33, 3e4)};
  for (const auto name : unit_system_names()) all.push_back(units_named(name));
  return all;
}

std::vector<const Format*> named(std::initializer_list<std::string_view> names) {
  std::vector<const Format*> all;
  for (const auto name : names) all.push_back(&format_named(name));
  return all;
}

TEST(RoundTrip, Hdf5AndCsvKeepEverythingToTheBit) {
  const Folder folder;
  for (const Format* format : named({"hdf5", "csv"}))
    for (const Units& units : systems())
      for (const bool pulls : {false, true}) {
        Snapshot s = sample(false, units);
        if (pulls) add_tree_sums(s), s.G = 3.25, s.boundary = {true, {4000, 5000, 6000.1}, Images::all};
        const WriteOptions how{.format = format, .units = {}, .provenance = "[time]\ndt = 0.1\n"};
        EXPECT_TRUE(losses(s, how).empty());
        write_snapshot(folder / "s", s, how);
        const FileContent c = read_snapshot(folder / "s");
        EXPECT_EQ(c.format, format);
        EXPECT_TRUE(c.units_stated);
        EXPECT_TRUE(c.notes.empty()) << c.notes.front();
        expect_same(c.snapshot, s);
      }
}

TEST(RoundTrip, SinglePrecisionFormatsKeepFloatsExactly) {
  const Folder folder;
  for (const Format* format : named({"hdf5", "gadget1", "gadget2"}))
    for (const Units& units : systems()) {
      Snapshot s = sample(true, units);
      write_snapshot(folder / "s", s,
                     {.format = format, .units = {}, .double_precision = false, .provenance = {}});
      const FileContent c = read_snapshot(folder / "s");
      EXPECT_EQ(c.format, format);
      EXPECT_TRUE(c.units_stated);
      if (!format->kept.step) s.step = 0;
      expect_same(c.snapshot, s);
    }
}

TEST(RoundTrip, WideIdsSurviveInEveryFormatThatHasIds) {
  const Folder folder;
  Snapshot s = sample(true, units_named("galactic"));
  s.bodies.id[3] = 0xfedcba9876543210;
  for (const Format* format : named({"hdf5", "gadget1", "gadget2", "csv"})) {
    write_snapshot(folder / "s", s, {.format = format, .units = {}, .provenance = {}});
    EXPECT_EQ(read_snapshot(folder / "s").snapshot.bodies.id, s.bodies.id) << format->name;
  }
}

TEST(RoundTrip, TipsyKeepsWhatItCanAndSaysWhatItCannot) {
  const Folder folder;
  const Snapshot s = sample(true, units_named("nbody"));
  for (const Format* format : named({"tipsy", "tipsy-little"})) {
    const WriteOptions how{.format = format, .units = {}, .provenance = {}};
    std::string lost;
    for (const auto& l : losses(s, how)) lost += l + "\n";
    EXPECT_EQ(lost.find("single precision"), std::string::npos) << "these numbers are floats";
    for (const char* word : {"no type disc", "no type bulge", "no type boundary", "no ids", "step"})
      EXPECT_NE(lost.find(word), std::string::npos) << word << " in\n" << lost;
    write_snapshot(folder / "s", s, how);
    const Snapshot t = read_snapshot(folder / "s").snapshot;
    ASSERT_EQ(t.bodies.size(), s.bodies.size());
    EXPECT_EQ(t.time, s.time);
    // Records stand as gas, dark (halo, boundary), star (disc, bulge, star); the masses tell who is who.
    std::size_t k = 0;
    for (const auto& [kinds, as] : {std::pair{std::vector{Type::gas}, Type::gas},
                                    {std::vector{Type::halo, Type::boundary}, Type::halo},
                                    {std::vector{Type::disc, Type::bulge, Type::star}, Type::star}})
      for (std::size_t i = 0; i < s.bodies.size(); ++i)
        if (std::find(kinds.begin(), kinds.end(), s.bodies.type[i]) != kinds.end()) {
          EXPECT_EQ(t.bodies.mass[k], s.bodies.mass[i]);
          EXPECT_EQ(t.bodies.position(k), s.bodies.position(i));
          EXPECT_EQ(t.bodies.velocity(k), s.bodies.velocity(i));
          EXPECT_EQ(t.bodies.type[k], as);
          ++k;
        }
  }
}

TEST(RoundTrip, TipsyKeepsSofteningsAndSkipsWhatIsNone) {
  const Folder folder;
  Snapshot s;
  for (const Type type : {Type::gas, Type::halo, Type::halo, Type::star})
    s.bodies.add(1, {double(s.bodies.size()), 0, 0}, {}, type);
  for (const Format* format : named({"tipsy", "tipsy-little"})) {
    const WriteOptions how{.format = format, .units = {}, .provenance = {}};
    s.bodies.softening = {0.25, 0.5, 0, 2};
    EXPECT_TRUE(losses(s, how).empty());
    write_snapshot(folder / "s", s, how);
    EXPECT_EQ(read_snapshot(folder / "s").snapshot.bodies.softening, s.bodies.softening);
    s.bodies.softening.clear();
    write_snapshot(folder / "s", s, how);
    EXPECT_TRUE(read_snapshot(folder / "s").snapshot.bodies.softening.empty());
    s.bodies.softening = {0.25, -0.5, 0, 2};
    write_snapshot(folder / "s", s, how);
    const auto read = read_snapshot(folder / "s");
    EXPECT_TRUE(read.snapshot.bodies.softening.empty());
    EXPECT_NE(std::ranges::find(read.notes, "the slots of the softenings hold no lengths >= 0: skipped"),
              read.notes.end());
    // A length that single precision does not have.
    s.bodies.softening = {0.25, 0.5, 1e-60, 2};
    EXPECT_THROW(write_snapshot(folder / "s", s, how), InputError);
  }
}

// The first bytes of a TIPSY file are its time: here the marks 256, in both orders, and 8 with "HEAD", with
// which GADGET's files begin.
TEST(RoundTrip, ATimeOfTipsyMayLookLikeAMarkOfGadgets) {
  const Folder folder;
  for (const std::uint64_t bits : {0x3fe0000000010000u, 0x3fe0000000000100u, 0x0000010000000000u,
                                   0x4441454800000008u, 0x0000000848454144u})
    for (const Format* format : named({"tipsy", "tipsy-little"})) {
      Snapshot s = sample(true, units_named("nbody"));
      s.time = std::bit_cast<double>(bits);
      write_snapshot(folder / "t", s, {.format = format, .units = {}, .provenance = {}});
      const auto back = read_snapshot(folder / "t");
      EXPECT_EQ(back.format, format) << std::hex << bits;
      EXPECT_EQ(back.snapshot.time, s.time) << std::hex << bits;
    }
}

TEST(RoundTrip, RoundingIsSaidWhereItHappens) {
  for (const Format* format : named({"gadget1", "gadget2"})) {
    Snapshot s;
    s.bodies.add(1, {0.5, 0, 0}, {});
    EXPECT_TRUE(losses(s, {.format = format, .units = {}, .provenance = {}}).empty());
    s.bodies.x[0] = 0.1;
    const auto lost = losses(s, {.format = format, .units = {}, .provenance = {}});
    ASSERT_EQ(lost.size(), 1u);
    EXPECT_NE(lost[0].find("single precision"), std::string::npos);
  }
}

TEST(RoundTrip, MixedTypesAreGroupedAndTheLossOfOrderIsSaid) {
  const Folder folder;
  Snapshot s = sample(false, units_named("nbody"));
  std::reverse(s.bodies.type.begin(), s.bodies.type.end());
  const WriteOptions how{.format = &format_named("hdf5"), .units = {}, .provenance = {}};
  ASSERT_EQ(losses(s, how).size(), 1u);
  write_snapshot(folder / "s", s, how);
  const Bodies b = read_snapshot(folder / "s").snapshot.bodies;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const auto was =
        std::size_t(std::find(s.bodies.id.begin(), s.bodies.id.end(), b.id[i]) - s.bodies.id.begin());
    ASSERT_LT(was, s.bodies.size());
    EXPECT_EQ(b.type[i], s.bodies.type[was]);
    EXPECT_EQ(b.position(i), s.bodies.position(was));
  }
}

TEST(RoundTrip, UnitsAreConvertedOnTheWayOut) {
  const Folder folder;
  Snapshot s = sample(false, units_named("cluster"));
  add_tree_sums(s);
  const Units to = units_named("galactic");
  write_snapshot(folder / "s", s, {.format = &format_named("hdf5"), .units = to, .provenance = {}});
  const Snapshot t = read_snapshot(folder / "s").snapshot;
  EXPECT_EQ(t.units, to);
  // A few roundings per value; 1e-14 allows 45 of them.
  const auto near = [](double a, double b) { EXPECT_LE(std::abs(a - b), 1e-14 * std::abs(b)); };
  const double length = s.units.length_cm / to.length_cm, mass = s.units.mass_g / to.mass_g;
  near(t.G, s.G * length / mass);
  near(t.bodies.x[5], s.bodies.x[5] * length);
  near(t.bodies.mass[5], s.bodies.mass[5] * mass);
  near(t.bodies.vx[5], s.bodies.vx[5]);
  near(t.time, s.time * length);
  near(t.ax[5], s.ax[5] / length);
  near(t.potential[5], s.potential[5]);
  EXPECT_THROW(
      write_snapshot(folder / "t", s,
                     {.format = &format_named("csv"), .units = units_named("nbody"), .provenance = {}}),
      UsageError);
  EXPECT_FALSE(fs::exists(folder / "t"));
}

TEST(RoundTrip, TheSameSnapshotGivesTheSameBytesOnBothHdf5Paths) {
  const Folder folder;
  Snapshot s = sample(false, units_named("galactic"));
  add_tree_sums(s);
  const WriteOptions how{.format = &format_named("hdf5"), .units = {}, .provenance = "text"};
  write_snapshot(folder / "a", s, how);
  write_snapshot(folder / "b", s, how);
  EXPECT_EQ(bytes_of(folder / "a"), bytes_of(folder / "b"));
  files::write_hdf5(folder / "c", s, how, files::Share(s.bodies.size()),
                    0);  // no image in memory: the way of large snapshots
  EXPECT_EQ(bytes_of(folder / "a"), bytes_of(folder / "c"));
  expect_same(read_snapshot(folder / "c").snapshot, s);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()), 3)
      << "a temporary file was left";
}

/// The bodies that one of several ranks has: the fourth has none.
Snapshot part_of(const Snapshot& s, int rank) {
  const std::size_t n = s.bodies.size();
  const std::array<std::size_t, 5> begins{0, n / 3, n / 2, n, n};
  const std::size_t begin = begins[std::size_t(rank)], end = begins[std::size_t(rank) + 1];
  Snapshot part;
  part.time = s.time, part.step = s.step, part.units = s.units, part.G = s.G, part.boundary = s.boundary;
  const auto take = [&](auto& to, const auto& from) {
    if (!from.empty() && begin < end) to.assign(from.begin() + long(begin), from.begin() + long(end));
  };
  auto& b = part.bodies;
  const auto& all = s.bodies;
  take(b.x, all.x), take(b.y, all.y), take(b.z, all.z), take(b.vx, all.vx), take(b.vy, all.vy);
  take(b.vz, all.vz), take(b.mass, all.mass), take(b.id, all.id), take(b.type, all.type);
  take(part.ax, s.ax), take(part.ay, s.ay), take(part.az, s.az), take(part.potential, s.potential);
  return part;
}

TEST(RoundTrip, SeveralRanksWriteTheBytesOfOneProcess) {
  const Folder folder;
  for (const auto name : format_names())
    for (const bool with_fields : {false, true}) {
      Snapshot s = sample(false, units_named("galactic"));
      if (with_fields) add_tree_sums(s);
      else  // types that do not stand together
        for (std::size_t i = 0; i < s.bodies.size(); ++i) s.bodies.type[i] = Type(i * 7 % 6);
      const WriteOptions how{.format = &format_named(name), .units = {}, .provenance = "text"};
      write_snapshot(folder / "alone", s, how);
      ranks::with_simulated_ranks(
          4, [&](ranks::Communicator& t) { write_snapshot(folder / "ranks", part_of(s, t.rank()), how, t); });
      EXPECT_EQ(bytes_of(folder / "alone"), bytes_of(folder / "ranks")) << name;
    }
}

/// What fails on one rank, or where the file is made, is known to all, and nothing is left.
TEST(RoundTrip, SeveralRanksFailTogether) {
  const Folder folder;
  Snapshot s = sample(false, units_named("galactic"));
  const auto expect_failure = [&](const fs::path& file, std::string_view word) {
    for (const auto name : format_names()) {
      const WriteOptions how{.format = &format_named(name), .units = {}, .double_precision = false};
      if (word.starts_with("mass") && how.format->digits == Format::Digits::all) continue;
      std::atomic<int> failures = 0;
      ranks::with_simulated_ranks(3, [&](ranks::Communicator& t) {
        try {
          write_snapshot(file, part_of(s, t.rank()), how, t);
        } catch (const Error& e) {
          failures += std::string_view(e.what()).find(word) != std::string_view::npos;
        }
      });
      EXPECT_EQ(failures, 3) << name;
    }
  };
  expect_failure(folder / "no/such/folder/s", "no/such/folder");
  expect_failure("/dev/full", "/dev/full");
  s.bodies.mass.back() = 1e300;
  expect_failure(folder / "s", fmt::format("mass of body {}", s.bodies.size() - 1));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()), 0);
}

TEST(RoundTrip, WritingIsAllOrNothing) {
  const Folder folder;
  const Snapshot s = sample(false, units_named("galactic"));
  for (const auto name : format_names()) {
    const WriteOptions how{.format = &format_named(name), .units = {}, .provenance = {}};
    EXPECT_THROW(write_snapshot(folder / "no/such/folder/s", s, how), ResourceError) << name;
    const auto old = folder.write("old", "precious");
    Snapshot huge = s;
    huge.bodies.mass[50] = 1e300;  // no float
    if (how.format->digits == Format::Digits::single) {
      EXPECT_THROW(write_snapshot(old, huge, how), InputError) << name;
      EXPECT_EQ(bytes_of(old), "precious");
    }
    write_snapshot(old, s, how);
    EXPECT_EQ(&detect_format(old), how.format);
  }
  Snapshot huge = s;
  huge.bodies.mass[50] = 1e300;
  folder.write("old", "precious");
  const WriteOptions single{
      .format = &format_named("hdf5"), .units = {}, .double_precision = false, .provenance = {}};
  EXPECT_THROW(files::write_hdf5(folder / "old", huge, single, files::Share(s.bodies.size()), 0), InputError);
  EXPECT_THROW(files::write_hdf5(folder / "no/such/folder/s", s, single, files::Share(s.bodies.size()), 0),
               ResourceError);
  EXPECT_EQ(bytes_of(folder / "old"), "precious");
  EXPECT_TRUE(fs::remove(folder / "pleiad.param")) << "the units of the TIPSY files were not stated";
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()), 1)
      << "a temporary file was left";
}

TEST(RoundTrip, TheAutomaticBoxIsRoundAndHoldsFourTimesTheReach) {
  Snapshot s;
  for (const auto& [reach, box] :
       {std::pair{1.0, 5.0}, {0.5, 2.0}, {0.25, 1.0}, {2.6, 20.0}, {130.0, 1000.0}, {0.0, 1.0}}) {
    s.bodies = {};
    s.bodies.add(1, {0, -reach, reach / 2}, {});
    EXPECT_EQ(automatic_box_size(s), box) << reach;
  }
}

/// What a program that offers formats relies on.
TEST(Formats, AreDescribedWholly) {
  std::set<std::string_view> names;
  for (const Format* format : formats()) {
    EXPECT_TRUE(names.insert(format->name).second) << format->name;
    EXPECT_TRUE(format->ending.starts_with('.')) << format->name;
    EXPECT_FALSE(format->family.empty()) << format->name;
    EXPECT_TRUE(format->likeness != nullptr && format->read != nullptr && format->write != nullptr)
        << format->name;
    for (const auto units : {format->assumed_units, format->readers_units})
      EXPECT_TRUE(units.empty() || units_named(units).name == units) << format->name;
  }
  EXPECT_EQ(names.size(), format_names().size());
}

TEST(Names, AreInverses) {
  for (const auto name : format_names()) EXPECT_EQ(format_named(name).name, name);
  try {
    format_named("hdf");
    FAIL() << "accepted";
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find("did you mean 'hdf5'"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace pleiad
