/// Runs of the program whose error in time is asked for, and what ends them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/shell.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace pleiad::test {
namespace {

constexpr const char* quiet = " --set output.pictures=false --set output.plots=false ";

bool tells(const std::string& text, const std::string& words) { return text.find(words) != text.npos; }

/// The largest error in the rows of diagnostics.txt.
double worst_of_rows(const std::string& table) {
  std::istringstream lines(table);
  double worst = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    double numbers[6] = {};
    for (double& x : numbers) words >> x;
    worst = std::isfinite(numbers[5]) ? std::max(worst, std::abs(numbers[5])) : INFINITY;
  }
  return worst;
}

}  // namespace

// At t = 15.8 two bodies pass at 4e-4, beyond the trials of a run to 60: there positions in doubles are worth
// 1.8e-9 of the energy.
TEST(EnergyErrorOfTheProgram, EndsARunWithCode5AndAValidCheckpointWhereNothingKeepsIt) {
  Scratch scratch;
  ASSERT_EQ(scratch.run("pleiad ic pythagorean -o p.hdf5").code, 0);
  const auto ended = scratch.run(std::string("pleiad run p.hdf5 --integrator hermite4 --energy-error 1e-9 "
                                             "--t-end 60 --set checkpoint.every_steps=100 --output o") +
                                 quiet);
  EXPECT_EQ(ended.code, 5) << ended.err;
  EXPECT_TRUE(tells(ended.err, "time.energy_error = 1e-09 is not kept from t = 15.")) << ended.err;
  EXPECT_TRUE(tells(ended.err, "which no shorter step lowers")) << ended.err;
  EXPECT_LE(worst_of_rows(scratch.run("cat o/diagnostics.txt").out), 1e-9);
  // The checkpoint is a state before the encounter, from which the run comes to the same place.
  const auto state = scratch.run("pleiad info o --json");
  EXPECT_EQ(state.code, 0) << state.err;
  const auto again = scratch.run("pleiad run --resume o");
  EXPECT_EQ(again.code, 5) << again.err;
  EXPECT_TRUE(tells(again.err, "is not kept from t = 15.")) << again.err;
  // Who asks for less goes on from there.
  const auto branch = scratch.run(
      std::string("pleiad run --resume o --output b --energy-error 1e-6 --t-end 20") + " --set time.dt=1");
  EXPECT_EQ(branch.code, 0) << branch.err;
  EXPECT_TRUE(tells(branch.out + branch.err, "energy error kept")) << branch.out;
}

TEST(EnergyErrorOfTheProgram, TriesTheStatedIntegratorAlone) {
  Scratch scratch;
  ASSERT_EQ(scratch.run("pleiad ic plummer -n 60 --seed 1 -o p.hdf5").code, 0);
  for (const auto* name : {"kdk", "leapfrog", "hermite6"}) {
    const auto ended = scratch.run(std::string("pleiad run p.hdf5 --eps 0.1 --energy-error 1e-6 --t-end 0.5 "
                                               "--output ") +
                                   name + " --integrator " + name + quiet);
    ASSERT_EQ(ended.code, 0) << ended.err;
    const std::string scheme = std::string(name) == "leapfrog" ? "kdk" : name;
    EXPECT_TRUE(tells(ended.err, "energy error 1e-06 asked: " + scheme + ",")) << ended.err;
  }
}

TEST(PositionErrorOfTheProgram, IsAnOptionWhoseChoiceIsTold) {
  Scratch scratch;
  ASSERT_EQ(scratch.run("pleiad ic figure-eight -o f.hdf5").code, 0);
  const auto ended =
      scratch.run(std::string("pleiad run f.hdf5 --position-error 1e-4 --t-end 20 --output o") + quiet);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(tells(ended.err, "position error 0.0001 asked: ")) << ended.err;
  EXPECT_TRUE(tells(ended.err, "the whole run was tried")) << ended.err;
  const auto refused =
      scratch.run(std::string("pleiad run f.hdf5 --position-error 1e-4 --energy-error 1e-4 --t-end 20 "
                              "--output p") +
                  quiet);
  EXPECT_EQ(refused.code, 2) << refused.err;
  EXPECT_TRUE(tells(refused.err, "set only one of them")) << refused.err;
}

}  // namespace pleiad::test
