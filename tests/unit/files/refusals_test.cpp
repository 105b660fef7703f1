/// Every kind of bad file is refused with exit code 3 and one line that names the file and what is wrong.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/files/golden.hpp"
#include "unit/files/refused.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace pleiad {
namespace {

using namespace golden;

std::string patched(std::string bytes, std::size_t offset, const auto& value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(value));
  return bytes;
}

TEST(Refusals, FilesThatAreNoSnapshots) {
  const Folder folder;
  for (const auto& [file, word] : {std::pair{folder / "absent", "no such file"}, {folder.path, "a folder"}}) {
    try {
      read_snapshot(file);
      ADD_FAILURE() << "accepted " << file;
    } catch (const UsageError& e) {
      EXPECT_NE(std::string_view(e.what()).find(word), std::string_view::npos) << e.what();
    }
  }
  expect_refused("/dev/null", "not a regular file");
  expect_refused(folder.write("f", ""), "empty");
  expect_refused(folder.write("f", "Dear reader, this is a letter.\n"), "not a snapshot");
  expect_refused(folder.write("f", std::string("\x7f"
                                               "ELF\x02\x01\x01\0\0\0\0\0",
                                               12)),
                 "not a snapshot");
  expect_refused(folder.write("f", std::string(4096, '\0')), "not a snapshot");
}

TEST(Refusals, GadgetBinary) {
  const Folder folder;
  const std::string good = gadget({}), labelled = gadget({.labelled = true});
  const std::size_t pos = 264;  // the second block
  const auto f = [&](const std::string& bytes) { return folder.write("f", bytes); };
  expect_refused(f(good.substr(0, 200)), "only 192 are left");
  expect_refused(f(good.substr(0, good.size() - 1)), "cut off");
  expect_refused(f(good.substr(0, good.size() - 28)), "'MASS' is missing");
  expect_refused(f(good + "xyz"), "3 stray bytes");
  expect_refused(f(patched(good, pos, 0xfffffff0u)), "says 4294967280 bytes");
  expect_refused(f(patched(good, pos, 56u)), "ends with");
  expect_refused(f(patched(good, 4 + 4, 3000000000u)), "promises 3000000003 bodies");
  expect_refused(f(patched(good, 4 + 4, 3u)), "'POS ' has 60 bytes; 18 numbers need 72 or 144");
  expect_refused(f(patched(good, 4 + 24 + 8, -1.0)), "mass of type 1 is -1");
  expect_refused(f(patched(good, 4 + 72, std::nan(""))), "time is nan");
  expect_refused(f(patched(good, 4 + 124, 4)), "one of 4 files");
  expect_refused(folder.write("part.0", patched(good, 4 + 124, 2)), "part.1' is not there");
  expect_refused(f(gadget({.first = 0, .last = 0})), "counts no bodies");
  // A part of a set whose count of files is wrong.
  expect_refused(f(patched(good, 4 + 96 + 4, 5u)), "one file that there is holds 2 bodies of type 1, but");
  expect_refused(f(patched(good, 4 + 168 + 4, 1u)), "header promises 4294967298");
  for (const double box : {std::nan(""), HUGE_VAL, -1.0})
    expect_refused(f(patched(good, 4 + 128, box)), "BoxSize is");
  expect_refused(f(patched(labelled, 16 + 264 + 4, 'Q')), "'POS ' is missing");
  expect_refused(f(labelled.substr(0, 16 + 264 + 16)), "ends after the label 'POS '");
  folder.write("set.1", gadget({.files = 2, .first = 3, .last = 4}));
  expect_refused(folder.write("set.0", gadget({.files = 2, .first = 0, .last = 3})), "promises");
}

TEST(Refusals, Tipsy) {
  const Folder folder;
  for (const bool big : {false, true}) {
    const std::string good = tipsy(big);
    expect_refused(folder.write("f", good.substr(0, good.size() - 1)),
                   "(196 bytes in all), but the file has 195 bytes");
    expect_refused(folder.write("f", good + "more"), "promises 1 gas, 2 dark and 1 star");
    expect_refused(folder.write("f", good.substr(0, 30)), "promises");
  }
  expect_refused(folder.write("f", patched(tipsy(false), 24, -1)), "not a snapshot");
}

TEST(Refusals, CsvNamesLineAndColumn) {
  const Folder folder;
  const std::string head = "mass,x,y,z,vx,vy,vz\n";
  const std::vector<std::pair<std::string, std::string>> table{
      {head, "no bodies"},
      {"# only a comment\n", "no table"},
      {"mass,x,y,z,vx,vz\n1,2,3,4,5,6\n", "no column 'vy'"},
      {"mass,x,y,z,vx,vz\n1,2,3,4,5,6\n", "line 1"},
      {"x,y,z,vx,vy,vz\n1,2,3,4,5,6\n", "no column 'mass'"},
      {"mass,m,x,y,z,vx,vy,vz\n1,1,2,3,4,5,6,7\n", "two columns mean mass"},
      {"1 2 3 4 5 6\n", "6 columns without a header"},
      {head + "1,2,3,4,5,6,7\n1,2,3,4,5,6\n", "line 3: 6 fields, but the table has 7 columns"},
      {head + "1,2,3,4,5,6,7,8\n", "line 2: 8 fields"},
      {head + "1,2,three,4,5,6,7\n", "line 2: column 3 (y): 'three'"},
      {head + "1,2,,4,5,6,7\n", "line 2: column 3 (y): ''"},
      {head + "1,2,1e999,4,5,6,7\n", "line 2: column 3 (y): '1e999'"},
      {head + "1,2,3 4,4,5,6,7\n", "column 3 (y): '3 4'"},
      {"id," + head + "-1,1,2,3,4,5,6,7\n", "column 1 (id): '-1' is not a whole number"},
      {"id," + head + "1.5,1,2,3,4,5,6,7\n", "column 1 (id)"},
      {"type," + head + "quark,1,2,3,4,5,6,7\n", "column 1 (type): 'quark' is none of"},
      {"type," + head + "6,1,2,3,4,5,6,7\n", "column 1 (type): '6'"},
      {"# units: galctic\n" + head + "1,2,3,4,5,6,7\n", "no unit system 'galctic'"},
      {"# units: custom 1 2\n" + head + "1,2,3,4,5,6,7\n", "custom units need length, mass and velocity"},
      {"# units: custom 1 2 -3\n" + head + "1,2,3,4,5,6,7\n", "> 0"},
      {"# time: noon\n" + head + "1,2,3,4,5,6,7\n",
       "line 1: '# time: noon' cannot be read; it needs one number"},
      {"# G: -1\n" + head + "1,2,3,4,5,6,7\n", "'# G: -1' cannot be read; it needs one number > 0"},
      {"# periodic: 1 1 1\n# images: some\n" + head + "1,2,3,4,5,6,7\n", "nearest or all"},
      {"# periodic: 1 0 1\n" + head + "1,2,3,4,5,6,7\n", "three lengths > 0"}};
  for (const auto& [text, word] : table) expect_refused(folder.write("f.csv", text), word);
}

TEST(Refusals, Hdf5) {
  const Folder folder;
  const auto refused = [&](const std::function<void(hid_t)>& spoil, const std::string& word) {
    hdf5(folder / "f", {.spoil = spoil});
    expect_refused(folder / "f", word);
  };
  refused([](hid_t f) { H5Ldelete(f, "Header", H5P_DEFAULT); }, "no group /Header");
  refused([](hid_t f) { H5Adelete_by_name(f, "Header", "NumPart_ThisFile", H5P_DEFAULT); },
          "NumPart_ThisFile is missing");
  refused([](hid_t f) { H5Ldelete(f, "PartType2", H5P_DEFAULT); }, "/PartType2 is missing");
  refused([](hid_t f) { remove(f, "PartType1/Coordinates"); }, "/PartType1/Coordinates is missing");
  refused([](hid_t f) { remove(f, "PartType4/Velocities"); }, "/PartType4/Velocities is missing");
  refused([](hid_t f) { remove(f, "PartType1/Masses"); },
          "/PartType1/Masses is missing, and /Header/MassTable has no mass");
  refused([](hid_t f) { replace(f, "Coordinates", H5T_NATIVE_DOUBLE, {6}); },
          "Coordinates has rank 1; it must have rank 2");
  refused([](hid_t f) { replace(f, "Coordinates", H5T_NATIVE_DOUBLE, {2, 3, 1}); }, "rank 3");
  refused([](hid_t f) { replace(f, "Coordinates", H5T_NATIVE_DOUBLE, {3, 2}); }, "shape [3, 2]");
  refused([](hid_t f) { replace(f, "Masses", H5T_NATIVE_DOUBLE, {3}); }, "NumPart_ThisFile[1] = 2");
  refused(
      [](hid_t f) {
        replace(f, "Coordinates", H5T_NATIVE_INT32, {2, 3});
      },
      "not of a plain floating-point");
  refused(
      [](hid_t f) {
        replace(f, "Coordinates", H5T_NATIVE_LDOUBLE, {2, 3});
      },
      "not of a plain floating-point");
  refused([](hid_t f) { replace(f, "ParticleIDs", H5T_NATIVE_DOUBLE, {2}); }, "not of a plain whole-number");
  refused([](hid_t f) { replace(f, "Masses", H5Tvlen_create(H5T_NATIVE_DOUBLE), {2}, H5P_DEFAULT, false); },
          "not of a plain floating-point");
  refused(
      [](hid_t f) {
        replace(f, "Coordinates", H5T_NATIVE_DOUBLE, {2, 3}, H5P_DEFAULT, false);
      },
      "has 0 bytes stored");
}

TEST(Refusals, Hdf5ThatReachesOutsideItselfOrLiesAboutItsSize) {
  const Folder folder;
  const auto refused = [&](const std::function<void(hid_t)>& spoil, const std::string& word) {
    hdf5(folder / "f", {.spoil = spoil});
    expect_refused(folder / "f", word);
  };
  hdf5(folder / "other");
  const std::string other = (folder / "other").string();
  refused(
      [&](hid_t f) {
        remove(f, "PartType1");
        H5Lcreate_external(other.c_str(), "PartType1", f, "PartType1", H5P_DEFAULT, H5P_DEFAULT);
      },
      "'PartType1' is a link to elsewhere");
  refused(
      [&](hid_t f) {
        remove(f, "PartType1/Masses");
        H5Lcreate_external(other.c_str(), "PartType1/Masses", f, "PartType1/Masses", H5P_DEFAULT,
                           H5P_DEFAULT);
      },
      "'Masses' is a link to elsewhere");
  refused(
      [](hid_t f) {
        const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_external(how, "/etc/passwd", 0, 16);
        replace(f, "Masses", H5T_NATIVE_DOUBLE, {2}, how, false);
      },
      "keeps its data in another file");
  refused(
      [&](hid_t f) {
        const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
        const hsize_t n = 2;
        const hid_t space = H5Screate_simple(1, &n, nullptr);
        H5Pset_virtual(how, space, other.c_str(), "PartType1/Masses", space);
        replace(f, "Masses", H5T_NATIVE_DOUBLE, {n}, how, false);
      },
      "virtual dataset");
  // A trillion bodies that nobody wrote: refused for their size or for having no bytes, before any memory is
  // taken.
  hdf5(folder / "f", {.spoil = [](hid_t f) {
         const hid_t h = H5Gopen2(f, "Header", H5P_DEFAULT), a = H5Aopen(h, "NumPart_ThisFile", H5P_DEFAULT);
         const std::array<std::uint64_t, 6> counts{0, 1000000000, 2, 0, 1, 0};
         H5Awrite(a, H5T_NATIVE_UINT64, counts.data());
         H5Aclose(a), H5Gclose(h);
         for (const auto& [name, shape] : {std::pair{"Coordinates", std::vector<hsize_t>{1000000000, 3}},
                                           {"Velocities", {1000000000, 3}}}) {
           const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
           const std::array<hsize_t, 2> chunk{1000, 3};
           H5Pset_chunk(how, 2, chunk.data()), H5Pset_deflate(how, 9);
           replace(f, name, H5T_NATIVE_DOUBLE, shape, how, false);
         }
       }});
  try {
    read_snapshot(folder / "f");
    ADD_FAILURE() << "accepted";
  } catch (const Error& e) {
    EXPECT_TRUE(std::string(e.what()).find("has 0 bytes stored") != std::string::npos ||
                e.kind() == Error::Kind::resource)
        << e.what();
  }
}

/// A dataset PartType1/NAME of two values, 64-bit signed.
void put_ids(hid_t file, std::array<std::int64_t, 2> ids) {
  replace(file, "ParticleIDs", H5T_STD_I64LE, {2});
  const hid_t d = H5Dopen2(file, "PartType1/ParticleIDs", H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, ids.data());
  H5Dclose(d);
}

void put_header(hid_t file, const char* name, double value) {
  const hid_t h = H5Gopen2(file, "Header", H5P_DEFAULT);
  H5Adelete(h, name);
  attribute(h, name, value);
  H5Gclose(h);
}

TEST(Refusals, NegativeIdsAreNotMadeZero) {
  const Folder folder;
  hdf5(folder / "f", {.spoil = [](hid_t f) { put_ids(f, {5, -1}); }});
  expect_refused(folder / "f", "/PartType1/ParticleIDs[1] is -1");
  hdf5(folder / "f", {.spoil = [](hid_t f) { put_ids(f, {5, 0x7fffffffffffffff}); }});
  EXPECT_EQ(read_snapshot(folder / "f").snapshot.bodies.id[1], 0x7fffffffffffffffu);
}

TEST(Refusals, PartsOfASetMustAgree) {
  const Folder folder;
  const auto spoilt = [&](const std::function<void(hid_t)>& spoil) {
    hdf5(folder / "s.0.hdf5", {.files = 2, .last = 3});
    hdf5(folder / "s.1.hdf5", {.spoil = spoil, .files = 2, .first = 3});
  };
  spoilt({});
  EXPECT_EQ(read_snapshot(folder / "s").snapshot.bodies.size(), bodies);
  for (const char* name : {"Time", "HubbleParam", "BoxSize"}) {
    spoilt([&](hid_t f) { put_header(f, name, 7.5); });
    for (const char* named : {"s", "s.0.hdf5", "s.1.hdf5"}) try {
        read_snapshot(folder / named);
        ADD_FAILURE() << "accepted another " << name;
      } catch (const InputError& e) {
        const std::string what = e.what();
        for (const std::string& word :
             std::vector<std::string>{"s.1.hdf5", std::string("/Header/") + name, "is 7.5", "s.0.hdf5"})
          EXPECT_NE(what.find(word), what.npos) << word << " in " << what;
      }
  }
  spoilt([](hid_t f) {
    const hid_t u = H5Gopen2(f, "Units", H5P_DEFAULT);
    H5Adelete(u, "UnitMass_in_g"), attribute(u, "UnitMass_in_g", 1e43), H5Gclose(u);
  });
  expect_refused(folder / "s.1.hdf5", "/Units/UnitMass_in_g is 1e+43");
}

TEST(Refusals, TotalsOfZeroInALoneGadgetFileSayNothing) {
  const Folder folder;
  auto bytes = gadget({});
  std::fill_n(bytes.begin() + 4 + 96, 24, '\0');
  EXPECT_EQ(read_snapshot(folder.write("f", bytes)).count, bodies);
}

/// The halo and the disc alone: both have masses in the table and in the block.
TEST(Refusals, AMassTableThatDiffersFromTheBlockIsTakenWithANote) {
  const Folder folder;
  for (const bool labelled : {false, true})
    for (const double halo : {0.5, 0.75}) {
      const std::size_t header = labelled ? 20 : 4;
      auto bytes = patched(gadget({.labelled = labelled, .last = 4}), header + 96 + 16, 0u);
      bytes = patched(patched(bytes, header + 24 + 8, halo), header + 24 + 16, 0.25);
      const auto content = read_snapshot(folder.write("f", bytes));
      EXPECT_EQ(content.snapshot.bodies.mass[0], halo);
      const bool said = std::any_of(content.notes.begin(), content.notes.end(), [](const std::string& note) {
        return note.find("differs from the header's mass table") != note.npos;
      });
      EXPECT_EQ(said, halo == 0.75);
    }
}

TEST(Refusals, PartsOfAGadgetSetMustAgree) {
  const Folder folder;
  const auto with = [&](const Gadget& second) {
    folder.write("g.0", gadget({.files = 2, .last = 3}));
    folder.write("g.1", gadget(second));
  };
  with({.files = 2, .first = 3});
  EXPECT_EQ(read_snapshot(folder / "g").snapshot.bodies.size(), bodies);
  with({.time = 0.5, .files = 2, .first = 3});
  expect_refused(folder / "g.1", "time is 0.5");
  with({.h = 0.7, .files = 2, .first = 3});
  expect_refused(folder / "g.1", "HubbleParam is 0.7");
  // Of halo bodies, which the second part lacks, its table may say what it likes.
  with({.mass_table = true, .files = 2, .first = 3});
  expect_refused(folder / "g.1", "mass of type 2 is 0.25");
}

TEST(Refusals, APartThatIsNoRegularFileIsNotOpened) {
  const Folder folder;
  hdf5(folder / "s.0.hdf5", {.files = 2, .last = 3});
  ASSERT_EQ(::mkfifo((folder / "s.1.hdf5").c_str(), 0600), 0);
  expect_refused(folder / "s.0.hdf5", "s.1.hdf5' is not a regular file");
}

TEST(Refusals, PeriodicBoxesAreFiniteAndPositive) {
  const Folder folder;
  for (const double length : {std::nan(""), HUGE_VAL, -3.0, 0.0}) {
    hdf5(folder / "f", {.spoil = [&](hid_t f) {
           put_header(f, "BoxSize", length);
           const hid_t h = H5Gopen2(f, "Header", H5P_DEFAULT), word = H5Tcopy(H5T_C_S1),
                       one = H5Screate(H5S_SCALAR);
           H5Tset_size(word, 8);
           const hid_t a = H5Acreate2(h, "Boundary", word, one, H5P_DEFAULT, H5P_DEFAULT);
           H5Awrite(a, word, "periodic");
           H5Aclose(a), H5Sclose(one), H5Tclose(word), H5Gclose(h);
         }});
    expect_refused(folder / "f", "/Header/BoxSize of a periodic file is");
  }
}

TEST(Refusals, ChunksFarBeyondTheCountsOfTheHeader) {
  const Folder folder;
  hdf5(folder / "f", {.spoil = [](hid_t f) {
         // 2 rows in a chunk of 100 million: 0.8 GB when it is unpacked, some 0.8 MB in the file.
         const std::array<hsize_t, 1> rows{2}, most{H5S_UNLIMITED}, chunk{100000000};
         const hid_t how = H5Pcreate(H5P_DATASET_CREATE),
                     space = H5Screate_simple(1, rows.data(), most.data());
         H5Pset_chunk(how, 1, chunk.data()), H5Pset_deflate(how, 1);
         H5Ldelete(f, "PartType1/Masses", H5P_DEFAULT);
         H5Dclose(H5Dcreate2(f, "PartType1/Masses", H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT));
         H5Pclose(how), H5Sclose(space);
       }});
  expect_refused(folder / "f", "chunks of 100000000 x 1, but the header counts 2 rows");
}

}  // namespace
}  // namespace pleiad
