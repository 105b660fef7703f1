/// `pleiad plot` from the shell: its tables, its plots, and what they say of themselves.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/shell.hpp"

#include <string>

#include <gtest/gtest.h>

namespace pleiad::test {
namespace {

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST(Plot, WritesATableAScriptAndAPictureOfEveryKind) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run("pleiad ic galaxy -n 1000 -o g.hdf5").code, 0);
  for (const std::string kind : {"density", "rotation", "dispersion", "phase-space"}) {
    const Ended end = scratch.run("pleiad plot " + kind + " g.hdf5");
    EXPECT_EQ(end.code, 0) << kind << end.err;
    EXPECT_EQ(end.out, "g_" + kind + ".csv\ng_" + kind + ".png\n");
    // The script makes the picture again, by itself and without a word.
    const Ended again =
        scratch.run("rm g_" + kind + ".png && gnuplot g_" + kind + ".gp && head -c 4 g_" + kind + ".png");
    EXPECT_EQ(again.code, 0) << kind << again.err;
    EXPECT_EQ(again.err, "") << kind;
    EXPECT_EQ(again.out, "\x89PNG") << kind;
  }
  const Ended density = scratch.run("pleiad plot density g.hdf5 -o -");
  EXPECT_EQ(density.changes, "");
  for (const auto* part :
       {"# made by: pleiad plot density g.hdf5\n", "# units: galactic\n", "# bodies: all\n",
        "density in 1e10 Msun / kpc^3", "\ntype,radius_low,", "\nall,", "\nhalo,", "\ndisc,", "\nbulge,"})
    EXPECT_TRUE(says(density.out, part)) << part << density.out.substr(0, 800);
  EXPECT_TRUE(says(scratch.run("grep -h label g_density.gp").out, "M_{sun} / kpc^3"));
  const Ended rotation = scratch.run("pleiad plot rotation g.hdf5 -o -");
  // The model's softening, and its disc.
  EXPECT_TRUE(says(rotation.out, "# softening: 0.2\n")) << rotation.out.substr(0, 500);
  EXPECT_TRUE(says(rotation.out, "# bodies: disc\n")) << rotation.out.substr(0, 500);
}

TEST(Plot, OfARunTakesTheSnapshotAtATime) {
  const Scratch scratch;
  ASSERT_EQ(scratch
                .run("pleiad ic plummer -n 100 -o p.csv && pleiad run p.csv --eps 0.05 --dt 0.125 --t-end 1 "
                     "--output r --set output.snapshot_interval=0.5 --set output.trajectory_ids=[7,3] --set "
                     "output.pictures=false --set output.plots=false")
                .code,
            0);
  const auto line = [&](const std::string& options, const std::string& key) {
    const Ended end = scratch.run("pleiad plot rotation r -o - " + options + " | grep '^# " + key + ":'");
    EXPECT_EQ(end.code, 0) << end.err;
    return end.out;
  };
  EXPECT_EQ(line("", "time"), "# time: 1\n");
  EXPECT_EQ(line("--time 0.4", "time"), "# time: 0.5\n");
  EXPECT_EQ(line("", "softening"), "# softening: 0.05\n");
  EXPECT_EQ(line("--eps 0.5", "softening"), "# softening: 0.5\n");
  // The trajectories have every step, the snapshots three.
  const auto rows = [&](const std::string& options) {
    return scratch.run("pleiad plot orbit r -o - " + options + " | grep -c '^[0-9]'").out;
  };
  EXPECT_EQ(rows(""), "18\n");
  EXPECT_EQ(rows("--ids 3"), "9\n");
  EXPECT_EQ(rows("--ids 3,4"), "6\n") << "body 4 is in the snapshots alone";
  const Ended orbit = scratch.run("pleiad plot orbit r/");
  EXPECT_EQ(orbit.out, "r_orbit.csv\nr_orbit.png\n") << orbit.err;
  EXPECT_EQ(scratch.run("pleiad plot orbit r/snapshots/* --ids 5 -o -| grep -c '^5,'").out, "3\n");
}

TEST(Plot, WithoutGnuplotLeavesTheTable) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run("pleiad ic plummer -n 100 -o p.csv").code, 0);
  const Ended end = scratch.run("PATH=/nowhere; \"$PLEIAD\" plot density p.csv");
  EXPECT_EQ(end.code, 4) << end.err;
  EXPECT_TRUE(says(end.err, "no picture: gnuplot cannot be started")) << end.err;
  EXPECT_TRUE(says(end.changes, "p_density.csv")) << end.changes;
  EXPECT_TRUE(says(end.changes, "p_density.gp")) << end.changes;
}

}  // namespace pleiad::test
