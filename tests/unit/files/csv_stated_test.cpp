/// Every key of a CSV table with every kind of bad value.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/files/golden.hpp"
#include "unit/files/refused.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad {
namespace {

using namespace golden;

struct Key {
  std::string name, good;
  std::vector<std::string> bad;
};

/// Every key with every kind of word that is none of its values.
std::vector<Key> keys() {
  const std::vector<std::string> no_number{"",      "noon", "1,5",   "1;5",  "1 2",   "nan", "inf", "-inf",
                                           "1e999", "3x",   "1.5.2", "0x10", "1_000", "1e",  "--1", "1 Myr"};
  auto no_whole = no_number, no_G = no_number;
  for (const char* text :
       {"-1", "-3", "3.5", "18446744073709551616", "99999999999999999999999", "1e300", "1e-3", "2.0000001"})
    no_whole.emplace_back(text);
  for (const char* text : {"0", "-1", "-0.0"}) no_G.emplace_back(text);
  std::vector<std::string> no_box{"", "8", "8 8", "8 8 8 8", "8x8x8"};
  for (const auto& word : no_G)
    if (!word.empty() && word.find_first_of(" ,;") == word.npos)
      for (const int place : {0, 1, 2})
        no_box.push_back(fmt::format("{} {} {}", place == 0 ? word : "8", place == 1 ? word : "8",
                                     place == 2 ? word : "8"));
  std::vector<std::string> no_units{"",           "galctic",        "kpc Msun km/s", "custom",
                                    "custom 1 2", "custom 1 2 3 4", "si cgs",        "3"};
  for (const char* word : {"x", "0", "-3", "nan", "inf", "1e999"})
    for (const int place : {0, 1, 2})
      no_units.push_back(fmt::format("custom {} {} {}", place == 0 ? word : "1", place == 1 ? word : "1",
                                     place == 2 ? word : "1"));
  return {{"time", "2.5", no_number},
          {"step", "18446744073709551615", no_whole},
          {"G", "3.5", no_G},
          {"bodies", "2", no_whole},
          {"periodic", "8 9 10", no_box},
          {"images", "all", {"", "some", "all nearest", "1", "allofthem"}},
          {"units", "custom 1e18 2e33 3e4", no_units}};
}

constexpr const char* table = "mass,x,y,z,vx,vy,vz\n1,2,3,4,5,6,7\n1,3,3,4,5,6,7\n";

TEST(Stated, EveryKeyOfACsvTableIsReadOrRefusedByName) {
  const Folder folder;
  for (const auto& key : keys()) {
    const std::string box = key.name == "images" ? "# periodic: 1 1 1\n" : "";
    for (const auto& bad : key.bad)
      for (const auto& line : {"# " + key.name + ": " + bad, "#" + key.name + " :\t" + bad + "\r",
                               "\"# " + key.name + ": " + bad + "\""})
        expect_refused_by_name(folder.write("f.csv", box + line + "\n" + table),
                               {"f.csv", "line ", "# " + key.name + ":"}, line);
    const std::string good = "# " + key.name + ": " + key.good;
    for (const auto& line : {good, good + ",,,,,,", good + ";;", "\"" + good + "\"", good + " \r"})
      EXPECT_NO_THROW(read_snapshot(folder.write("f.csv", box + line + "\n" + table))) << line;
    expect_refused_by_name(folder.write("f.csv", box + good + "\n" + good + "\n" + table),
                           {key.name, "twice"}, good);
    expect_refused_by_name(folder.write("f.csv", table + good + "\n"), {"line 4", "below the first row"},
                           good);
  }
  expect_refused_by_name(folder.write("f.csv", std::string("# images: all\n") + table),
                         {"without '# periodic:'"}, "images");
  for (const char* other : {"# timestep: noon", "# colour: red", "# made by: time: noon", "# step 3x",
                            "# a remark: time", "#: 3", "#"})
    EXPECT_NO_THROW(read_snapshot(folder.write("f.csv", std::string(other) + "\n" + table))) << other;
}

TEST(Stated, GoodKeysOfACsvTableAreWhatTheySay) {
  const Folder folder;
  std::string head;
  for (const auto& key : keys()) head += "# " + key.name + ": " + key.good + "\n";
  const Snapshot s = read_snapshot(folder.write("f.csv", head + table)).snapshot;
  EXPECT_EQ(s.time, 2.5);
  EXPECT_EQ(s.step, 18446744073709551615u);
  EXPECT_EQ(s.G, 3.5);
  EXPECT_EQ(s.units, custom_units(1e18, 2e33, 3e4));
  EXPECT_EQ(s.boundary.length.z, 10);
  EXPECT_TRUE(s.boundary.all_images());
}

}  // namespace
}  // namespace pleiad
