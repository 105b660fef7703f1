/// Parts of a file, as ranks read them, are the bodies that the whole of it has there.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/part.hpp"
#include "io/files/wanted.hpp"
#include "unit/files/golden.hpp"

#include <pleiad/error.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

using files::Wanted;
using golden::Folder;
namespace fs = std::filesystem;

FileContent part_of(const fs::path& file, BodyRange range, std::size_t& asked) {
  const Wanted wanted([&](std::size_t n) {
    asked = n;
    return range;
  });
  return files::read_snapshot(file, std::nullopt, false, wanted);
}

std::vector<double> part_of(const std::vector<double>& all, BodyRange range) {
  if (all.empty()) return {};
  const auto from = all.begin() + std::ptrdiff_t(range.first);
  return {from, from + std::ptrdiff_t(range.count)};
}

/// Every range of a small file.
void expect_parts_of_the_whole(const fs::path& file) {
  const FileContent whole = read_snapshot(file);
  const Snapshot& s = whole.snapshot;
  const std::size_t n = s.bodies.size();
  EXPECT_EQ(whole.count, n) << file;
  for (std::size_t first = 0; first <= n; ++first)
    for (std::size_t count = 0; first + count <= n; ++count) {
      const BodyRange range{first, count};
      std::size_t asked = n;  // another process asks about HDF5
      const FileContent part = part_of(file, range, asked);
      Bodies expected;
      append_part(expected, s.bodies, first, count);
      EXPECT_TRUE(part.snapshot.bodies == expected) << file << " " << first << " " << count;
      EXPECT_EQ(asked, n);
      EXPECT_EQ(part.count, n);
      EXPECT_EQ(part.snapshot.ax, part_of(s.ax, range));
      EXPECT_EQ(part.snapshot.az, part_of(s.az, range));
      EXPECT_EQ(part.snapshot.potential, part_of(s.potential, range));
      EXPECT_EQ(part.notes, whole.notes) << file << " " << first << " " << count;
      EXPECT_EQ(part.files, whole.files);
      EXPECT_EQ(part.snapshot.time, s.time);
      EXPECT_EQ(part.snapshot.units, s.units);
    }
}

TEST(Parts, OfFilesOfOtherPrograms) {
  const Folder folder;
  for (const auto& [name, bytes] : golden::all()) expect_parts_of_the_whole(folder.write(name, bytes));
  expect_parts_of_the_whole(folder.write("table", golden::gadget({.mass_table = true, .extra_block = true})));
  expect_parts_of_the_whole(folder.write("unnamed", golden::gadget({.ids = false, .h = 0.5})));
  expect_parts_of_the_whole(folder.write("stars.txt",
                                         "#Mass_[Msun] x_[pc] y_[pc] z_[pc] vx_[km/s] vy_[km/s] vz_[km/s]\n"
                                         "1 2 3 4 5 6 7\n2 3 4 5 6 7 8\n3 4 5 6 7 8 9\n"));
  golden::hdf5(folder / "unnamed.hdf5", {.mass_table = true, .ids = false, .h = 0.5});
  expect_parts_of_the_whole(folder / "unnamed.hdf5");
}

TEST(Parts, OfSetsOfFiles) {
  const Folder folder;
  for (const std::size_t k : {0, 1}) {
    const std::string n = std::to_string(k);
    const std::size_t first = k == 0 ? 0 : 3, last = k == 0 ? 3 : golden::bodies;
    folder.write("set." + n, golden::gadget({.mass_table = true, .files = 2, .first = first, .last = last}));
    golden::hdf5(folder / ("snap." + n + ".hdf5"), {.files = 2, .first = first, .last = last});
  }
  expect_parts_of_the_whole(folder / "set");
  expect_parts_of_the_whole(folder / "snap");
}

/// With all that a format keeps.
TEST(Parts, OfFilesOfThisProgram) {
  const Folder folder;
  Snapshot s;
  s.bodies = golden::truth();
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const double k = 1 + double(i);
    s.ax.push_back(k), s.ay.push_back(2 * k), s.az.push_back(3 * k), s.potential.push_back(-k);
  }
  for (const Format* format : formats()) {
    const auto file = folder / ("own" + std::string(format->ending));
    write_snapshot(file, s, {.format = format});
    expect_parts_of_the_whole(file);
  }
}

/// Whatever part is asked for, the form of the whole file is checked.
TEST(Parts, OfDamagedFilesAreRefused) {
  const Folder folder;
  const auto gadget = golden::gadget({});
  const auto cut = folder.write("cut", gadget.substr(0, gadget.size() - 20));
  const auto bare = folder / "bare.hdf5";
  golden::hdf5(bare, {.spoil = [](hid_t file) { golden::remove(file, "PartType1/Coordinates"); }});
  for (const auto& file : {cut, bare})
    for (const BodyRange range : {BodyRange{0, 0}, BodyRange{0, 1}, BodyRange{4, 1}}) {
      std::size_t asked = 0;
      EXPECT_THROW(part_of(file, range, asked), InputError) << file << " " << range.first;
    }
}

}  // namespace
}  // namespace pleiad
