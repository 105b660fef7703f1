/// `pleiad plot` from the shell: its tables, its plots, and what they say of themselves.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/shell.hpp"

#include <string>
#include <tuple>
#include <utility>

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

// A circular orbit of period 2 pi, from snapshots: 42 of an orbit are a line, 4 are not.
TEST(Plot, DrawsPointsWherePositionsAreTooFarApartForALine) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run("printf 'mass,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n0,1,0,0,0,1,0\n' > b.csv").code, 0);
  for (const auto& [interval, drawn] :
       {std::pair("0.15", "with lines lw 1.4 lc rgb '#3b5fc0' title 'body 1'"),
        std::pair("1.5",
                  "with points pt 7 ps 0.35 lc rgb '#3b5fc0' title "
                  "'body 1 (positions, too few for a line)'")}) {
    const auto run = scratch.run(
        std::string("pleiad run b.csv --integrator gauss-radau --adaptive --dt 1 --t-end 15 --output r "
                    "--overwrite --set output.pictures=false --set output.plots=false --set "
                    "output.snapshot_interval=") +
        interval + " && pleiad plot orbit r && cat r_orbit.gp");
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_TRUE(says(run.out, drawn)) << run.out;
  }
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

TEST(Plot, OfTheEvolutionOfAClusterHasWhatTheRunWrote) {
  const Scratch scratch;
  ASSERT_EQ(
      scratch
          .run("pleiad ic plummer -n 60 -o p.csv && pleiad run p.csv --eps 0.05 --dt 0.125 --t-end 0.5 "
               "--output "
               "r --set output.cluster_interval=0.25 --set output.pictures=false --set output.plots=false")
          .code,
      0);
  const Ended end = scratch.run("pleiad plot evolution r/");
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(end.out, "r_evolution.csv\nr_evolution.png\n");
  const Ended again =
      scratch.run("rm r_evolution.png && gnuplot r_evolution.gp && head -c 4 r_evolution.png");
  EXPECT_EQ(again.err, "");
  EXPECT_EQ(again.out, "\x89PNG");
  // The same cells under the same names.
  EXPECT_EQ(
      scratch
          .run("python3 -c \"import csv\nread = lambda f: list(csv.DictReader(l for l in open(f) if l[0] != "
               "'#'))\nran, drawn = read('r/cluster.csv'), read('r_evolution.csv')\nprint(len(drawn), "
               "all(float(d[k]) == float(r[k]) or d[k] == r[k] for r, d in zip(ran, drawn) for k in d))\"")
          .out,
      "3 True\n");
  for (const auto& [arguments, code, words] :
       {std::tuple("r --bins 3", 2, "takes --output only"),
        std::tuple("p.csv", 2, "the directory of one run"), std::tuple("r r", 2, "the directory of one run"),
        std::tuple("none", 2, "the directory of one run")}) {
    const Ended refused = scratch.run(std::string("pleiad plot evolution -o x.png ") + arguments);
    EXPECT_EQ(refused.code, code) << arguments;
    EXPECT_TRUE(says(refused.err, words)) << refused.err;
    EXPECT_EQ(refused.changes, "") << arguments;
  }
  for (const auto& [change, words] :
       {std::pair("sed -i '3d;4d' r/cluster.csv", "has one of the two times"),
        std::pair("echo 1,2 >> r/cluster.csv", "line 3 has 2 cells"),
        std::pair("sed -i 's/core_radius/core/' r/cluster.csv", "has no column 'core_radius'"),
        std::pair("rm r/cluster.csv", "output.cluster_interval")}) {
    const Ended refused = scratch.run(std::string(change) + " && pleiad plot evolution r -o -");
    EXPECT_EQ(refused.code, 3) << change << refused.err;
    EXPECT_TRUE(says(refused.err, words)) << refused.err;
  }
}

/// The core of so few stars is not known; the rest is drawn.
TEST(Plot, DrawsTheEvolutionOfOneTwoAndThreeStars) {
  const Scratch scratch;
  for (const char* n : {"1", "2", "3"}) {
    const std::string run = std::string("r") + n;
    ASSERT_EQ(
        scratch
            .run(std::string("pleiad ic plummer -n ") + n +
                 " -o p.csv && pleiad run p.csv --eps 0.05 --dt 0.125 " + "--t-end 0.5 --output " + run +
                 " --set output.cluster_interval=0.25 --set output.pictures=false --set output.plots=false")
            .code,
        0)
        << n;
    const Ended end = scratch.run("pleiad plot evolution " + run);
    EXPECT_EQ(end.code, 0) << n << end.err;
    EXPECT_EQ(end.err, "");
    const Ended shells = scratch.run("pleiad analyse cluster " + run);
    EXPECT_EQ(shells.code, 0) << n << shells.err;
    EXPECT_EQ(shells.out, run + "_cluster.csv\nno picture: no shell has two objects\n");
    EXPECT_EQ(end.out, run + "_evolution.csv\n" + run + "_evolution.png\n");
  }
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

TEST(Converge, WritesATableAScriptAndAPicture) {
  const Scratch scratch;
  ASSERT_EQ(scratch
                .run("printf '[initial_conditions]\\nmodel = \"figure-eight\"\\n[time]\\ndt = 0.02\\nt_end = "
                     "2\\n' > e.toml")
                .code,
            0);
  const Ended end = scratch.run("pleiad converge e.toml --levels 4");
  EXPECT_EQ(end.code, 0) << end.err;
  for (const auto* part :
       {"dt = 0.02 ", "dt = 0.0025 ", " 2.00 ", "regular: a shift", "e_convergence.csv\ne_convergence.png\n"})
    EXPECT_TRUE(says(end.out, part)) << part << end.out;
  const Ended again =
      scratch.run("rm e_convergence.png && gnuplot e_convergence.gp && head -c 4 e_convergence.png");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.err, "");
  EXPECT_EQ(again.out, "\x89PNG");
  const Ended table = scratch.run("pleiad converge e.toml -o - | grep -v '^#' | head -1");
  EXPECT_TRUE(says(table.out, "time,size,energy_error_1,")) << table.out;
}

}  // namespace pleiad::test
