/// Linear growth against closed forms and the figures of an independent integration.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cosmology/cosmology.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace pleiad::cosmology {
namespace {

// Matter 0.32 and a cosmological constant. Two independent integrations agree to 4e-12; ten digits are here.
TEST(Growth, OfFirstAndSecondOrderHasTheKnownValues) {
  const auto c = flat({.omega_m = 0.32});
  const auto now = growth(c, 1), then = growth(c, 0.1);
  EXPECT_NEAR(now.D1, 0.7906690233, 1e-9);
  EXPECT_NEAR(now.D2, -0.2701133944, 1e-9);
  EXPECT_NEAR(now.f1, 0.5318013688, 1e-9);
  EXPECT_NEAR(now.f2, 1.0780895460, 1e-9);
  EXPECT_NEAR(then.D1, 0.0999614022, 1e-9);
  EXPECT_NEAR(then.D2, -0.0042824701, 1e-9);
  EXPECT_NEAR(then.f1, 0.9988427761, 1e-9);
  EXPECT_NEAR(then.f2, 1.9977300459, 1e-9);
}

// Roundings of some 5000 steps: each is 1e-16 of what is there.
TEST(Growth, OfMatterAloneIsTheScaleFactor) {
  for (const double a : {1e-8, 0.01, 1.0}) {
    const auto g = growth({.omega_m = 1, .omega_lambda = 0}, a);
    EXPECT_NEAR(g.D1 / a, 1, 1e-12);
    EXPECT_NEAR(g.f1, 1, 1e-12);
    EXPECT_NEAR(g.D2 / (a * a), -3.0 / 7, 1e-12);
    EXPECT_NEAR(g.f2, 2, 1e-12);
  }
}

// Growth by (5/2) Om E integral da / (a E)^3 where there is matter, curvature and a constant (Heath 1977);
// here by Simpson's rule in a^(1/2), with an error of 1e-12.
TEST(Growth, OfACurvedUniverseHasItsIntegral) {
  for (const Cosmology& c :
       {Cosmology{.omega_m = 0.3, .omega_lambda = 0}, Cosmology{.omega_m = 0.3, .omega_lambda = 0.8}}) {
    const double a = 0.7;
    constexpr int n = 4000;
    double sum = 0;
    for (int k = 0; k <= n; ++k) {
      const double s = std::sqrt(a) * k / n, x = s * s;
      const double value = k == 0 ? 0 : 2 * s / std::pow(x * expansion_rate(c, x), 3);
      sum += value * (k == 0 || k == n ? 1 : k % 2 == 1 ? 4 : 2);
    }
    sum *= std::sqrt(a) / n / 3;
    EXPECT_NEAR(growth(c, a).D1 / (2.5 * c.omega_m * expansion_rate(c, a) * sum), 1, 1e-10);
  }
}

// D1 = a + (2/3) a_eq exactly where there is matter and radiation alone (Meszaros 1974).
TEST(Growth, StartsInRadiation) {
  const Cosmology c{.omega_m = 0.9, .omega_lambda = 0, .omega_r = 0.1};
  for (const double a : {1e-6, 0.1, 1.0}) {
    const double D1 = a + 2.0 / 3 * c.omega_r / c.omega_m;
    EXPECT_NEAR(growth(c, a).D1 / D1, 1, 1e-11);
    EXPECT_NEAR(growth(c, a).f1, a / D1, 1e-11);
  }
  // While radiation dominates, D2'' = (3/2) (a / a_eq) (-(2/3 a_eq)^2): D2 = -(2/3) a_eq a, to a / a_eq.
  const double a_eq = c.omega_r / c.omega_m;
  EXPECT_NEAR(growth(c, 1e-6 * a_eq).D2 / (-2.0 / 3 * a_eq * 1e-6 * a_eq), 1, 1e-5);
}

// Omega_r = 9.17e-5 changes the growth since z = 99 by 1.94 %, since z = 49 by 0.95 %, and f1(z = 99) to
// 0.9806: figures of three digits, for a matter of 0.308 to 0.31.
TEST(Growth, IsLessWithRadiation) {
  const auto without = flat({.omega_m = 0.309});
  const auto with = flat({.omega_m = 0.309, .omega_r = 9.17e-5});
  EXPECT_NEAR(std::abs(scale_back(with, 0.01) / scale_back(without, 0.01) - 1), 0.0194, 2e-4);
  EXPECT_NEAR(std::abs(scale_back(with, 0.02) / scale_back(without, 0.02) - 1), 0.0095, 1e-4);
  EXPECT_NEAR(growth(with, 0.01).f1, 0.9806, 5e-5);
  EXPECT_NEAR(growth(without, 0.01).f1, 0.999999, 5e-7);
}

// The exact D2 over -3/7 D1^2, matter 0.308 and a constant: 1.008443 today, 1.001748 at a = 1/2.
TEST(Growth, OfSecondOrderIsNotThatOfMatterAlone) {
  const auto c = flat({.omega_m = 0.308});
  const auto ratio = [&](double a) {
    const auto g = growth(c, a);
    return g.D2 / (-3.0 / 7 * g.D1 * g.D1);
  };
  EXPECT_NEAR(ratio(1), 1.008443, 5e-7);
  EXPECT_NEAR(ratio(0.5), 1.001748, 5e-7);
  EXPECT_NEAR(ratio(1.0 / 64), 1.00000006, 5e-9);
}

TEST(Growth, IsRefusedBeforeItsStart) {
  EXPECT_THROW(growth({}, 1e-9), UsageError);
  EXPECT_THROW(growth({}, 0), UsageError);
  EXPECT_EQ(scale_back(flat({.omega_m = 0.3}), 1), 1);
}

}  // namespace
}  // namespace pleiad::cosmology
