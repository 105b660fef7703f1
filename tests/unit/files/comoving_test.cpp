/// Comoving bodies in GADGET HDF5: the numbers of the header, and what the reader makes of them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/comoving.hpp"

#include "io/files/share.hpp"
#include "io/files/wanted.hpp"
#include "ranks/simulated.hpp"
#include "unit/files/golden.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

using golden::Folder, golden::bytes_of;

constexpr double a = 1.0 / 50, h = 0.6774;

/// A box of 5 Mpc/h with two bodies of matter.
Snapshot comoving() {
  Snapshot s;
  s.bodies.add(0.25, {100, 2000, 4999}, {10, -20, 30});
  s.bodies.add(0.25, {1, 2, 3}, {-1, 2, -3});
  s.time = a, s.units = units_named("galactic"), s.G = s.units.G();
  s.boundary = {.periodic = true, .length = {5000, 5000, 5000}};
  return s;
}

WriteOptions options() {
  WriteOptions o;
  o.universe = {.omega_m = 0.31, .omega_b = 0.05, .omega_lambda = 0.6899, .omega_r = 1e-4, .h = h};
  return o;
}

double attribute_of(const std::filesystem::path& file, const char* object, const char* name,
                    std::size_t place = 0) {
  const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
              at = H5Aopen_by_name(f, object, name, H5P_DEFAULT, H5P_DEFAULT);
  std::array<double, 6> values;
  values.fill(std::numeric_limits<double>::quiet_NaN());
  H5Aread(at, H5T_NATIVE_DOUBLE, values.data());
  H5Aclose(at), H5Fclose(f);
  return values[place];
}

}  // namespace

TEST(ComovingFile, HasTheHeaderOfGadget) {
  const Folder folder;
  const auto file = folder / "box.hdf5";
  write_snapshot(file, comoving(), options());
  const auto header = [&](const char* name) { return attribute_of(file, "Header", name); };
  EXPECT_EQ(header("Time"), a);
  EXPECT_NEAR(header("Redshift"), 49, 49 * 4e-16 * 4);
  EXPECT_EQ(header("BoxSize"), 5000);
  EXPECT_EQ(header("Omega0"), 0.31);
  EXPECT_EQ(header("OmegaLambda"), 0.6899);
  EXPECT_EQ(header("OmegaBaryon"), 0.05);
  EXPECT_EQ(header("OmegaRadiation"), 1e-4);
  EXPECT_EQ(header("DarkEnergyW0"), -1);
  EXPECT_EQ(header("HubbleParam"), h);
  EXPECT_EQ(attribute_of(file, "Header", "MassTable", 1), 0.25);
  EXPECT_EQ(attribute_of(file, "Header", "MassTable", 0), 0);
  const auto scaling = [&](const char* dataset, const char* name) {
    return attribute_of(file, (std::string("PartType1/") + dataset).c_str(), name);
  };
  EXPECT_EQ(scaling("Coordinates", "a_scaling"), 1);
  EXPECT_EQ(scaling("Coordinates", "h_scaling"), -1);
  EXPECT_EQ(scaling("Velocities", "a_scaling"), 0.5);
  EXPECT_EQ(scaling("Velocities", "h_scaling"), 0);
}

/// The reader's numbers are physical: lengths times a / h, masses over h, peculiar velocities as they were.
TEST(ComovingFile, IsReadInPhysicalUnits) {
  const Folder folder;
  const auto file = folder / "box.hdf5";
  const auto s = comoving();
  write_snapshot(file, s, options());
  const auto read = read_snapshot(file).snapshot;
  ASSERT_EQ(read.bodies.size(), 2u);
  EXPECT_EQ(read.time, a);
  // Three roundings or fewer of each number.
  constexpr double rounding = 4e-16 * 2;
  EXPECT_NEAR(read.boundary.length.x, 5000 * a / h, 5000 * a / h * rounding);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(read.bodies.x[i], s.bodies.x[i] * a / h, s.bodies.x[i] * a / h * rounding);
    EXPECT_NEAR(read.bodies.vz[i], s.bodies.vz[i], std::abs(s.bodies.vz[i]) * rounding);
    EXPECT_NEAR(read.bodies.mass[i], 0.25 / h, 0.25 / h * rounding);
  }
}

/// A reader that asks for it has the comoving numbers as they were written, but for the root of a of the
/// velocities.
TEST(ComovingFile, StaysComovingWhereThatIsWanted) {
  const Folder folder;
  const auto file = folder / "box.hdf5";
  const auto s = comoving();
  write_snapshot(file, s, options());
  files::Wanted wanted;
  wanted.comoving = true;
  const auto read = files::read_snapshot(file, std::nullopt, true, wanted);
  ASSERT_TRUE(read.universe.has_value());
  EXPECT_EQ(read.universe->omega_m, 0.31);
  EXPECT_EQ(read.universe->omega_b, 0.05);
  EXPECT_EQ(read.universe->omega_lambda, 0.6899);
  EXPECT_EQ(read.universe->omega_r, 1e-4);
  EXPECT_EQ(read.universe->h, h);
  EXPECT_EQ(read.snapshot.time, a);
  EXPECT_EQ(read.snapshot.bodies.x, s.bodies.x);
  EXPECT_EQ(read.snapshot.bodies.mass, s.bodies.mass);
  EXPECT_EQ(read.snapshot.boundary.length.x, 5000);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(read.snapshot.bodies.vy[i], s.bodies.vy[i], std::abs(s.bodies.vy[i]) * 4e-16);
  // One of today, which by its time alone could be isolated.
  auto today = s;
  today.time = 1;
  write_snapshot(folder / "today.hdf5", today, options());
  wanted.comoving = true;
  EXPECT_TRUE(files::read_snapshot(folder / "today.hdf5", std::nullopt, true, wanted).universe.has_value());
  // Physical bodies stay what they are.
  write_snapshot(folder / "isolated.hdf5", s, {});
  EXPECT_FALSE(
      files::read_snapshot(folder / "isolated.hdf5", std::nullopt, true, wanted).universe.has_value());
}

/// Masses that differ stand in a dataset, and a type's mass that only one rank has does, too.
TEST(ComovingFile, HasEqualMassesOnceForAnyNumberOfRanks) {
  const Folder folder;
  auto s = comoving();
  write_snapshot(folder / "equal.hdf5", s, options());
  s.bodies.mass[1] = 0.5;
  write_snapshot(folder / "two.hdf5", s, options());
  EXPECT_EQ(attribute_of(folder / "two.hdf5", "Header", "MassTable", 1), 0);
  EXPECT_EQ(read_snapshot(folder / "two.hdf5").snapshot.bodies.mass[1], 0.5 / h);
  for (const bool differ : {false, true}) {
    const auto file = folder / "ranks.hdf5";
    ranks::with_simulated_ranks(2, [&](ranks::Communicator& comm) {
      Snapshot own = comoving();
      if (differ) own.bodies.mass[1] = 0.5;
      Bodies one;
      const auto i = std::size_t(comm.rank());
      one.add(own.bodies.mass[i], own.bodies.position(i), own.bodies.velocity(i));
      one.id[0] = i;
      own.bodies = one;
      write_snapshot(file, std::move(own), options(), comm);
    });
    EXPECT_EQ(bytes_of(file), bytes_of(folder / (differ ? "two.hdf5" : "equal.hdf5"))) << differ;
  }
}

TEST(ComovingFile, IsRefusedWithoutAScaleFactorAndInOtherFormats) {
  const Folder folder;
  auto s = comoving();
  auto o = options();
  s.time = 0;
  EXPECT_THROW(write_snapshot(folder / "box.hdf5", s, o), UsageError);
  s.time = a, o.format = &format_named("gadget2");
  EXPECT_THROW(write_snapshot(folder / "box.gadget2", s, o), UsageError);
}

/// A unit of length is one of comoving lengths; the scale factor has no unit.
TEST(ComovingFile, IsConvertedToOtherUnits) {
  const Folder folder;
  auto o = options();
  const auto galactic = units_named("galactic");
  o.units = custom_units(1000 * galactic.length_cm, galactic.mass_g, galactic.velocity_cm_s);
  write_snapshot(folder / "box.hdf5", comoving(), o);
  EXPECT_EQ(attribute_of(folder / "box.hdf5", "Header", "Time"), a);
  EXPECT_NEAR(attribute_of(folder / "box.hdf5", "Header", "BoxSize"), 5, 4e-15);
}

/// GADGET-1 and 2 in both byte orders: coordinates as they are, velocities times the root of a, the densities
/// and h of the header, the box periodic.
TEST(ComovingFile, IsReadFromGadgetBinaries) {
  const Folder folder;
  const auto truth = golden::truth();
  for (const bool big : {false, true})
    for (const bool labelled : {false, true}) {
      auto bytes = golden::gadget(
          {.big = big, .labelled = labelled, .h = 0.7, .omega0 = 0.3, .redshift = 3, .time = 0.25});
      const auto put = [&](std::size_t offset, double value) {
        std::array<char, sizeof value> raw;
        std::memcpy(raw.data(), &value, sizeof value);
        if (big) std::ranges::reverse(raw);
        std::memcpy(bytes.data() + (labelled ? 20 : 4) + offset, raw.data(), raw.size());
      };
      put(128, 100), put(144, 0.7);
      const auto file = folder.write("box", bytes);
      const auto content = files::read_comoving(file);
      ASSERT_TRUE(content.universe) << big << labelled;
      EXPECT_EQ(content.universe->omega_m, 0.3);
      EXPECT_EQ(content.universe->omega_lambda, 0.7);
      EXPECT_EQ(content.universe->h, 0.7);
      const auto& s = content.snapshot;
      EXPECT_EQ(s.time, 0.25);
      EXPECT_TRUE(s.boundary.all_images());
      EXPECT_EQ(s.boundary.length.y, 100);
      for (const auto& note : content.notes) EXPECT_EQ(note.find("BoxSize"), note.npos) << note;
      ASSERT_EQ(s.bodies.size(), truth.size());
      for (std::size_t i = 0; i < truth.size(); ++i) {
        EXPECT_EQ(s.bodies.x[i], truth.x[i]);
        EXPECT_EQ(s.bodies.mass[i], truth.mass[i]);
        EXPECT_EQ(s.bodies.vy[i], truth.vy[i] * 0.5);
      }
      // Otherwise it is physical: a / h times the coordinates, in open space.
      const auto physical = read_snapshot(file);
      EXPECT_FALSE(physical.universe);
      EXPECT_FALSE(physical.snapshot.boundary.periodic);
      EXPECT_NEAR(physical.snapshot.bodies.x[0], truth.x[0] * 0.25 / 0.7, 1e-14 * std::abs(truth.x[0]));
      // What is no density is that of a flat universe.
      put(144, std::numeric_limits<double>::quiet_NaN());
      EXPECT_EQ(files::read_comoving(folder.write("box", bytes)).universe->omega_lambda, 0.7);
    }
}

}  // namespace pleiad
