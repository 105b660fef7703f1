/// Tables of McLuster and PeTar: what is read, in which units, and what is refused, with its line.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/star_tables.hpp"

#include "unit/files/golden.hpp"
#include "unit/files/refused.hpp"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad {
namespace {

using namespace golden;

/// As mcluster -C 3 writes it, with tabs of any number between the names.
const std::string mcluster_head =
    "#Mass_[Msun]\tx_[pc]\t\t\ty_[pc]\t\t\tz_[pc]\t\t\tvx_[km/s]\t\tvy_[km/s]\t\tvz_[km/s]";
const std::string evolved_head = "\t\tMass(t=0)_[Msun]\tkw\tepoch1_[Myr]\td(B-V)";
const std::string mcluster_rows =
    "0.593310\t0.2900000000000000\t-0.4100000000000000\t0.6200000000000000\t0.05\t0.11\t-0.07\n"
    "12.500000\t-1.5000000000000000\t2.0000000000000000\t0.0100000000000000\t-1.25\t0.5\t3.0\n";

/// A row of PeTar with so many columns, and the sum of masses that its units follow from.
std::string petar_row(double mass, double x, std::size_t columns, std::size_t number) {
  std::string row = fmt::format("{} {} 0.25 -0.5 1.5 -2.5 {:.17e}", mass, x, 0.125);
  for (std::size_t k = 7; k < columns; ++k) row += k == 9 ? fmt::format(" {}", number) : " 0";
  return row + "\n";
}

bool has_note(const FileContent& content, const std::string& words) {
  return std::any_of(content.notes.begin(), content.notes.end(),
                     [&](const std::string& note) { return note.find(words) != note.npos; });
}

TEST(StarTables, OfMcLusterAreInTheUnitsOfTheirHeader) {
  const Folder folder;
  for (const bool evolved : {false, true}) {
    std::string rows;
    for (const char c : mcluster_rows) {
      if (c == '\n' && evolved) rows += "\t0.600000\t\t1\t0.0\t0";
      rows += c;
    }
    const auto file = folder.write("c.txt", mcluster_head + (evolved ? evolved_head : "") + "\n" + rows);
    EXPECT_EQ(&detect_format(file), &format_mcluster);
    const auto content = read_snapshot(file);
    const auto& s = content.snapshot;
    EXPECT_EQ(s.units, units_named("cluster"));
    EXPECT_EQ(s.G, s.units.G());
    EXPECT_TRUE(content.units_stated);
    ASSERT_EQ(s.bodies.size(), 2u);
    EXPECT_EQ(s.bodies.mass, (std::vector{0.59331, 12.5}));
    EXPECT_EQ(s.bodies.position(0), (Vec3<double>{0.29, -0.41, 0.62}));
    EXPECT_EQ(s.bodies.velocity(1), (Vec3<double>{-1.25, 0.5, 3.0}));
    EXPECT_EQ(s.bodies.id, (std::vector<std::uint64_t>{0, 1}));
    EXPECT_EQ(s.bodies.type[0], Type::star);
    EXPECT_EQ(has_note(content, "columns 8 to 11 skipped"), evolved);
    EXPECT_FALSE(has_note(content, "add up to 1"));
  }
}

TEST(StarTables, OfMcLusterInNbodyUnitsAreTold) {
  const Folder folder;
  const auto file = folder.write("c.txt", mcluster_head + "\n0.4 1 0 0 0 0.5 0\n0.6 -1 0 0 0 -0.5 0\n");
  EXPECT_TRUE(has_note(read_snapshot(file), "add up to 1"));
  const auto nbody = read_snapshot(file, units_named("nbody"));
  EXPECT_EQ(nbody.snapshot.units, units_named("nbody"));
  EXPECT_EQ(nbody.snapshot.G, 1);
}

TEST(StarTables, OfPetarHaveTheirTimeAndUnits) {
  const Folder folder;
  for (const std::size_t columns : {18u, 20u, 34u}) {
    const auto file = folder.write("data.7", "7 3 12.5\n" + petar_row(2, 1, columns, 1) +
                                                 petar_row(3, 2, columns, 2) + petar_row(4, 3, columns, 3));
    EXPECT_EQ(&detect_format(file), &format_petar);
    const auto content = read_snapshot(file);
    const auto& s = content.snapshot;
    ASSERT_EQ(s.bodies.size(), 3u);
    EXPECT_EQ(s.time, 12.5);
    EXPECT_EQ(s.bodies.mass, (std::vector{2.0, 3.0, 4.0}));
    EXPECT_EQ(s.bodies.position(1), (Vec3<double>{2, 0.25, -0.5}));
    EXPECT_EQ(s.bodies.velocity(2), (Vec3<double>{1.5, -2.5, 0.125}));
    // PeTar's G for pc, Msun and Myr, whose solar mass differs from ours in the fifth digit.
    EXPECT_LE(std::abs(s.G / 0.00449830997959438 - 1), 5e-5);
    EXPECT_LE(std::abs(s.units.time_s() / 3.15576e13 - 1), 1e-15);
    EXPECT_TRUE(has_note(content, "taken as pc, Msun and pc/Myr"));
    // 1 pc / Myr is 0.9778 km/s.
    auto converted = s;
    convert(converted, units_named("cluster"));
    EXPECT_LE(std::abs(converted.bodies.vx[0] / (1.5 * 0.97779222) - 1), 1e-8);
  }
}

TEST(StarTables, OfPetarWithTheMassOneAreInNbodyUnits) {
  const Folder folder;
  const auto file =
      folder.write("p.input", "0 2 0\n" + petar_row(0.25, 1, 20, 1) + petar_row(0.75, 2, 20, 2));
  const auto content = read_snapshot(file);
  EXPECT_EQ(content.snapshot.units, units_named("nbody"));
  EXPECT_EQ(content.snapshot.G, 1);
  EXPECT_TRUE(has_note(content, "does not say its units: nbody assumed"));
}

TEST(StarTables, OfPetarInAGalaxyAreMovedThere) {
  const Folder folder;
  const auto file = folder.write(
      "data.0", "0 2 0 8000 -10 20 -1 220 2\n" + petar_row(5, 1, 22, 1) + petar_row(7, 2, 22, 2));
  const auto b = read_snapshot(file).snapshot.bodies;
  EXPECT_EQ(b.position(0), (Vec3<double>{8001, -9.75, 19.5}));
  EXPECT_EQ(b.velocity(1), (Vec3<double>{0.5, 217.5, 2.125}));
}

TEST(StarTables, AreRefusedWithTheirLine) {
  const Folder folder;
  const std::string two = petar_row(2, 1, 20, 1) + petar_row(3, 2, 20, 2);
  const auto refused = [&](const std::string& text, const std::vector<std::string>& words) {
    expect_refused_by_name(folder.write("stars", text), words, text.substr(0, 60));
  };
  refused(mcluster_head + "\n", {"no stars"});
  refused(mcluster_head + "\n1 2 3\n", {"line 2", "3 columns"});
  refused(mcluster_head + "\n" + mcluster_rows + "1 2 3 4 5 6\n", {"line 4", "6 columns"});
  refused(mcluster_head + "\n" + mcluster_rows + "\n1 2 3 4 five 6 7\n",
          {"line 5", "column 5 (vx)", "'five'"});
  refused(mcluster_head + "\n1 2 3 4 5 6 7\n\x01\n", {"line 3"});
  refused("0 3 0\n" + two, {"3 stars, but 2 rows", "cut off"});
  refused("0 1 0\n" + two, {"1 stars, but 2 rows"});
  refused("0 2 0\n" + petar_row(2, 1, 20, 1) + petar_row(2, 1, 19, 1), {"line 3", "19 columns"});
  refused("0 2 inf\n" + two, {"line 1", "field 3", "'inf'"});
  refused("0 2 0 1 2 nan 0 0 0\n" + two, {"line 1", "field 6", "'nan'"});
  refused("0 2 0\n" + two.substr(0, two.size() - 30), {"line 3"});
  // Fewer columns than PeTar has: a table without a header, as before.
  refused("0 2 0\n1 2 3 4 5 6 7\n", {"3 columns without a header"});
}

}  // namespace
}  // namespace pleiad
