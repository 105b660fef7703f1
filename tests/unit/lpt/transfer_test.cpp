/// Transfer functions of Eisenstein and Hu against the limits that their paper states.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "lpt/transfer.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace pleiad::lpt {
namespace {

using std::numbers::e;

constexpr Contents standard{.omega_m = 0.3111, .omega_b = 0.049, .h = 0.6766, .t_cmb = 2.7255};

}  // namespace

/// 1 - T falls as q^2 ln(...) towards large scales: at k = 1e-6 h/Mpc, q is about 1e-5 and C q^2 about 4e-8.
TEST(Transfer, IsOneOnLargeScales) {
  EXPECT_NEAR(Transfer(standard)(1e-6), 1, 1e-6);
  EXPECT_NEAR(SmoothTransfer(standard)(1e-6), 1, 1e-6);
  EXPECT_EQ(Transfer(standard)(0), 1);
}

/// Their equation 9 says that on small scales cold matter has the slope of ln(k) / k^2: with twice k, four
/// times the square, T k^2 grows by a factor log(2 x) / log(x) that goes to 1. At q = 1e5 the terms that are
/// left out are e / (1.8 q) = 1e-5 of the argument of the logarithm and 386 / (69.9 q^1.08) = 2e-5 of C.
TEST(Transfer, FallsAsTheLogarithmOverTheSquareOnSmallScales) {
  const auto without = Contents{.omega_m = 0.3, .omega_b = 0, .h = 0.7, .t_cmb = 2.7};
  const double k_eq = 0.0746 * 0.3 * 0.7 * 0.7, q = 1e5, k = 13.41 * k_eq * q / 0.7;
  EXPECT_NEAR(Transfer(without)(k) / (std::log(1.8 * q) / (14.2 * q * q)), 1, 1e-4);
  // Without oscillations q is k / (Omega_m h), with the same 14.2, for small k Theta^2 = 1.
  const double smooth = 1e5 * 0.3 * 0.7;
  EXPECT_NEAR(SmoothTransfer(without)(smooth) / (std::log(2 * e + 1.8e5) / (14.2e10)), 1, 1e-4);
}

/// Without baryons both are the fit for cold matter alone with a constant that differs: 14.2 + 386 / (1
/// + 69.9 q^1.08) and 14.2 + 731 / (1 + 62.5 q), of k over 13.41 k_eq = Omega_m h^2 in the units of their
/// equation 8.
TEST(Transfer, WithoutBaryonsIsThatOfColdMatter) {
  const auto without = Contents{.omega_m = 0.25, .omega_b = 0, .h = 0.5, .t_cmb = 2.7};
  for (const double k : {1e-3, 0.01, 0.1, 1.0, 10.0}) {
    const double q = k * 0.5 / (13.41 * 0.0746 * 0.25 * 0.25);
    const double c = 14.2 + 386 / (1 + 69.9 * std::pow(q, 1.08)), l = std::log(e + 1.8 * q);
    EXPECT_NEAR(Transfer(without)(k), l / (l + c * q * q), 1e-14) << k;
    const double s = k / (0.25 * 0.5), d = 14.2 + 731 / (1 + 62.5 * s), m = std::log(2 * e + 1.8 * s);
    EXPECT_NEAR(SmoothTransfer(without)(k), m / (m + d * s * s), 1e-14) << k;
  }
}

/// A trace of baryons changes nothing, though the redshift of the drag epoch goes with their power of 0.15: T
/// has them times the baryon fraction, 3e-9.
TEST(Transfer, IsSmoothWhereBaryonsVanish) {
  auto few = standard, none = standard;
  few.omega_b = 1e-9, none.omega_b = 0;
  for (const double k : {0.01, 0.1, 1.0}) EXPECT_NEAR(Transfer(few)(k) / Transfer(none)(k), 1, 1e-7) << k;
}

/// Their equation 26 fits the sound horizon to 2 %, here for omega_b h^2 > 0.0125 and 0.025 < omega_m h^2 <
/// 0.2.
TEST(Transfer, HasTheSoundHorizonOfTheSecondFit) {
  for (const double matter : {0.03, 0.1, 0.2})
    for (const double baryons : {0.013, 0.02, 0.025}) {
      const Contents contents{.omega_m = matter, .omega_b = baryons, .h = 1, .t_cmb = 2.728};
      const double fit = 44.5 * std::log(9.83 / matter) / std::sqrt(1 + 10 * std::pow(baryons, 0.75));
      EXPECT_NEAR(Transfer(contents).sound_horizon() / fit, 1, 0.02) << matter << " " << baryons;
    }
}

/// Oscillations have the period of the sound horizon and swing about the spectrum without them: its ratio
/// crosses 1 several times between k s = 5 and 30, and stays within a tenth.
TEST(Transfer, OscillatesAboutTheSmoothOne) {
  const Transfer transfer(standard);
  const SmoothTransfer smooth(standard);
  int crossings = 0;
  double before = 0;
  for (double k = 0.05; k < 0.3; k += 0.001) {
    const double ratio = transfer(k) / smooth(k);
    EXPECT_NEAR(ratio, 1, 0.1) << k;
    if (before != 0 && (ratio > 1) != (before > 1)) ++crossings;
    before = ratio;
  }
  // k s / pi changes by 0.25 * 0.68 * 147 / pi = 7.9; the mean may be displaced a little.
  EXPECT_GE(crossings, 5);
  EXPECT_LE(crossings, 9);
}

}  // namespace pleiad::lpt
