/// `pleiad analyse` from the shell: its tables, its plots, its catalogue.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/shell.hpp"

#include <cmath>
#include <string>
#include <utility>

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

// Two pairs of which one falls apart, and a body that joins the other: catalogues of two times.
TEST(Analyse, LinksTheGroupsOfSuccessiveCatalogues) {
  const Scratch scratch;
  const std::string
      head = "id,mass,x,y,z,vx,vy,vz\\n",
      groups = "pleiad analyse groups %.csv --box 0 --linking-distance 0.5 --min-members 2 -o g/%.hdf5";
  const auto make = [&](const std::string& name, const std::string& rows) {
    std::string find = groups;
    for (auto at = find.find('%'); at != find.npos; at = find.find('%')) find.replace(at, 1, name);
    const Ended end = scratch.run("mkdir -p g && printf '# time: " + name + "\\n" + head + rows + "' > " +
                                  name + ".csv && " + find);
    EXPECT_EQ(end.code, 0) << end.err;
  };
  make("1", "9,1,0,0,0,0,0,0\\n4,1,0.1,0,0,0,0,0\\n7,1,5,0,0,0,0,0\\n5,1,5.1,0,0,0,0,0\\n1,1,9,0,0,0,0,0\\n");
  make("2", "9,1,0,0,0,0,0,0\\n4,1,0.1,0,0,0,0,0\\n7,1,5,0,0,0,0,0\\n5,1,7,0,0,0,0,0\\n1,1,0.2,0,0,0,0,0\\n");
  const Ended links = scratch.run("pleiad analyse links g -o -");
  EXPECT_EQ(links.code, 0) << links.err;
  EXPECT_EQ(
      links.out.substr(links.out.find("time,")),
      "time,next_time,group,next_group,id,next_id,members,next_members,shared,descendant,main_progenitor\n"
      "1,2,0,0,4,1,2,3,2,1,1\n");
  EXPECT_EQ(scratch.run("pleiad analyse links g").out, "2 catalogues\ng_links.csv\n");
  for (const auto& [command, word] :
       {std::pair{"rm g/2.hdf5 && pleiad analyse links g", "has 1 catalogues of groups"},
        std::pair{"cp g/1.hdf5 g/3.hdf5 && pleiad analyse links g", "are of one time, 1"},
        std::pair{"pleiad analyse links g --redshift 1", "--time or --redshift is not for links"},
        std::pair{"pleiad analyse links g --min-members 3", "--min-members is for groups"},
        std::pair{"pleiad analyse links g -o g.png", "no picture of links"}}) {
    const Ended end = scratch.run(command);
    EXPECT_EQ(end.code, 2) << command;
    EXPECT_TRUE(says(end.err, word)) << command << end.err;
  }
}

/// k in h/Mpc, masses in Msun/h, whatever the unit of length of the file is.
TEST(Analyse, MeasuresACosmologicalFileInComovingUnits) {
  const Scratch scratch;
  const std::string make = "pleiad ic cosmology --box 100 -n 16 --redshift 9 ";
  ASSERT_EQ(scratch.run(make + "-o kpc.hdf5 && " + make + "--length-unit Mpc -o mpc.hdf5").code, 0);
  const Ended power = scratch.run("pleiad analyse power kpc.hdf5 -o -");
  for (const auto* part : {"# scale_factor: 0.1\n", "# redshift: 9\n",
                           "# universe: omega_m 0.3111, omega_lambda 0.6889, omega_r 0, h 0.6766\n",
                           "# columns: k in h/Mpc, power and shot_noise in (Mpc/h)^3\n"})
    EXPECT_TRUE(says(power.out, part)) << part << power.out.substr(0, 800) << power.err;
  // The first shell has 3 wave vectors of 2 pi / 100 and 6 that are the root of 2 longer: 0.0801824 in the
  // mean; the shot noise is (100 / 16)^3 = 244.14.
  const auto cut = [&](const std::string& file) {
    return scratch
        .run("pleiad analyse power " + file +
             " -o - | grep -v '^#' | awk -F, 'NR > 1 && NR < 9 {printf "
             "\"%.6g %.6g %.6g\\n\", $1, $2, $4}'")
        .out;
  };
  const auto rows = cut("kpc.hdf5");
  EXPECT_TRUE(rows.starts_with("0.0801824 ")) << rows;
  EXPECT_TRUE(says(rows, " 244.141\n")) << rows;
  EXPECT_EQ(cut("mpc.hdf5"), rows);
  expect_plot(scratch, "power", "kpc");
  const std::string friends = " --linking-length 0.9 --min-members 3 ";
  const Ended groups = scratch.run("pleiad analyse groups kpc.hdf5" + friends + "-o -");
  for (const auto* part : {"mass in 1e10 Msun/h, x in kpc/h", "# Crit200: mean density within radius_200c: ",
                           ",mass_200m,radius_200m,mass_200c,radius_200c,mass_vir,radius_vir\n"})
    EXPECT_TRUE(says(groups.out, part)) << part << groups.out.substr(0, 1200) << groups.err;
  expect_plot(scratch, "groups" + friends, "kpc");
  expect_plot(scratch, "mass-function" + friends, "kpc");
  const Ended mass = scratch.run("pleiad analyse mass-function mpc.hdf5" + friends + "--bins 2 -o -");
  for (const auto* part : {"# columns: masses in Msun/h, dn_dlogm, error and above in (h/Mpc)^3\n",
                           "\nmass_low,mass_high,mass,groups,dn_dlogm,error,above\n"})
    EXPECT_TRUE(says(mass.out, part)) << part << mass.out.substr(0, 1200) << mass.err;
  // Bodies of 2.1e13 Msun/h: three or more of them.
  EXPECT_TRUE(says(mass.out, "\n31622776601683") || says(mass.out, "\n100000000000000,")) << mass.out;
  EXPECT_EQ(scratch.run("pleiad analyse mass-function kpc.hdf5 --mass 500c").code, 2);
}

/// A run is measured at a redshift; a file in N-body units in those.
TEST(Analyse, FindsTheSnapshotOfARedshift) {
  const Scratch scratch;
  ASSERT_EQ(
      scratch
          .run("pleiad ic cosmology --box 100 -n 8 --redshift 9 -o b.hdf5 && pleiad run b.hdf5 --eps 400 "
               "--set cosmology.omega_m=0.3111 --set time.dt=0.2 --set time.end_redshift=1 --set "
               "'output.snapshot_redshifts=[3]' --output run")
          .code,
      0);
  EXPECT_TRUE(says(scratch.run("pleiad analyse power run --redshift 2.8 -o -").out, "# redshift: 3\n"));
  EXPECT_TRUE(says(scratch.run("pleiad analyse power run -o -").out, "# redshift: 1\n"));
  const Ended info = scratch.run("pleiad info run");
  for (const auto* part :
       {"scale factor 0.5, redshift 1, age 5.8", "lengths comoving and per h, masses per h",
        "periodic box 100000 100000 100000, all images", "omega_m 0.3111"})
    EXPECT_TRUE(says(info.out, part)) << part << info.out;
  EXPECT_EQ(scratch.run("pleiad analyse power b.hdf5 --redshift 9").code, 2);
  EXPECT_EQ(scratch.run("pleiad analyse power run --redshift 9 --time 0").code, 2);
}

/// What a run measures is what its snapshots have.
TEST(Analyse, RunsMeasureTheirStructure) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run("pleiad ic cosmology --box 100 -n 8 --redshift 9 -o b.hdf5").code, 0);
  const std::string run =
      "pleiad run b.hdf5 --eps 400 --set cosmology.omega_m=0.3111 --set time.dt=0.2 --set "
      "time.end_redshift=1 "
      "--set output.power_spectra=true --set output.groups=true --set output.linking_length=0.8 --set "
      "output.group_members=2 --overwrite --output run ";
  const Ended end = scratch.run(run + "--set 'output.snapshot_redshifts=[3]'");
  ASSERT_EQ(end.code, 0) << end.err;
  // Rows of redshift 3 but for their first three columns: scale factor, redshift and growth.
  EXPECT_EQ(scratch.run("grep '^0.25,3,' run/power.csv | cut -d, -f4-").out,
            scratch.run("pleiad analyse power run --redshift 3 -o - | grep -v '^#' | tail -n +2").out);
  // D(z = 3) / D(z = 9) of this universe is 2.46, and 2.5 of matter alone.
  EXPECT_TRUE(scratch.run("grep '^0.25,3,' run/power.csv | head -1 | cut -d, -f3").out.starts_with("2.4"));
  EXPECT_EQ(scratch.run("ls run/groups").out, "groups_000.hdf5\ngroups_001.hdf5\ngroups_002.hdf5\n");
  // A schedule of its own, without the snapshots.
  ASSERT_EQ(scratch.run(run + "--set 'output.analysis_redshifts=[4,2]'").code, 0);
  EXPECT_EQ(scratch.run("ls run/groups run/snapshots | wc -l").out, "9\n");  // 4, 2, and three lines more
  EXPECT_EQ(scratch.run("grep -v '^[#s]' run/power.csv | cut -d, -f2 | uniq").out, "9\n4\n2\n1\n");
  for (const std::string wrong : {"'output.analysis_times=[1]'", "'output.analysis_redshifts=[2,4]'",
                                  "'output.analysis_redshifts=[0.5]'", "'output.analysis_redshifts=[20]'",
                                  "output.power_grid=7", "output.group_members=0"})
    EXPECT_EQ(scratch.run(run + "--set " + wrong).code, 2) << wrong;
  ASSERT_EQ(scratch.run("pleiad ic plummer -n 100 -o p.hdf5").code, 0);
  for (const auto& [key, why] :
       {std::pair("output.groups=true", "output.groups: "),
        std::pair("output.power_spectra=true", "output.power_spectra: "),
        std::pair("output.analysis_interval=1", "need output.power_spectra or groups")}) {
    const Ended refused = scratch.run(
        std::string("pleiad run p.hdf5 --eps 0.1 --dt 0.1 --t-end 0.1 --output open --set ") + key);
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(says(refused.err, why)) << refused.err;
  }
}

/// Beyond 8192 bodies in a box of all images the potential energy is that of a sample; the run sums all
/// pairs.
TEST(Info, TellsTheVirialRatioOfABoxByASample) {
  const Scratch scratch;
  ASSERT_EQ(
      scratch
          .run("pleiad ic cosmology --box 100 -n 21 --redshift 0.5 -o b.hdf5 && pleiad run b.hdf5 --eps 1 "
               "--set cosmology.omega_m=0.3111 --set time.end_redshift=0.45 --output run")
          .code,
      0);
  const auto number = [&](const std::string& command) { return std::stod(scratch.run(command).out); };
  const double summed = number("grep -v '^#' run/diagnostics.txt | head -1 | awk '{print $16}'");
  const std::string json = "pleiad info b.hdf5 --json | grep -A3 virial_ratio | ",
                    after = " | sed 's/.*: //'";
  const double value = number(json + "grep value" + after),
               error = number(json + "grep standard_error" + after);
  EXPECT_GT(error, 0);
  EXPECT_LE(error, 0.1 * value);
  EXPECT_LE(std::abs(value - summed), 5 * error) << value << " " << summed;
}

/// HDF5 keeps comoving bodies as they are, unless they shall be physical; other formats make them so.
TEST(Convert, KeepsComovingBodies) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run("pleiad ic cosmology --box 100 -n 4 --redshift 9 -o b.hdf5").code, 0);
  const auto box = [&](const std::string& arguments, const std::string& file) {
    const Ended end = scratch.run("pleiad convert b.hdf5 " + file + arguments);
    EXPECT_EQ(end.code, 0) << end.err;
    return scratch.run("pleiad info " + file + " | grep -E '^(time|boundary)'").out;
  };
  const std::string kept = "time             scale factor 0.1, redshift 9, age 0.546 Gyr, step 0\n";
  EXPECT_EQ(box("", "kpc.hdf5"), kept + "boundary         periodic box 100000 100000 100000, all images\n");
  EXPECT_EQ(box(" --to-units 3.085678e24,1.989e43,1e5", "mpc.hdf5"),
            kept + "boundary         periodic box 100 100 100, all images\n");
  // 1e5 a / h.
  EXPECT_TRUE(says(box(" --physical", "physical.hdf5"), "periodic box 14779.8 14779.8 14779.8,"));
  EXPECT_TRUE(says(box("", "physical.csv"), "periodic box 14779.8 14779.8 14779.8,"));
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
