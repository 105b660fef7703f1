/// Amplitudes of linear spectra, by quadratures of another kind and closed forms.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "lpt/linear_power.hpp"
#include "lpt/spectrum.hpp"
#include "unit/lpt/planck.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

namespace pleiad::lpt {
namespace {

using std::numbers::pi;

LinearPower law(double n) {
  return power_law([](double) { return 1.0; }, n, "a power law");
}

}  // namespace

/// P = k^-2: the integral of W^2 over x is 9 times that of j1(x)^2 / x^2, which is pi / 15; sigma^2 = (3 pi /
/// 5) / (2 pi^2 R). Beyond x = 200 are 9 / (2 x^4), 1.9e-7 of 1.9.
TEST(LinearPower, OfAPowerLawHasItsVariance) {
  for (const double radius : {1.0, 8.0}) {
    const double s = sigma(law(-2), radius);
    EXPECT_NEAR(s * s * radius / (3 * pi / 5 / (2 * pi * pi)), 1, 3e-7) << radius;
  }
}

/// The trapezoidal rule over k itself, with steps of 2e-4 / R: its error of such a smooth function, of which
/// only the slope at 0 counts, is (2e-4)^2 / 12 of it; what is beyond x = 60 is below 1e-6 of all.
TEST(LinearPower, HasTheVarianceOfAnotherQuadrature) {
  const auto power = linear_power({.sigma8 = 0.8102}, planck());
  constexpr double step = 2e-4 / 8;
  double sum = 0;
  for (double k = step; k < 60.0 / 8; k += step) {
    const double x = 8 * k, w = 3 * (std::sin(x) - x * std::cos(x)) / (x * x * x);
    sum += k * k * power.at(k) * w * w;
  }
  EXPECT_NEAR(std::sqrt(sum * step / (2 * pi * pi)) / 0.8102, 1, 3e-6);
}

/// Planck's A_s and sigma8 belong together: their Boltzmann code has sigma8 = 0.8102 for A_s = 2.105e-9. The
/// fit of the transfer function is good to some per cent, and the growth of this universe lacks radiation and
/// the mass of neutrinos.
TEST(LinearPower, HasThePrimordialAmplitude) {
  const auto power = linear_power({.a_s = 2.105e-9}, planck());
  EXPECT_NEAR(sigma(power, 8) / 0.8102, 1, 0.04);
  // Twice the amplitude is twice the power; a tilt turns about the pivot.
  const auto twice = linear_power({.a_s = 4.21e-9}, planck()),
             tilted = linear_power({.n_s = 1.1, .a_s = 2.105e-9}, planck());
  EXPECT_NEAR(twice.at(0.1) / power.at(0.1), 2, 1e-14);
  const double pivot = 0.05 / 0.6766;
  EXPECT_NEAR(tilted.at(pivot) / power.at(pivot), 1, 1e-13);
  EXPECT_NEAR(tilted.at(10 * pivot) / power.at(10 * pivot), std::pow(10, 1.1 - 0.9665), 1e-12);
}

TEST(LinearPower, RefusesWhatMakesNoSense) {
  EXPECT_THROW(linear_power({}, planck()), UsageError);
  EXPECT_THROW(linear_power({.sigma8 = 0.8, .a_s = 2e-9}, planck()), UsageError);
  EXPECT_THROW(linear_power({.sigma8 = -0.8}, planck()), UsageError);
  EXPECT_THROW(linear_power({.sigma8 = std::numeric_limits<double>::quiet_NaN()}, planck()), UsageError);
  EXPECT_THROW(linear_power({.t_cmb = 0, .sigma8 = 0.8}, planck()), UsageError);
  auto baryons = planck();
  baryons.omega_b = baryons.omega_m;
  EXPECT_THROW(linear_power({.sigma8 = 0.8}, baryons), UsageError);
}

}  // namespace pleiad::lpt
