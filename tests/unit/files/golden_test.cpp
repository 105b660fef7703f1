/// Files of other programs are read to the last bit, in every variant that these programs write.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/files/golden.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

using namespace golden;

bool says(const FileContent& c, std::string_view word) {
  return std::any_of(c.notes.begin(), c.notes.end(),
                     [&](const std::string& n) { return n.find(word) != n.npos; });
}

TEST(Golden, GadgetBinaryOfBothKindsOrdersAndWidths) {
  const Folder folder;
  for (const bool big : {false, true})
    for (const bool labelled : {false, true})
      for (const bool wide_reals : {false, true})
        for (const bool wide_ids : {false, true})
          for (const bool table : {false, true}) {
            const auto file = folder.write("g", gadget({.big = big,
                                                        .labelled = labelled,
                                                        .wide_reals = wide_reals,
                                                        .wide_ids = wide_ids,
                                                        .mass_table = table}));
            const FileContent c = read_snapshot(file);
            EXPECT_EQ(c.format->name, labelled ? "gadget2" : "gadget1");
            EXPECT_TRUE(c.snapshot.bodies == truth());
            EXPECT_EQ(c.snapshot.time, 0.25);
            EXPECT_EQ(c.snapshot.units, units_named("galactic"));
            EXPECT_EQ(c.snapshot.G, 43007.1);
            EXPECT_FALSE(c.units_stated);
            EXPECT_TRUE(says(c, "galactic assumed"));
            EXPECT_EQ(says(c, "big-endian"), big);
            EXPECT_EQ(says(c, "mass table"), table);
          }
}

TEST(Golden, MissingIdsAreMadeAndUnknownBlocksSkippedWithANote) {
  const Folder folder;
  for (const bool labelled : {false, true}) {
    const FileContent c = read_snapshot(folder.write("g", gadget({.labelled = labelled, .ids = false})));
    EXPECT_EQ(c.snapshot.bodies.id, (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
    EXPECT_EQ(c.snapshot.bodies.mass, truth().mass);
    EXPECT_TRUE(says(c, "no ids"));
    const FileContent extra =
        read_snapshot(folder.write("g", gadget({.labelled = labelled, .extra_block = true})));
    EXPECT_TRUE(extra.snapshot.bodies == truth());
    EXPECT_TRUE(says(extra, labelled ? "'ZZZZ' (8 bytes) skipped" : "'block 5' (8 bytes) skipped"));
  }
}

TEST(Golden, HubbleParameterAndComovingFactorsAreRemoved) {
  const Folder folder;
  const FileContent h = read_snapshot(folder.write("g", gadget({.h = 0.5})));
  EXPECT_EQ(h.snapshot.bodies.x[0], 2);
  EXPECT_EQ(h.snapshot.bodies.mass[0], 1);
  EXPECT_EQ(h.snapshot.bodies.vy[1], 2);
  EXPECT_EQ(h.snapshot.time, 0.5);
  EXPECT_TRUE(says(h, "HubbleParam = 0.5"));
  const FileContent a = read_snapshot(folder.write("g", gadget({.h = 1, .omega0 = 0.3, .redshift = 3})));
  EXPECT_EQ(a.snapshot.bodies.x[1], -1);    // a = 1/4
  EXPECT_EQ(a.snapshot.bodies.vx[1], 0.5);  // sqrt(a) = 1/2
  EXPECT_EQ(a.snapshot.time, 0.25);
  EXPECT_TRUE(says(a, "comoving"));
}

TEST(Golden, SetsOfSeveralFilesAreReadWholeFromAnyOfTheirNames) {
  const Folder folder;
  for (const std::size_t k : {0, 1}) {
    const std::string n = std::to_string(k);
    const std::size_t first = k == 0 ? 0 : 3, last = k == 0 ? 3 : bodies;
    folder.write("set." + n, gadget({.files = 2, .first = first, .last = last}));
    hdf5(folder / ("snap." + n + ".hdf5"), {.files = 2, .first = first, .last = last});
  }
  for (const char* name : {"set", "set.0", "set.1", "snap", "snap.0.hdf5", "snap.1.hdf5"}) {
    const FileContent c = read_snapshot(folder / name);
    EXPECT_TRUE(c.snapshot.bodies == truth()) << name;
    EXPECT_TRUE(says(c, "set of 2 files")) << name;
  }
}

TEST(Golden, Hdf5InAllVariants) {
  const Folder folder;
  for (const bool wide : {false, true})
    for (const bool singles : {false, true})
      for (const bool aliases : {false, true})
        for (const bool table : {false, true}) {
          hdf5(folder / "h",
               {.wide_counts = wide, .singles = singles, .aliases = aliases, .mass_table = table});
          const FileContent c = read_snapshot(folder / "h");
          EXPECT_EQ(c.format->name, "hdf5");
          EXPECT_TRUE(c.snapshot.bodies == truth());
          EXPECT_EQ(c.snapshot.time, 0.25);
          EXPECT_TRUE(c.units_stated);
          EXPECT_EQ(says(c, "MassTable"), table);
        }
  // pc, solar mass, km/s in GADGET's digits: our cluster preset to 1e-3 only, so custom, with the file's own
  // values.
  hdf5(folder / "h", {});
  EXPECT_EQ(read_snapshot(folder / "h").snapshot.units, custom_units(3.085678e18, 1.989e33, 1e5));
  hdf5(folder / "h", {.units = false, .ids = false, .h = 0.5});
  const FileContent c = read_snapshot(folder / "h");
  EXPECT_EQ(c.snapshot.units, units_named("galactic"));
  EXPECT_FALSE(c.units_stated);
  EXPECT_TRUE(says(c, "no ids"));
  EXPECT_EQ(c.snapshot.bodies.x[0], 2);
}

TEST(Golden, TipsyOfBothOrdersPaddedOrNot) {
  const Folder folder;
  for (const bool big : {false, true})
    for (const bool padded : {false, true}) {
      const FileContent c = read_snapshot(folder.write("t", tipsy(big, padded)));
      EXPECT_EQ(c.format->name, big ? "tipsy" : "tipsy-little");
      const Bodies& b = c.snapshot.bodies;
      ASSERT_EQ(b.size(), 4u);
      EXPECT_EQ(b.type, (std::vector{Type::gas, Type::halo, Type::halo, Type::star}));
      EXPECT_EQ(b.mass, (std::vector{0.5, 0.25, 0.25, 0.125}));
      EXPECT_EQ(b.x, (std::vector<double>{1, -1, 10, 7}));
      EXPECT_EQ(b.vz, (std::vector<double>{6, -6, 60, 0.75}));
      EXPECT_EQ(c.snapshot.time, 0.75);
      EXPECT_EQ(c.snapshot.potential, (std::vector<double>{-1, -2, -3, -4}));
      EXPECT_EQ(b.softening, (std::vector<double>{0.2f, 0.05f, 0.05f, 0.05f}));  // hsmooth of gas, eps
      EXPECT_EQ(c.snapshot.units, units_named("nbody"));
      EXPECT_TRUE(says(c, "nbody assumed"));
    }
}

TEST(Golden, CsvWithNamesInAnyOrderAndCase) {
  const Folder folder;
  const FileContent c = read_snapshot(folder.write("c", csv()));
  EXPECT_EQ(c.format->name, "csv");
  const Bodies& b = c.snapshot.bodies;
  ASSERT_EQ(b.size(), 2u);
  EXPECT_EQ(b.id, (std::vector<std::uint64_t>{11, 12}));
  EXPECT_EQ(b.type, (std::vector{Type::disc, Type::halo}));
  EXPECT_EQ(b.position(1), (Vec3<double>{-1, -2, -3}));
  EXPECT_EQ(b.velocity(1), (Vec3<double>{-4, 5, 6}));
  EXPECT_EQ(b.mass, (std::vector{0.5, 0.25}));
  EXPECT_EQ(c.snapshot.time, 2.5);
  EXPECT_EQ(c.snapshot.units, units_named("galactic"));
  EXPECT_TRUE(says(c, "column 'colour' skipped"));
}

TEST(Golden, PlainTablesWithCommasOrBlanks) {
  const Folder folder;
  for (const char* table : {"1 2 3 4 5 6 7\n0.5 -2 -3 -4 -5 -6 -7", "1,2,3,4,5,6,7\n0.5,-2,-3,-4,-5,-6,-7\n",
                            "# made by hand\n  1\t2 3   4 5 6 7  \r\n0.5 -2 -3 -4 -5 -6 -7\r\n"}) {
    const Bodies b = read_snapshot(folder.write("c", table)).snapshot.bodies;
    ASSERT_EQ(b.size(), 2u) << table;
    EXPECT_EQ(b.mass, (std::vector{1, 0.5}));
    EXPECT_EQ(b.position(0), (Vec3<double>{2, 3, 4}));
    EXPECT_EQ(b.velocity(1), (Vec3<double>{-5, -6, -7}));
    EXPECT_EQ(b.id, (std::vector<std::uint64_t>{0, 1}));
  }
  const FileContent flat = read_snapshot(folder.write("c", "px,py,vx,vy,mass\n1,2,3,4,5\n"));
  EXPECT_EQ(flat.snapshot.bodies.position(0), (Vec3<double>{1, 2, 0}));
  EXPECT_TRUE(says(flat, "no column z"));
  // nan is a number of a kind: reading keeps it, and validate() refuses it with its index.
  const FileContent sick = read_snapshot(folder.write("c", "1 nan 0 0 0 0 0\n"));
  EXPECT_TRUE(std::isnan(sick.snapshot.bodies.x[0]));
  EXPECT_THROW(validate(sick.snapshot.bodies, 1, "c"), InputError);
}

TEST(Golden, UnitsGivenByTheCallerWin) {
  const Folder folder;
  const FileContent c = read_snapshot(folder.write("c", csv()), units_named("si"));
  EXPECT_EQ(c.snapshot.units, units_named("si"));
  EXPECT_EQ(c.snapshot.G, units_named("si").G());
  EXPECT_TRUE(says(c, "the file says its units are galactic"));
}

TEST(Golden, UnitsGivenForWhatStatesNoneLeaveTheRest) {
  const Folder folder;
  const FileContent stated = read_snapshot(folder.write("c", csv()), units_named("si"), true);
  EXPECT_EQ(stated.snapshot.units, units_named("galactic"));
  EXPECT_TRUE(stated.units_stated);
  EXPECT_FALSE(says(stated, "units"));
  const auto file = folder.write("t", "1 0 0 0 0 0 0\n");
  const FileContent unsaid = read_snapshot(file, units_named("si"), true);
  EXPECT_EQ(unsaid.snapshot.units, units_named("si"));
  EXPECT_EQ(unsaid.snapshot.G, units_named("si").G());
  EXPECT_FALSE(unsaid.units_stated);
  EXPECT_FALSE(says(unsaid, "units"));
}

TEST(Golden, TheRealGalaxyCollision) {
  const fs::path file = PLEIAD_SOURCE_DIR "/../shared/data/galaxy_littleendian.dat";
  if (!fs::exists(file))
    GTEST_SKIP() << "SKIPPED: " << file << " is not there; this test needs the real initial conditions";
  const FileContent c = read_snapshot(file);
  const Bodies& b = c.snapshot.bodies;
  EXPECT_EQ(c.format->name, "gadget1");
  ASSERT_EQ(b.size(), 60000u);
  EXPECT_EQ(std::count(b.type.begin(), b.type.end(), Type::halo), 40000);
  EXPECT_EQ(std::count(b.type.begin(), b.type.end(), Type::disc), 20000);
  EXPECT_EQ(b.mass.front(), 0.0010463387006893754);  // the header's mass table, all 53 bits of it
  EXPECT_EQ(b.mass.back(), 0.00023251971288118511);
  EXPECT_NO_THROW(validate(b, 0.4, "galaxy"));
  EXPECT_TRUE(says(c, "galactic assumed"));
}

}  // namespace
}  // namespace pleiad
