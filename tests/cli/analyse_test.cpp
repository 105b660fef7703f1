/// `pleiad analyse` from the shell: its tables, its plots, its catalogue.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/shell.hpp"

#include <string>

#include <gtest/gtest.h>

namespace pleiad::test {
namespace {

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Analyses NAME.hdf5 and makes the picture again from the script. `kind`: with its options.
void expect_plot(const Scratch& scratch, const std::string& kind, const std::string& name) {
  const Ended end = scratch.run("pleiad analyse " + kind + " " + name + ".hdf5");
  EXPECT_EQ(end.code, 0) << kind << end.err;
  const auto files = name + "_" + kind.substr(0, kind.find(' '));
  EXPECT_EQ(end.out, files + ".csv\n" + files + ".png\n");
  const Ended again =
      scratch.run("rm " + files + ".png && gnuplot " + files + ".gp && head -c 4 " + files + ".png");
  EXPECT_EQ(again.code, 0) << kind << again.err;
  EXPECT_EQ(again.err, "") << kind;
  EXPECT_EQ(again.out, "\x89PNG") << kind;
}

}  // namespace

TEST(Analyse, WritesATableAScriptAndAPictureOfEveryKind) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run("pleiad ic uniform-box -n 2000 box=10 -o b.hdf5").code, 0);
  for (const std::string kind : {"power", "groups --linking-length 0.5 --min-members 5"})
    expect_plot(scratch, kind, "b");
  const Ended power = scratch.run("pleiad analyse power b.hdf5 --grid 16 -o -");
  EXPECT_EQ(power.changes, "");
  for (const auto* part : {"# made by: pleiad analyse power b.hdf5\n", "# grid: 16\n",
                           "\nk,power,modes,shot_noise,fold\n", ",9,0.5,0\n"})
    EXPECT_TRUE(says(power.out, part)) << part << power.out.substr(0, 800);
  const Ended groups = scratch.run("pleiad analyse groups b.hdf5 --density 3 --types halo -o -");
  for (const auto* part :
       {"# bodies: halo\n", "# min_members: 20\n", "# linking_length: 0.1587",
        "# Mean200: mean density within sphere_radius: 400\n", ",density_mass,density_radius\n"})
    EXPECT_TRUE(says(groups.out, part)) << part << groups.out.substr(0, 800);
}

// Two pairs around the corners of a box, three bodies elsewhere.
TEST(Analyse, FindsTheGroupsOfAFile) {
  const Scratch scratch;
  ASSERT_EQ(
      scratch
          .run(
              "printf 'id,mass,x,y,z,vx,vy,vz\n9,1,0.125,5,5,1,0,0\n4,1,9.875,5,5,3,0,0\n7,2,2,0.25,5,0,0,0\n"
              "5,2,2,9.875,5,0,0,0\n1,1,5,5,5,0,0,0\n2,1,6,5,5,0,0,0\n3,1,7,5,5,0,0,0\n' > b.csv")
          .code,
      0);
  const auto rows = [&](const std::string& options) {
    return scratch
        .run("pleiad analyse groups b.csv --min-members 2 -o - " + options +
             " | grep -v '^#' | cut -d, -f1-7")
        .out;
  };
  const std::string head = "id,members,mass,x,y,z,vx\n";
  EXPECT_EQ(rows("--box 10 --linking-distance 0.5"), head + "4,2,2,0,5,5,2\n5,2,4,2,0.0625,5,0\n");
  EXPECT_EQ(rows("--box 0 --linking-distance 0.5"), head);
  EXPECT_EQ(rows("--box 0 --linking-distance 1"), head);  // 1 apart: not nearer than 1
  EXPECT_EQ(rows("--box 0 --linking-distance 1.01").substr(0, head.size() + 6), head + "1,3,3,");
}

TEST(Analyse, MeasuresAStarCluster) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run("pleiad ic cluster -n 300 binaries=0.5 --seed 4 -o c.hdf5").code, 0);
  for (const std::string kind : {"binaries", "cluster"}) expect_plot(scratch, kind, "c");
  const Ended binaries = scratch.run("pleiad analyse binaries c.hdf5 -o -");
  for (const auto* part :
       {"# units: cluster\n", "# stars: 300\n", "# binaries: ", "semi_major_axis in pc", "period in ",
        "\nid_1,id_2,stars,mass_1,mass_2,semi_major_axis,", ",stability,outermost,x,y,z,"})
    EXPECT_TRUE(says(binaries.out, part)) << part << binaries.out.substr(0, 900);
  const Ended cluster =
      scratch.run("pleiad analyse cluster c.hdf5 -o - | sed -n 's/^# core_stars: .*/core/p; $p'");
  EXPECT_EQ(cluster.out.substr(0, 7), "core\n1,") << cluster.out;
}

TEST(Analyse, FindsOneBinaryAndSaysWhereThereIsNone) {
  const Scratch scratch;
  const Ended end = scratch.run(
      "pleiad ic two-body a=0.5 e=0.25 -o t.csv >/dev/null && pleiad analyse binaries t.csv -o - | tail -n "
      "1");
  EXPECT_EQ(end.out.substr(0, 4), "0,1,") << end.out << end.err;
  EXPECT_TRUE(says(end.out, ",nan,1,")) << end.out;
  const Ended none = scratch.run(
      "printf 'id,mass,x,y,z,vx,vy,vz\n0,1,0,0,0,0,0,0\n1,1,1,0,0,0,9,0\n' > n.csv && pleiad analyse "
      "binaries n.csv");
  EXPECT_EQ(none.code, 0) << none.err;
  EXPECT_EQ(none.out, "n_binaries.csv\nno picture: there are no bound systems\n");
}

TEST(Analyse, WritesACatalogue) {
  const Scratch scratch;
  const Ended end = scratch.run(
      "pleiad ic uniform-box -n 500 box=10 -o b.hdf5 >/dev/null && pleiad analyse groups b.hdf5 "
      "--linking-length "
      "0.6 --min-members 3 -o g.hdf5 && pleiad analyse groups b.hdf5 --linking-length 0.6 --min-members 3 -o "
      "h.hdf5 "
      ">/dev/null && cmp g.hdf5 h.hdf5");
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_TRUE(says(end.out, " of 500 bodies in them\ng.hdf5\n")) << end.out;
}

TEST(Analyse, DoesNotOverwriteItsInput) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run("pleiad ic uniform-box -n 50 -o b.hdf5").code, 0);
  const Ended end = scratch.run("pleiad analyse groups b.hdf5 -o b.hdf5");
  EXPECT_EQ(end.code, 2);
  EXPECT_EQ(end.changes, "");
}

}  // namespace pleiad::test
