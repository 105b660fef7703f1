/// `pleiad ic`: the first run that it suggests can be run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/shell.hpp"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad::test {
namespace {

std::vector<std::string> lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> all;
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

/// The value of a key in the summary that `pleiad ic --json` prints.
std::string value_of(const std::string& key, const std::string& json) {
  const auto at = json.find('"' + key + "\": ");
  if (at == json.npos) return "";
  const auto begin = at + key.size() + 4;
  auto value = json.substr(begin, json.find('\n', begin) - begin);
  value.erase(value.find_last_not_of("\",") + 1);
  return value.starts_with('"') ? value.substr(1) : value;
}

}  // namespace

TEST(Ic, SuggestsARunThatIsAcceptedForEveryModel) {
  const Scratch scratch;
  const auto list = lines(scratch.run("pleiad ic --list").out);
  std::vector<std::pair<std::string, std::string>>
      models;  // and a few hundred bodies, where they have a number
  for (const auto& line : list) {
    if (!line.starts_with(' ')) models.emplace_back(line.substr(0, line.find(':')), "");
    if (line.starts_with("  n ")) models.back().second = " -n 500";
  }
  ASSERT_GE(models.size(), 15U);
  // A format that states units and boxes, and one that does not state boxes, for one model after the other.
  for (std::size_t k = 0; k < models.size(); ++k) {
    const auto& [model, n] = models[k];
    const auto file = model + (k % 2 == 0 ? ".hdf5" : ".gadget2");
    const auto made = scratch.run("pleiad ic " + model + n + " -o " + file + " --json");
    ASSERT_EQ(made.code, 0) << model << made.err;
    const auto line = value_of("run", made.out);
    ASSERT_TRUE(line.starts_with("pleiad run " + model)) << made.out;
    const auto dry = scratch.run(line + " --dry-run");
    EXPECT_EQ(dry.code, 0) << line << "\n" << dry.err;
  }
}

// The energy of a step that is too long for an encounter is found while the steps are made, not before.
TEST(Ic, SuggestsARunOfFewBodiesThatEnds) {
  const Scratch scratch;
  for (const std::string model :
       {"two-body", "figure-eight", "pythagorean", "free-fall", "solar-system", "lattice side=5"}) {
    const auto made = scratch.run("pleiad ic " + model + " -o start.hdf5 --json");
    ASSERT_EQ(made.code, 0) << model << made.err;
    const auto line = value_of("run", made.out);
    const auto end = scratch.run(line + " --overwrite --set output.plots=false --set output.pictures=false");
    EXPECT_EQ(end.code, 0) << line << "\n" << end.err;
    EXPECT_EQ(end.err.find("dE/E is"), std::string::npos) << model << end.err;
  }
}

TEST(Ic, SuggestsStepsThatFollowEncountersWhereManyBodiesHaveNoSoftening) {
  const Scratch scratch;
  const auto line_of = [&](const std::string& model) {
    return value_of("run", scratch.run("pleiad ic " + model + " -o start.hdf5 --json").out);
  };
  EXPECT_NE(line_of("cluster -n 100").find("--integrator hermite4 --adaptive"), std::string::npos);
  for (const std::string model : {"plummer -n 100", "rings", "lattice side=5"})
    EXPECT_EQ(line_of(model).find("hermite4"), std::string::npos) << model;
}

TEST(Ic, TellsTheWordsOfChoicesInItsFileAndInItsList) {
  const Scratch scratch;
  const auto list = scratch.run("pleiad ic cluster --list").out;
  EXPECT_NE(list.find("[thermal, uniform, circular]"), std::string::npos) << list;
  ASSERT_EQ(scratch.run("pleiad ic cluster n=5 imf=salpeter -o c.csv").code, 0);
  const auto head = scratch.run("head -1 c.csv").out;
  for (const std::string words : {" imf=salpeter ", " pairing=random ", " eccentricity=thermal "})
    EXPECT_NE(head.find(words), std::string::npos) << head;
  // The command in the file makes the same file.
  const auto command = head.substr(head.find("pleiad ic"), head.find(" #", 2) - head.find("pleiad ic"));
  ASSERT_EQ(scratch.run(command + " -o again.csv").code, 0) << command;
  EXPECT_EQ(scratch.run("diff c.csv again.csv").out.find("star,"), std::string::npos);
}

TEST(Ic, SuggestsACommandThatTheShellTakesAsItIs) {
  const Scratch scratch;
  const auto made = scratch.run("pleiad ic two-body -o 'my bodies.csv' --json");
  ASSERT_EQ(made.code, 0) << made.err;
  const auto dry = scratch.run(value_of("run", made.out) + " --dry-run");
  EXPECT_EQ(dry.code, 0) << value_of("run", made.out) << "\n" << dry.err;
}

}  // namespace pleiad::test
