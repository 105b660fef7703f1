/// Ensembles from the command line: tables, resumes to the same bits, refusals.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/shell.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace {

using namespace pleiad::test;

const std::string base =
    "printf '[initial_conditions]\\nmodel = \"plummer\"\\nparameters = [\"n=16\"]\\n[gravity]\\nsoftening = "
    "0.05\\n[time]\\ndt = 0.0078125\\nt_end = 0.5\\n[output]\\nplots = false\\n' > e.toml; ";

TEST(Ensemble, ASystemHasTheHashOfItsOwnRun) {
  const Scratch scratch;
  const Ended ended =
      scratch.run(base +
                  "pleiad run e.toml --ensemble 3 --seed 5 --output all --quiet > /dev/null && "
                  "pleiad run e.toml --seed 7 --output one --set output.pictures=false --quiet | tail -n 1 | "
                  "cut -d' ' -f3 > "
                  "hash && tail -n 1 all/ensemble.csv | grep -c -f hash");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, "1\n");
}

TEST(Ensemble, ATableHasARowForEachSystemAndAColumnForEachKey) {
  const Scratch scratch;
  const Ended ended = scratch.run(
      base +
      "pleiad run e.toml --ensemble 2 --vary gravity.softening=0.01:0.1:3 --vary mass_fraction=0.5,1 --set "
      "ensemble.json=true --set ensemble.save=[3] --set ensemble.final_states=true --output scan --quiet > "
      "/dev/null "
      "&& head -n 1 scan/ensemble.csv | cut -d, -f1-5 && cut -d, -f1-6 scan/ensemble.csv | tail -n 1 && "
      "wc -l < scan/ensemble.csv && grep -c '\"index\"' scan/ensemble.json && ls scan/snapshots "
      "scan/final_states.hdf5");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out,
            "index,seed,gravity.softening,mass_fraction,bodies\n11,12,0.1,1,16,ok\n13\n12\n"
            "scan/final_states.hdf5\n\nscan/snapshots:\nmember_000003_000.hdf5\nmember_000003_001.hdf5\n");
}

TEST(Ensemble, StoppedRunsGoOnToTheSameBits) {
  const Scratch scratch;
  // Stopped before its first step, then again and again by a wall time of which little is left: every stop
  // must say 75, and the tables must be those of a run that was never stopped.
  const Ended ended = scratch.run(
      base +
      "common='e.toml --ensemble 40 --vary gravity.softening=0.02,0.05 --integrator hermite4 --adaptive --dt "
      "0.03125 "
      "--set time.eta=0.002 --t-end 1 --quiet'\n"
      "pleiad run $common --output whole > /dev/null || exit 1\n"
      "mkdir parts; touch parts/stop; pleiad run $common --output parts > /dev/null 2>&1; echo $?\n"
      "stops=0; code=75\n"
      "while [ $code = 75 ] && [ $stops -lt 200 ]; do\n"
      "  pleiad run --resume parts --walltime 0.15 --quiet > /dev/null 2>&1; code=$?; stops=$((stops + 1))\n"
      "  [ $stops -ge 3 ] && { pleiad run --resume parts --walltime 0 --quiet > /dev/null 2>&1; code=$?; }\n"
      "done\n"
      "echo $code; cmp whole/ensemble.csv parts/ensemble.csv && cmp whole/ensemble_times.csv "
      "parts/ensemble_times.csv");
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  EXPECT_EQ(ended.out, "75\n0\n");
}

TEST(Ensemble, EndsByANumericalErrorWhenAllSystemsFail) {
  const Scratch scratch;
  const Ended ended =
      scratch.run(base +
                  "pleiad run e.toml --ensemble 2 --eps 0 --dt 0.25 --set limits.max_energy_error=1e-9 "
                  "--output bad --quiet > /dev/null; code=$?; cut -d, -f4 bad/ensemble.csv; exit $code");
  EXPECT_EQ(ended.code, 5) << ended.err;
  EXPECT_NE(ended.err.find("all 2 systems of the ensemble have failed"), std::string::npos) << ended.err;
  EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
  EXPECT_EQ(ended.out, "status\nenergy limit\nenergy limit\n");
}

TEST(Ensemble, ARehearsalWritesNothing) {
  const Scratch scratch;
  scratch.run(base + "true");
  const Ended ended = scratch.run("pleiad run e.toml --ensemble 1000 --dry-run");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("systems    1000"), std::string::npos) << ended.out;
  EXPECT_EQ(ended.changes, "");
}

struct Refused {
  const char *name, *command;
  int code;
  const char* word;
};
class RefusesEnsembles : public testing::TestWithParam<Refused> {};
TEST_P(RefusesEnsembles, WithOneLineAndTouchesNothing) {
  const auto& row = GetParam();
  const Scratch scratch;
  ASSERT_EQ(scratch.run(base + "true").code, 0);
  const Ended ended = scratch.run(row.command);
  EXPECT_EQ(ended.code, row.code) << row.command << '\n' << ended.err;
  EXPECT_NE(ended.err.find(row.word), std::string::npos)
      << "expected: " << row.word << "\nactual:   " << ended.err;
  EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(ended.changes, "");
}
constexpr Refused refused[] = {
    {"None", "pleiad run e.toml --ensemble 0", 2, "at least 1"},
    {"Negative", "pleiad run e.toml --ensemble=-1", 2, "ensemble.count must be 0 to"},
    {"TooMany", "pleiad run e.toml --ensemble 1e12", 4, "GiB of memory"},
    {"MoreThanCanBeCounted", "pleiad run e.toml --ensemble 9000000000000000000 --vary n=2,3,4", 2,
     "can be counted"},
    {"BadRange", "pleiad run e.toml --vary n=1:2", 2, "a range is FROM:TO:COUNT"},
    {"NoSuchParameter", "pleiad run e.toml --vary mas_fraction=0.5,1", 2, "did you mean 'mass_fraction'?"},
    {"OutOfRange", "pleiad run e.toml --vary gravity.softening=0.1,-1", 2, "gravity.softening must be >= 0"},
    {"StepThatDoesNotFit", "pleiad run e.toml --vary time.dt=0.0078125,0.3", 2, "system 1"},
    {"AllTheSame",
     "pleiad run e.toml --ensemble 2 --set initial_conditions.model=pythagorean --set "
     "initial_conditions.parameters=[]",
     2, "draws nothing"},
    {"Movie", "pleiad run e.toml --ensemble 2 --set output.movie=true --set output.picture_interval=0.1", 2,
     "have no pictures"},
    {"Paths", "pleiad run e.toml --ensemble 2 --set output.trajectory_ids=[1]", 2, "record no trajectories"},
    {"SaveNobody", "pleiad run e.toml --ensemble 2 --set ensemble.save=[2]", 2, "there is no system 2"},
    {"JitterOfOne", "pleiad run e.toml --set ensemble.jitter=0.1", 2, "need ensemble.count or ensemble.vary"},
};
INSTANTIATE_TEST_SUITE_P(Run, RefusesEnsembles, testing::ValuesIn(refused),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
