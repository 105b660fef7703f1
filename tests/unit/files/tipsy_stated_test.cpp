/// TIPSY in every precision, and every key of the .param file beside it with every kind of bad value.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/files/golden.hpp"
#include "unit/files/refused.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad {
namespace {

using namespace golden;

/// One gas, two dark and one star, with numbers of eight bytes where asked.
std::string wide_tipsy(bool big, bool positions, bool velocities, bool others) {
  std::string out;
  const auto add = [&](auto value) {
    std::array<char, sizeof value> raw;
    std::memcpy(raw.data(), &value, sizeof value);
    if (big) std::reverse(raw.begin(), raw.end());
    out.append(raw.data(), raw.size());
  };
  add(0.75);
  for (const int n : {4, 3, 1, 2, 1, 0}) add(n);
  for (const std::size_t slots : {12, 9, 9, 11})
    for (std::size_t k = 0; k < slots; ++k) {
      const double value = k + 1 == slots ? -double(slots) : 0.5 * double(k + slots);
      const bool wide = k >= 1 && k < 4 ? positions : k >= 4 && k < 7 ? velocities : others;
      wide ? add(value) : add(float(value));
    }
  return out;
}

TEST(Stated, TipsyIsReadInEveryPrecision) {
  const Folder folder;
  const Snapshot plain = read_snapshot(folder.write("t", wide_tipsy(true, false, false, false))).snapshot;
  for (const bool big : {false, true})
    for (const auto& [positions, velocities, others] :
         {std::array{true, false, false}, {true, true, false}, {true, true, true}}) {
      const std::string bytes = wide_tipsy(big, positions, velocities, others);
      const auto c = read_snapshot(folder.write("t", bytes));
      EXPECT_TRUE(c.snapshot.bodies == plain.bodies);
      EXPECT_EQ(c.snapshot.potential, plain.potential);
      EXPECT_NE(c.notes.front().find("double"), std::string::npos) << c.notes.front();
      expect_refused_by_name(folder.write("t", bytes + "x"),
                             {"double precision would make 244", "292", "360"}, "a byte more");
    }
}

TEST(Stated, TheTimeOfTipsyIsReadOrRefused) {
  const Folder folder;
  for (const bool big : {false, true})
    for (const double bad : {nan, inf, -inf}) {
      std::string bytes = tipsy(big);
      std::array<char, 8> raw;
      std::memcpy(raw.data(), &bad, raw.size());
      if (big) std::reverse(raw.begin(), raw.end());
      std::memcpy(bytes.data(), raw.data(), raw.size());
      expect_refused_by_name(folder.write("t", bytes), {"time is "}, fmt::format("time {}", bad));
    }
}

TEST(Stated, ComovingTipsyIsMadePhysical) {
  const Folder folder;
  const Snapshot plain = read_snapshot(folder.write("t.00010", tipsy(true))).snapshot;  // time 0.75
  for (const char* comment : {"", " # as ChaNGa has it", "\r"}) {
    folder.write(
        "t.param",
        fmt::format("bComove = 1{}\ndHubble0 = 2.9\ndKpcUnit = 50000\ndMsolUnit = 1.8e16\n", comment));
    const auto c = read_snapshot(folder / "t.00010");
    for (std::size_t i = 0; i < plain.bodies.size(); ++i) {
      EXPECT_EQ(c.snapshot.bodies.x[i], 0.75 * plain.bodies.x[i]);
      EXPECT_EQ(c.snapshot.bodies.vz[i], 0.75 * plain.bodies.vz[i]);
      EXPECT_EQ(c.snapshot.bodies.mass[i], plain.bodies.mass[i]);
    }
    EXPECT_TRUE(c.snapshot.potential.empty()) << "a potential of the comoving kind is no potential";
    EXPECT_EQ(c.snapshot.time, 0.75);
    EXPECT_TRUE(c.units_stated);
    // Whatever units the user names, positions are comoving.
    const auto named = read_snapshot(folder / "t.00010", units_named("galactic"));
    EXPECT_EQ(named.snapshot.bodies.x[1], 0.75 * plain.bodies.x[1]);
    EXPECT_EQ(named.snapshot.units.name, "galactic");
  }
  folder.write("t.param", "bComove = 1\n");
  EXPECT_EQ(read_snapshot(folder / "t.00010").snapshot.bodies.x[1], 0.75 * plain.bodies.x[1]);
  folder.write("t.param", "bComove = 0\ndKpcUnit = 50000\ndMsolUnit = 1.8e16\n");
  EXPECT_EQ(read_snapshot(folder / "t.00010").snapshot.bodies.x[1], plain.bodies.x[1]);
}

TEST(Stated, EveryKeyOfAParamFileIsReadOrRefusedByName) {
  const Folder folder;
  folder.write("t.00010", tipsy(true));
  for (const char* key : {"bComove", "dKpcUnit", "dMsolUnit"})
    for (const char* bad : {"yes", "", "nan", "inf", "-1", "1 2", "1,5", "2x"}) {
      std::string text;
      for (const auto& [name, good] :
           {std::pair{"bComove", "1"}, {"dKpcUnit", "50000"}, {"dMsolUnit", "1.8e16"}})
        text += fmt::format("{} = {}\n", name, std::string_view(name) == key ? bad : good);
      folder.write("t.param", text);
      expect_refused_by_name(folder / "t.00010", {"t.param", key}, fmt::format("{} = {}", key, bad));
    }
  for (const double bad : {0.0, -0.5}) {
    std::string bytes = tipsy(false);
    std::memcpy(bytes.data(), &bad, 8);
    folder.write("t.00010", bytes), folder.write("t.param", "bComove = 1\n");
    expect_refused_by_name(folder / "t.00010", {"t.param", "bComove = 1", "scale factor"}, "time");
  }
}

}  // namespace
}  // namespace pleiad
