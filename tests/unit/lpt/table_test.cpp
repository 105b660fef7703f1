/// Tables of P(k): what is read, what is interpolated, what is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "lpt/spectrum.hpp"
#include "unit/lpt/planck.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad::lpt {
namespace {

using test::Folder, test::message_of;

std::filesystem::path file_of(const Folder& folder, const std::string& text) {
  const auto file = folder.path / "power.txt";
  std::ofstream(file) << text;
  return file;
}

std::string rows(const LinearPower& power, double from, double to, int count) {
  std::string text = "# k [h/Mpc]   P [(Mpc/h)^3]\n\n";
  for (int i = 0; i < count; ++i) {
    const double k = from * std::pow(to / from, double(i) / (count - 1));
    text += fmt::format("  {:.17g}\t{:.17g}  # row {}\r\n", k, power.at(k), i);
  }
  return text;
}

}  // namespace

/// Rows are 0.04 apart in ln k, and acoustic oscillations of 5 % have k s d ln k = 0.15 * 100 * 0.04 = 0.6
/// radians between them at k = 0.15 h/Mpc, where they are a per cent: a cubic errs by at most some
/// thousandths of that, and at a power law not at all.
TEST(PowerTable, InterpolatesTheSpectrumItIsMadeOf) {
  const Folder folder;
  const auto power = linear_power({.sigma8 = 0.8}, planck());
  const auto table = power_of_table(file_of(folder, rows(power, 1e-4, 20, 305)));
  EXPECT_EQ(table.range.low, 1e-4);
  EXPECT_NEAR(table.range.high, 20, 1e-12);
  for (double k = 1.2e-4; k < 19; k *= 1.0173) EXPECT_NEAR(table.at(k) / power.at(k), 1, 1e-3) << k;
  EXPECT_NEAR(table.at(table.range.high) / power.at(20), 1, 1e-10);
  EXPECT_NEAR(sigma(table, 8), 0.8, 0.8e-4);
}

/// A table at another time is that of today times the square of the growth since; sigma8 replaces its
/// amplitude.
TEST(PowerTable, IsGrownToToday) {
  const Folder folder;
  const auto universe = planck();
  const double back = cosmology::scale_back(universe, 0.02);
  const auto power = linear_power({.sigma8 = 0.8}, universe);
  const auto file = file_of(folder, rows(power.times(back * back), 1e-4, 20, 400));
  const auto grown =
      linear_power({.shape = Spectrum::Shape::table, .table = file, .table_redshift = 49}, universe);
  EXPECT_NEAR(sigma(grown, 8), 0.8, 0.8e-4);
  const auto scaled = linear_power({.shape = Spectrum::Shape::table, .sigma8 = 0.7, .table = file}, universe);
  EXPECT_NEAR(sigma(scaled, 8), 0.7, 1e-12);
  EXPECT_THROW(linear_power({.shape = Spectrum::Shape::table, .a_s = 2e-9, .table = file}, universe),
               UsageError);
  EXPECT_THROW(
      linear_power({.shape = Spectrum::Shape::table, .table = file, .table_redshift = -0.5}, universe),
      UsageError);
}

TEST(PowerTable, RefusesWhatIsNoTable) {
  const Folder folder;
  const auto refusal = [&](const std::string& text) {
    return message_of<InputError>([&] { power_of_table(file_of(folder, text)); });
  };
  const auto holds = [&](const std::string& text, const std::string& word) {
    const auto message = refusal(text);
    EXPECT_NE(message.find(word), message.npos) << text << ": " << message;
  };
  holds("", "0 rows");
  holds("0.1 100\n", "1 rows");
  holds("0.1 100\n0.2\n", "line 2: a row has one number");
  holds("0.1 100 5\n0.2 90 4\n", "line 1: a row has more than two");
  holds("# k P\n0.1 100\n0.1 90\n", "line 3: k = 0.1 follows 0.1");
  holds("0.1 100\n0.2 -3\n", "line 2: k = 0.2 and P = -3");
  holds("0.1 100\n0.2 nan\n", "line 2: k = 0.2 and P = nan");
  holds("0 100\n0.2 3\n", "line 1: k = 0 and");
  holds("0.1 100\n0.2 hundred\n", "line 2: 'hundred' is not a number");
  EXPECT_EQ(refusal("0.1 100\n+0.2, 1e2 # no more\n"), "");
  EXPECT_THROW(power_of_table(folder.path / "none.txt"), InputError);
}

/// The amplitude needs the scales of spheres of 8 Mpc/h.
TEST(PowerTable, IsNotExtrapolated) {
  const Folder folder;
  const auto power = linear_power({.sigma8 = 0.8}, planck());
  EXPECT_THROW(sigma(power_of_table(file_of(folder, rows(power, 0.01, 20, 300))), 8), UsageError);
  EXPECT_THROW(sigma(power_of_table(file_of(folder, rows(power, 1e-4, 2, 300))), 8), UsageError);
}

}  // namespace pleiad::lpt
