/// `pleiad ic cosmology` from the shell: its summary, its file, the spectrum of its bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/shell.hpp"

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad::test {
namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The column `power` that `pleiad analyse power` prints for a file.
std::vector<double> power_in(const Scratch& scratch, const std::string& file) {
  std::istringstream in(
      scratch.run("pleiad analyse power " + file + " -o - | grep -v '^#' | tail -n +2 | cut -d, -f2").out);
  std::vector<double> values;
  for (double value; in >> value;) values.push_back(value);
  return values;
}

}  // namespace

TEST(IcCosmology, SaysWhatItMakes) {
  const Scratch scratch;
  const Ended text = scratch.run("pleiad ic cosmology --box 50 -n 16 -o box.hdf5");
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_EQ(text.changes, "+ box.hdf5\n");
  for (const auto* part :
       {"box.hdf5: 16^3 bodies of ", "in a box of 50 Mpc/h, seed 1", "redshift         49, scale factor 0.02",
        "omega_m 0.3111, omega_b 0.049, omega_lambda 0.6889", "sigma8 0.8102",
        "growth           D/D(today) 0.025", "displacements    rms ", "memory           0.000"})
    EXPECT_TRUE(holds(text.out, part)) << part << "\n" << text.out;
  const Ended json = scratch.run(
      "pleiad ic cosmology --box 50 -n 16 --radiation --h 0.7 --w0 -0.9 --order 1 --single --json -o "
      "small.hdf5");
  ASSERT_EQ(json.code, 0) << json.err;
  // 2.473e-5 (1 + 0.2271 3.046) / 0.49 = 8.54e-5.
  for (const auto* part : {"\"bodies\": 4096", "\"omega_r\": 8.538", "\"h\": 0.7", "\"sigma8\": 0.81"})
    EXPECT_TRUE(holds(json.out, part)) << part << "\n" << json.out;
  // The mean of the linear growth of today, and that all is in the file.
  EXPECT_EQ(scratch.run("pleiad info small.hdf5").code, 0);
}

/// The run that it suggests is accepted, in flat and curved universes.
TEST(IcCosmology, SuggestsARunThatIsAccepted) {
  const Scratch scratch;
  for (const std::string options : {"--length-unit kpc", "--length-unit Mpc --omega-lambda 0.6",
                                    "--radiation --w0 -0.9 --wa 0.1 --single"}) {
    const Ended made = scratch.run("pleiad ic cosmology --box 50 -n 8 " + options + " -o box.hdf5");
    ASSERT_EQ(made.code, 0) << made.err;
    const auto at = made.out.find("pleiad run ");
    ASSERT_NE(at, made.out.npos) << made.out;
    const auto line = made.out.substr(at, made.out.find('\n', at) - at);
    const Ended dry = scratch.run(line + " --dry-run");
    EXPECT_EQ(dry.code, 0) << line << "\n" << dry.err;
  }
}

/// The command in the file, with every number that it was made of, makes the same bytes again.
TEST(IcCosmology, KeepsTheCommandThatMakesTheSameFile) {
  const Scratch scratch;
  ASSERT_EQ(scratch
                .run("pleiad ic cosmology --box 20 -n 8 --redshift 30 --seed 3 --radiation --omega-lambda "
                     "0.6 --wa 0.1 "
                     "--a-s 2e-9 --transfer no-wiggle --order 1 --fixed --paired --single -o box.hdf5")
                .code,
            0);
  const Ended again = scratch.run(
      "$(grep -a -o 'pleiad ic cosmology [ -~]*' box.hdf5) -o again.hdf5 && cmp box.hdf5 again.hdf5");
  EXPECT_EQ(again.code, 0) << again.out << again.err;
}

/// Fixed amplitudes have one spectrum, whatever the seed, and so has the partner of a field; at z = 1000 what
/// is beyond the first order is below 1e-3.
TEST(IcCosmology, MakesFixedAndPairedFieldsOfOneSpectrum) {
  const Scratch scratch;
  const std::string common = "pleiad ic cosmology --box 100 -n 16 --redshift 1000 --fixed ";
  ASSERT_EQ(scratch.run(common + "-o one.hdf5").code, 0);
  ASSERT_EQ(scratch.run(common + "--seed 2 -o two.hdf5").code, 0);
  ASSERT_EQ(scratch.run(common + "--paired --length-unit Mpc -o pair.hdf5").code, 0);
  const auto one = power_in(scratch, "one.hdf5");
  ASSERT_GE(one.size(), 15u);
  for (const auto* file : {"two.hdf5", "pair.hdf5"}) {
    const auto other = power_in(scratch, file);
    ASSERT_EQ(other.size(), one.size()) << file;
    // Units differ by powers of ten.
    const double unit =
        std::string(file) == "pair.hdf5" ? std::pow(10, std::round(std::log10(one[0] / other[0]))) : 1;
    for (std::size_t s = 0; s < 7; ++s) EXPECT_NEAR(unit * other[s] / one[s], 1, 1e-3) << file << " " << s;
  }
  EXPECT_NE(scratch.run("cmp one.hdf5 two.hdf5").code, 0);
}

TEST(IcCosmology, TakesTheSpectrumOfATable) {
  const Scratch scratch;
  // A power law k^-2 from 1e-4 to 100 h/Mpc.
  ASSERT_EQ(scratch.run("printf '# k P\\n0.0001 1e11\\n0.01 1e7\\n1 1000\\n100 0.1\\n' > power.txt").code, 0);
  const Ended end = scratch.run("pleiad ic cosmology --box 50 -n 16 --power power.txt -o box.hdf5");
  ASSERT_EQ(end.code, 0) << end.err;
  // sigma^2 = 1000 (3 pi / 5) / (2 pi^2 8) = 11.937: sigma = 3.455, but for scales below 1e-4 h/Mpc.
  EXPECT_TRUE(holds(end.out, "the table 'power.txt', sigma8 3.45")) << end.out;
  const Ended scaled = scratch.run(
      "pleiad ic cosmology --box 50 -n 16 --power power.txt --sigma8 0.8 --power-redshift 9 -o box.hdf5");
  EXPECT_TRUE(holds(scaled.out, "sigma8 0.8\n")) << scaled.out << scaled.err;
  const Ended small = scratch.run("pleiad ic cosmology --box 50 -n 2000 --power power.txt -o box.hdf5");
  EXPECT_EQ(small.code, 2) << small.err;
  EXPECT_TRUE(holds(small.err, "needs 0.125664 to 217.")) << small.err;
}

}  // namespace pleiad::test
