/// Tables as other programs name their columns, and files that are no snapshots: each is named by what it is.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/files/golden.hpp"

#include <pleiad/error.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad {
namespace {

using namespace golden;

TEST(Foreign, VectorsOfParaViewAreReadByTheirComponents) {
  const Folder folder;
  for (const auto& places : {"Points", "points", "Position", "positions", "Coordinates", "pos"})
    for (const auto& speeds : {"Velocity", "velocities", "vel", "Velocities"})
      for (const auto& [open, close] : {std::pair{":", ""}, {"_", ""}, {"[", "]"}})
        for (const bool quoted : {false, true}) {
          std::string head, quote = quoted ? "\"" : "";
          for (const int k : {2, 0, 1})
            head += fmt::format("{0}{1}{2}{3}{4}{0},", quote, speeds, open, k, close);
          head += "Mass,";
          for (const int k : {1, 2, 0})
            head += fmt::format("{0}{1}{2}{3}{4}{0},", quote, places, open, k, close);
          const auto c = read_snapshot(folder.write("p.csv", head + "Points_Magnitude\n7,5,6,1,3,4,2,9\n"));
          const Bodies& b = c.snapshot.bodies;
          EXPECT_EQ(b.position(0), (Vec3<double>{2, 3, 4})) << head;
          EXPECT_EQ((Vec3<double>{b.vx[0], b.vy[0], b.vz[0]}), (Vec3<double>{5, 6, 7})) << head;
          EXPECT_EQ(b.mass[0], 1);
        }
}

std::string wide(const std::string& text, bool big) {
  std::string out;
  for (const char c : text) out += big ? std::string{'\0', c} : std::string{c, '\0'};
  return out;
}

TEST(Foreign, FilesAreNamedByWhatTheyAre) {
  const Folder folder;
  const std::string table = "mass,x,y,z,vx,vy,vz\n1,2,3,4,5,6,7\n", rows = "1 2 3 4 5 6 7\n1 2 3 4 5 6 8\n";
  const auto lines_of_cr = [](std::string text) {
    for (char& c : text) c = c == '\n' ? '\r' : c;
    return text;
  };
  const std::vector<std::pair<std::string, std::vector<std::string>>> files{
      {std::string("\x89PLEIAD\n", 8) + std::string(100, '\1'), {"header", "checksum"}},
      {"PLEIADREC1\nxyz", {"recording", "pleiad view"}},
      {std::string("\x1f\x8b\x08\0\0\0\0\0", 8) + std::string(60, '\2'), {"gzip", "gunzip"}},
      {"BZh91AY&SY", {"bzip2"}},
      {std::string("\xfd"
                   "7zXZ\0\0\4",
                   8),
       {"xz"}},
      {std::string("\x28\xb5\x2f\xfd\4\0", 6), {"zstd"}},
      {std::string("PK\3\4\x14\0\6\0", 8), {"zip archive"}},
      {std::string("\x93NUMPY\1\0", 8), {"NumPy"}},
      {"SIMPLE  =                    T", {"FITS"}},
      {"# vtk DataFile Version 3.0\nx\nASCII\n", {"VTK"}},
      {"<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\">\n", {"VTK"}},
      {"<VTKFile type=\"PolyData\">\n", {"VTK"}},
      {"\xff\xfe" + wide(table, false), {"UTF-16", "UTF-8"}},
      {"\xfe\xff" + wide(table, true), {"UTF-16"}},
      {wide(table, false), {"UTF-16"}},
      {wide(rows, true), {"UTF-16"}},
      {lines_of_cr(table), {"CR alone"}},
      {lines_of_cr(rows), {"CR alone"}},
      {lines_of_cr("# units: galactic\n" + table), {"CR alone"}},
      {"mass;x;y;z;vx;vy;vz\n1,5;2;3;4;5;6;7\n", {"line 2", "semicolons", "decimal points"}},
      {"1,5;2,0;3;4;5;6;7\n", {"line 1", "semicolons", "decimal points"}},
      {"mass,x,y,z,vx,vy,vz\n1,2,3,4,5,6,0.1-100\n", {"line 2", "0.1-100", "needs an E"}}};
  for (const auto& [bytes, words] : files) {
    const auto file = folder.write("f", bytes);
    try {
      read_snapshot(file);
      ADD_FAILURE() << "accepted: " << words.front();
    } catch (const InputError& e) {
      const std::string said = e.what();
      for (const auto& word : words)
        EXPECT_NE(said.find(word), said.npos) << "no '" << word << "' in: " << said;
      EXPECT_EQ(said.find('\n'), said.npos) << said;
    }
  }
}

}  // namespace
}  // namespace pleiad
