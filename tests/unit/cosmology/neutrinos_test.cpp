/// Massive neutrinos in the expansion: against quadratures, against CLASS, and in both limits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cosmology/neutrinos.hpp"

#include "core/larger.hpp"
#include "cosmology/cosmology.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad::cosmology {
namespace {

constexpr double ev_over_k = 1.602176634e-19 / 1.380649e-23;

Cosmology with(const NeutrinoMasses& masses, double h = 0.7) {
  Cosmology c{.omega_m = 0.3, .h = h, .neutrino_masses = masses};
  c.omega_r = radiation_density(2.7255, massless_rest(3.046, masses), h);
  return flat(c);
}

/// Simpson's rule in long double for the integral of x^2 sqrt(x^2 + y^2) / (e^x + 1), to x = 80, beyond which
/// it has 1e-30 of itself. Its points are denser than any y here, so that its error is below 1e-13.
long double by_simpson(long double y) {
  constexpr int panels = 400'000;
  constexpr long double top = 80, step = top / panels;
  const auto f = [y](long double x) { return x * x * std::sqrt(x * x + y * y) / (std::exp(x) + 1); };
  long double sum = f(0) + f(top);
  for (int k = 1; k < panels; ++k) sum += (k % 2 == 1 ? 4 : 2) * f(step * k);
  return sum * step / 3;
}

}  // namespace

// The density over that of a massless neutrino is the integral over 7 pi^4 / 120. Fourteen digits.
TEST(Neutrinos, AreTheIntegralOfFermiAndDirac) {
  const Cosmology c = with({0.06, 0, 0, 0});
  const long double pi = std::numbers::pi_v<long double>, massless = 7 * pi * pi * pi * pi / 120;
  double worst = 0;
  for (const double y : {1e-3, 0.03, 0.3, 1.0, 4.0, 30.0, 400.0, 1e5}) {
    const double a = y * c.t_nu / (0.06 * ev_over_k);
    const double found = neutrino_density(c, a) * a * a * a * a / neutrino_radiation(c);
    take_larger(worst, std::abs(found / double(by_simpson(y) / massless) - 1));
  }
  std::printf("worst %.1e\n", worst);
  EXPECT_LE(worst, 3e-13);
}

// While fast they are radiation, less by the first order in y^2, (5 / (7 pi^2)) y^2 of it; once slow they are
// matter, with the number density of 3 zeta(3) / 2 y, more by (15 zeta(5) / (2 zeta(3))) / y^2 of it. Next
// orders are smaller by y^2 ln y and 1 / y^2.
TEST(Neutrinos, AreRadiationEarlyAndMatterLate) {
  const Cosmology c = with({1, 0, 0, 0});
  const double zeta3 = 1.2020569031595942, zeta5 = 1.0369277551433699, pi = std::numbers::pi,
               radiation = neutrino_radiation(c), of_radiation = 7 * std::pow(pi, 4) / 120;
  const auto a_of = [&](double y) { return y * c.t_nu / ev_over_k; };
  for (const double y : {1e-3, 1e-2}) {
    const double a = a_of(y), early = neutrino_density(c, a) * std::pow(a, 4) / radiation - 1;
    EXPECT_NEAR(early / (5 / (7 * pi * pi) * y * y), 1, 2e-3) << y;
  }
  for (const double y : {100.0, 1000.0}) {
    const double a = a_of(y), matter = 1.5 * zeta3 * y / of_radiation * radiation,
                 late = neutrino_density(c, a) * std::pow(a, 4) / matter - 1;
    EXPECT_NEAR(late / (7.5 * zeta5 / zeta3 / (y * y)), 1, 2e-3) << y;
  }
  // The density of today: 93.14 eV for this temperature (0.71611 of the photons').
  const double sum = 0.3;
  const Cosmology three = with({0.1, 0.1, 0.1, 0});
  EXPECT_NEAR(three.omega_nu() * three.h * three.h / (sum / 93.14), 1, 3e-4);
  EXPECT_NEAR(three.omega_k(), 0, 1e-15);
}

// Rows of the table that SWIFT's test of neutrinos compares itself with (tests/testNeutrinoCosmology.dat): a,
// the cosmic time in Gyr and omega_nu(a) a^4, computed by CLASS 2.9 for two neutrinos of 0.0486 eV and 1.0196
// massless ones. To 2e-5, as there (1e-5 of the sum of both); the density of photons here, 2.473e-5, is 8e-6
// more than that of CLASS.
TEST(Neutrinos, AreThoseOfClass) {
  Cosmology c{.omega_m = 0.263069938 + 0.049198926683,
              .omega_lambda = 0.6853646,
              .omega_r = radiation_density(2.7255, 1.0196, 0.6737),
              .h = 0.6737,
              .neutrino_masses = {0.0486, 0.0486, 0, 0}};
  EXPECT_NEAR(massless_rest(3.046, c.neutrino_masses), 1.0196, 1e-4);
  const double gigayears = 3.0856775814913673e19 / 100 / 3.15576e7 / 1e9 / c.h;  // 1 / H0
  constexpr std::array<std::array<double, 3>, 11> rows{{{0.01000461, 0.016701397553317, 3.5163787160972e-05},
                                                        {0.01585623, 0.033720161738937, 4.55272171628141e-05},
                                                        {0.02513043, 0.067803393711092, 6.41413614902226e-05},
                                                        {0.03982905, 0.135959789513129, 9.58306007331672e-05},
                                                        {0.0631248, 0.272119744284891, 0.000147900195733},
                                                        {0.1000461, 0.543891750068211, 0.00023179347611},
                                                        {0.1585623, 1.0854002866677, 0.000365690020889},
                                                        {0.2513043, 2.15817979552822, 0.000578513184864},
                                                        {0.3982905, 4.23914128398719, 0.000916206768316},
                                                        {0.631248, 8.00618086446026, 0.001451663744548},
                                                        {1, 13.80342381474, 0.002299403771466}}};
  double time = 0, density = 0;
  for (const auto& [a, t, omega] : rows) {
    take_larger(time, std::abs(age(c, a) * gigayears / t - 1));
    take_larger(density, std::abs(neutrino_density(c, a) * a * a * a * a / omega - 1));
  }
  std::printf("times differ by %.1e, densities by %.1e\n", time, density);
  EXPECT_LE(time, 2e-5);
  EXPECT_LE(density, 2e-5);
}

// The slope of H is the derivative of H: a central difference in ln a with an error of 1e-9.
TEST(Neutrinos, HaveTheSlopeOfTheirDensity) {
  const Cosmology c = with({0.2, 0.3, 0.4, 0});
  for (const double a : {1e-6, 1e-4, 1e-3, 0.01, 0.1, 1.0}) {
    constexpr double h = 1e-4;
    const double slope =
        std::log(expansion_rate(c, a * std::exp(h)) / expansion_rate(c, a * std::exp(-h))) / (2 * h);
    EXPECT_NEAR(expansion_slope(c, a), slope, 2e-8) << a;
  }
}

// A universe of matter and heavy neutrinos, f of all: matter grows as a^p with p = (sqrt(25 - 24 f) - 1) / 4
// (Bond, Efstathiou & Silk 1980, Physical Review Letters 45, 1980). What they were as radiation has gone to
// 1e-4 at a = 1.
TEST(Neutrinos, SlowTheGrowthOfMatter) {
  Cosmology c{.omega_m = 0.5, .omega_lambda = 0, .h = 0.7, .neutrino_masses = {5, 5, 5, 0}};
  c.omega_m = 1 - c.omega_nu();
  const double f = c.omega_nu(), p = (std::sqrt(25 - 24 * f) - 1) / 4;
  EXPECT_GT(f, 0.3);
  EXPECT_NEAR(growth(c, 1).f1 / p, 1, 2e-4);
  // Without mass they are radiation, of the same growth to the last digit.
  Cosmology light{.omega_m = 0.3, .h = 0.7, .neutrino_masses = {1e-9, 0, 0, 0}}, massless = light;
  massless.neutrino_masses = {}, massless.omega_r = neutrino_radiation(light);
  EXPECT_NEAR(growth(flat(light), 0.01).D1 / growth(flat(massless), 0.01).D1, 1, 1e-10);
  EXPECT_NEAR(growth(flat(light), 1).D2 / growth(flat(massless), 1).D2, 1, 1e-10);
}

TEST(Neutrinos, WhatCannotBeIsRefusedInWords) {
  const auto words_of = [](const auto& call) -> std::string {
    try {
      (void)call();
    } catch (const UsageError& e) {
      return e.what();
    }
    return "";
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  using V = std::vector<double>;
  for (const auto& masses : {V{0}, V{-1}, V{nan}, V{0.1, 0}})
    EXPECT_NE(words_of([&] { return neutrino_masses_of(masses); }).find("must be > 0 eV"), std::string::npos);
  EXPECT_NE(words_of([] { return neutrino_masses_of(V(5, 0.1)); }).find("at most 4"), std::string::npos);
  EXPECT_NE(words_of([] {
              return massless_rest(1, {0.1, 0.1, 0, 0});
            }).find("n_eff = 1 is less"),
            std::string::npos);
  Cosmology c = with({0.1, 0, 0, 0});
  c.t_nu = 0;
  EXPECT_NE(words_of([&] {
              check(c);
              return 0;
            }).find("t_nu must be > 0"),
            std::string::npos);
}

}  // namespace pleiad::cosmology
