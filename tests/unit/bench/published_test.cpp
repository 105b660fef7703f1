/// The published benchmarks' figures: all of them, with the settings that they belong to.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published.hpp"

#include <pleiad/error.hpp>

#include <map>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::bench;

TEST(Published, HasEveryFigureOfTheFiveAccounts) {
  std::map<std::string, int> count;
  for (const auto& p : published_values()) {
    ++count[p.source];
    EXPECT_FALSE(p.hardware.empty() || p.kernel.empty() || p.unit.empty() || p.experiment.empty())
        << p.kernel;
    EXPECT_GT(p.value, 0) << p.kernel;
  }
  EXPECT_EQ(count, (std::map<std::string, int>{{"S1", 18}, {"S2", 5}, {"S3", 44}, {"S4", 29}, {"S5", 2}}));
}

TEST(Published, HasNoTwoFiguresForOneSetting) {
  std::map<std::tuple<std::string, std::string, std::string, std::size_t, int, std::string>, int> count;
  for (const auto& p : published_values())
    EXPECT_EQ(++count[std::tuple(p.source, p.experiment, p.kernel, p.n, p.block, p.other)], 1)
        << p.source << " " << p.kernel << " N = " << p.n << " block " << p.block << " " << p.other;
}

// The publication's text repeats 32.3 for block 128: its table has that at block 32, and 32.981 at 128.
TEST(Published, GivesEachBlockItsOwnFigure) {
  const PublishedKey basic{.source = "S4", .experiment = "block scan, basic"};
  auto key = basic;
  key.block = 32;
  ASSERT_NE(one_published(key), nullptr);
  EXPECT_EQ(one_published(key)->value, 32.320);
  key.block = 128;
  EXPECT_EQ(one_published(key)->value, 32.981);
  EXPECT_EQ(one_published(key)->hardware, "A100 (108 SMs, cc 8.0)");
  key.block = 33;
  EXPECT_EQ(one_published(key), nullptr);
  EXPECT_EQ(published(basic).size(), 16U);
  EXPECT_THROW(one_published(basic), UsageError);
  const auto* best = one_published({.source = "S4", .block = 128, .other = "stride 32"});
  ASSERT_NE(best, nullptr);
  EXPECT_EQ(best->value, 256.532);
  EXPECT_EQ(one_published({.source = "S5", .block = 256})->value, 3.43);
}

// What two figures of one publication say of each other: 94.9 and 1.4 steps per second are the 67.8 that it
// tells; 197.147 and 0.081 are 2434, where it prints 1434.
TEST(Published, AgreesWithTheRatiosThatTheAccountsTell) {
  const auto value = [](const PublishedKey& key) { return one_published(key)->value; };
  const double speed_up = value({.source = "S3", .experiment = "N scan, naive", .n = 8192}) /
                          value({.source = "S3", .kernel = "serial", .n = 8192});
  EXPECT_NEAR(speed_up, value({.source = "S3", .experiment = "speed-up over serial"}), 0.05);
  const double over_serial = value({.source = "S4", .block = 128, .other = "stride 4"}) /
                             value({.source = "S4", .experiment = "serial"});
  EXPECT_NEAR(over_serial, 2434, 0.5);
}

TEST(Published, NamesTheLineThatIsNotOfItsForm) {
  const std::string header = "source,hardware,experiment,kernel,n,block,other,value,unit,note\n";
  const auto why = [&](const std::string& lines) {
    try {
      published_of_csv(lines);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_NE(why("a,b\n").find("line 1"), std::string::npos);
  EXPECT_NE(why(header + "S1,a,b,c,4096,,,12\n").find("line 2: 8 fields, not 10"), std::string::npos);
  for (const auto* line : {"S1,a,b,c,many,,,12,s,\n", "S1,a,b,c,1,16x,,12,s,\n", "S1,a,b,c,1,,,fast,s,\n",
                           "S1,a,b,c,1,,,nan,s,\n", "S1,a,b,c,1,,,-3,s,\n"})
    EXPECT_NE(why(header + line).find("line 2: n '"), std::string::npos) << line;
  EXPECT_EQ(published_of_csv(header + "S1,\"a, \"\"b\"\"\",b,c,,16x8,,1.5,s,\"x, y\"\n").at(0).block, 128);
  EXPECT_EQ(published_of_csv(header + "S1,\"a, \"\"b\"\"\",b,c,,16x8,,1.5,s,\"x, y\"\n").at(0).hardware,
            "a, \"b\"");
}
