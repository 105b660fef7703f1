/// The expansion and its integrals against closed forms and the figures of another program.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cosmology/cosmology.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

namespace pleiad::cosmology {
namespace {

/// Matter and a cosmological constant, with H0 = sqrt(8 pi / 3): the test of PKDGRAV3 (tests/cosmology.py).
const Cosmology tested = flat({.omega_m = 0.32});
const double H0 = std::sqrt(8 * std::numbers::pi / 3);
constexpr Cosmology einstein_de_sitter{.omega_m = 1, .omega_lambda = 0};

/// The scale factor at a time, by bisection.
double scale_factor_at(const Cosmology& c, double H0_time) {
  double low = 1e-6, high = 2;
  while (std::nextafter(low, high) < high) {
    const double middle = 0.5 * (low + high);
    (age(c, middle) < H0_time ? low : high) = middle;
  }
  return low;
}

// Its times are integrated to 1e-12 and printed to 16 digits.
TEST(Background, HasTheTimeAndTheExpansionOfPkdgrav3) {
  EXPECT_NEAR(age(tested, 1) / H0, 0.32710340943409555, 1e-12);
  EXPECT_NEAR(expansion_rate(tested, 0.1) * H0, 51.83167454117027, 1e-12 * 52);
}

// An independent integration has 0.059120022389031 and 0.024310129641867; that of PKDGRAV3 is 6e-13 and 2e-13
// away, relative to them.
TEST(Background, HasTheKicksAndDriftsOfPkdgrav3) {
  const double from = scale_factor_at(tested, 0.10 * H0), to = scale_factor_at(tested, 0.11 * H0);
  EXPECT_NEAR(drift(tested, from, to) / H0, 0.059120022389031, 1e-12 * 0.06);
  EXPECT_NEAR(kick(tested, from, to) / H0, 0.024310129641867, 1e-12 * 0.03);
  EXPECT_NEAR(drift(tested, from, to) / H0, 0.05912002238902069, 1e-12);
  EXPECT_NEAR(kick(tested, from, to) / H0, 0.024310129641862636, 1e-12);
}

// a = (3/2 t)^(2/3) in units of 1/H0. Each integral is a sum of at most some 1000 positive numbers, and its
// ends are logarithms: 1e-13 is hundreds of roundings.
TEST(Background, OfMatterAloneHasTheClosedFormsOfEinsteinAndDeSitter) {
  for (const double from : {1e-3, 0.02, 0.5})
    for (const double to : {0.021, 1.0}) {
      SCOPED_TRACE(std::to_string(from) + " to " + std::to_string(to));
      const auto& c = einstein_de_sitter;
      const double kicked = 2 * (std::sqrt(to) - std::sqrt(from)),
                   drifted = 2 * (1 / std::sqrt(from) - 1 / std::sqrt(to)),
                   passed = 2.0 / 3 * (std::pow(to, 1.5) - std::pow(from, 1.5));
      EXPECT_NEAR(kick(c, from, to) / kicked, 1, 1e-13);
      EXPECT_NEAR(drift(c, from, to) / drifted, 1, 1e-13);
      EXPECT_NEAR(elapsed(c, from, to) / passed, 1, 1e-13);
    }
  EXPECT_NEAR(age(einstein_de_sitter, 1), 2.0 / 3, 1e-13);
  EXPECT_NEAR(comoving_distance(einstein_de_sitter, 0.25), 1, 1e-13);
}

// sinh(3/2 sqrt(Ol) t) = sqrt(Ol/Om) a^(3/2).
TEST(Background, OfMatterAndAConstantHasItsAge) {
  for (const double a : {1e-3, 0.1, 1.0}) {
    const double ol = tested.omega_lambda;
    EXPECT_NEAR(age(tested, a) * (1.5 * std::sqrt(ol)) /
                    std::asinh(std::sqrt(ol / tested.omega_m) * std::pow(a, 1.5)),
                1, 1e-13);
  }
}

// Conformal time 2 (sqrt(Om a + Or) - sqrt(Or)) / Om; t = 2 / (3 Om^2) ((Om a - 2 Or) sqrt(Om a + Or) + 2
// Or^(3/2)), whose terms cancel: 1e-11 at a = 0.01.
TEST(Background, OfMatterAndRadiationHasTheirClosedForms) {
  const double Or = 0.1, Om = 0.9;
  const Cosmology c{.omega_m = Om, .omega_lambda = 0, .omega_r = Or};
  EXPECT_NEAR(c.omega_k(), 0, 1e-16);
  for (const double a : {0.01, 0.1, 1.0}) {
    EXPECT_NEAR(kick(c, a, 1) + 2 * (std::sqrt(Om * a + Or) - std::sqrt(Om + Or)) / Om, 0, 1e-13);
    const double root = std::sqrt(Om * a + Or),
                 time = 2 / (3 * Om * Om) * ((Om * a - 2 * Or) * root + 2 * Or * std::sqrt(Or));
    EXPECT_NEAR(age(c, a) / time, 1, 1e-11);
  }
}

// An open universe of matter 1/2: a = (Om / 2 Ok)(cosh eta - 1), t = Om / (2 Ok^1.5) (sinh eta - eta), with
// eta = sqrt(Ok) times the conformal time.
TEST(Background, OfAnOpenUniverseHasItsAge) {
  const Cosmology c{.omega_m = 0.5, .omega_lambda = 0};
  const double Om = 0.5, Ok = 0.5, eta = std::acosh(1 + 2 * Ok / Om);
  EXPECT_NEAR(age(c, 1) / (Om / (2 * std::pow(Ok, 1.5)) * (std::sinh(eta) - eta)), 1, 1e-13);
  EXPECT_NEAR(kick(c, 1e-30, 1) / (eta / std::sqrt(Ok)), 1, 1e-13);
}

// The other way is the negative; nothing is 0. A sum of two ranges is the whole to a few roundings.
TEST(Background, IntegralsAddUp) {
  const Cosmology c = flat({.omega_m = 0.3, .omega_r = 9e-5, .w0 = -0.9, .wa = 0.2});
  EXPECT_EQ(kick(c, 0.3, 0.3), 0);
  EXPECT_NEAR(kick(c, 0.1, 0.7) + kick(c, 0.7, 0.1), 0, 1e-14);
  EXPECT_NEAR(drift(c, 0.1, 0.4) + drift(c, 0.4, 1), drift(c, 0.1, 1), 1e-13);
  // A step of 1e-6 in ln a against its middle, whose error is h^2/24 of it.
  const double a = 0.2, h = 1e-6, to = a * std::exp(h);
  const double middle = std::sqrt(a * to);
  EXPECT_NEAR(kick(c, a, to) / (h / (middle * expansion_rate(c, middle))), 1, 1e-9);
  EXPECT_NEAR(drift(c, a, to) / (h / (middle * middle * expansion_rate(c, middle))), 1, 1e-9);
}

// d ln H / d ln a by central differences: h^2 / 6 of a third derivative of order 10, and rounding / h.
TEST(Background, SlopeOfTheExpansionIsItsDerivative) {
  const Cosmology c{.omega_m = 0.3, .omega_lambda = 0.6, .omega_r = 1e-3, .w0 = -0.8, .wa = 0.3};
  for (const double a : {1e-3, 0.1, 0.5, 1.0}) {
    const double h = 1e-4, difference = std::log(expansion_rate(c, a * std::exp(h)) /
                                                 expansion_rate(c, a * std::exp(-h))) /
                                        (2 * h);
    EXPECT_NEAR(expansion_slope(c, a), difference, 1e-7) << a;
  }
}

// w = -1/3 acts as curvature does: a^-2.
TEST(Background, DarkEnergyFollowsItsEquationOfState) {
  const Cosmology open{.omega_m = 0.4, .omega_lambda = 0}, like = flat({.omega_m = 0.4, .w0 = -1.0 / 3});
  for (const double a : {0.01, 0.3, 1.0})
    EXPECT_NEAR(expansion_rate(like, a) / expansion_rate(open, a), 1, 1e-14);
  // exp(-3 wa (1 - a)) a^(-3 (1 + w0 + wa)) by hand: w0 = -1, wa = 0.5 at a = 1/2 is 2^1.5 e^-0.75.
  const Cosmology changing = flat({.omega_m = 0.4, .w0 = -1, .wa = 0.5});
  EXPECT_NEAR(std::pow(expansion_rate(changing, 0.5), 2), 0.4 * 8 + 0.6 * std::pow(2, 1.5) * std::exp(-0.75),
              1e-14);
}

// 2.473e-5 (1 + 0.2271 * 3.046) / 0.6774^2 by hand.
TEST(Background, RadiationFollowsFromTemperatureAndNeutrinos) {
  EXPECT_NEAR(radiation_density(2.7255, 3.046, 0.6774), 9.1175e-5, 5e-9);
  EXPECT_EQ(radiation_density(0, 3, 0.7), 0);
  EXPECT_NEAR(radiation_density(2 * 2.7255, 0, 0.5) / radiation_density(2.7255, 0, 0.5), 16, 1e-14);
}

// 100 km/s/Mpc in kpc and km/s is 0.1, with GADGET's kiloparsec to seven digits; in a system without scale it
// follows from the density, and back.
TEST(Background, HubbleConstantFollowsFromUnitsOrDensity) {
  EXPECT_NEAR(hubble_constant(units_named("galactic")), 0.1, 1e-7);
  EXPECT_THROW(hubble_constant(units_named("nbody")), UsageError);
  const double found = hubble_constant(tested, 1, 0.32);
  EXPECT_NEAR(found, H0, 1e-15 * 3);
  EXPECT_NEAR(matter_density(tested, 1, found), 0.32, 1e-16 * 4);
}

/// Bryan and Norman (1998): 18 pi^2 of matter alone, and 101 or so of today's universe.
TEST(Background, HasTheDensityOfVirialisedSpheres) {
  const double matter = 18 * std::numbers::pi * std::numbers::pi;
  EXPECT_NEAR(virial_overdensity({.omega_m = 1, .omega_lambda = 0}, 0.5), matter, 1e-11);
  EXPECT_NEAR(virial_overdensity({.omega_m = 0.3, .omega_lambda = 0.7}, 1), matter - 0.7 * 82 - 0.49 * 39,
              1e-11);
  EXPECT_NEAR(virial_overdensity({.omega_m = 0.3, .omega_lambda = 0}, 1), matter - 0.7 * 60 - 0.49 * 32,
              1e-11);
  EXPECT_NEAR(virial_overdensity({.omega_m = 0.3, .omega_lambda = 0.7}, 1e-3), matter, 1e-5);
}

TEST(Background, ImpossibleDensitiesAreRefusedInWords) {
  const auto words = [](const Cosmology& c) -> std::string {
    try {
      check(c);
    } catch (const UsageError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(words(tested), "");
  EXPECT_EQ(words({.omega_m = 0}), "omega_m must be > 0, not 0");
  EXPECT_EQ(words({.omega_m = 0.3, .omega_b = 0.4}), "omega_b must be from 0 to omega_m, not 0.4");
  EXPECT_EQ(words({.omega_r = -1e-4}), "omega_r must be >= 0, not -0.0001");
  EXPECT_EQ(words({.w0 = -0.5, .wa = 1}), "w0 + wa must be < 0, not 0.5");
  EXPECT_EQ(words({.h = 0}), "h must be > 0, not 0");
  EXPECT_NE(words({.omega_m = std::numeric_limits<double>::quiet_NaN()}), "");
  // More dark energy than allows a beginning: H^2 is negative at some a < 1.
  EXPECT_NE(words({.omega_m = 0.1, .omega_lambda = 2.5}).find("have no expansion at a = "),
            std::string::npos);
}

}  // namespace
}  // namespace pleiad::cosmology
