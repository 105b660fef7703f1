/// Short steps by series, as GPUs make them, against the solver that cannot fail.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "orbits/kepler.hpp"
#include "orbits/universal_series.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::orbits;

namespace {

/// In full precision; near_reciprocal as far off as it may be.
struct HostArithmetic {
  static double inverse_root(double x) { return 1 / std::sqrt(x); }
  static double reciprocal(double x) { return 1 / x; }
  static double near_reciprocal(double x) { return (1 + 1e-11) / x; }
};

struct Compared {
  bool settled = false;
  double error = 0;  ///< of the place, relative to the start's distance and the way
};
Compared compared(double mu, const Phase& start, double dt) {
  Phase found;
  const bool settled = change_by_series<HostArithmetic>(mu, start, dt, found);
  const auto expected = kepler_change(mu, start, dt);
  return {settled, norm(found.x - expected.x) / (norm(start.x) + norm(expected.x))};
}

}  // namespace

/// The rounding of some thirty operations, as in vectors.
TEST(ChangeBySeries, IsThatOfTheSolverOnOrbitsOfPlanets) {
  for (const double e : {0.0, 0.01, 0.2, 0.5})
    for (int k = 0; k < 50; ++k) {
      const double q = 1 - e;
      const auto start = kepler_step(1, {{q, 0, 0}, {0, std::sqrt((1 + e) / q), 0.1}}, 0.13 * k);
      for (const double dt : {1e-6, 0.01, 0.06, -0.06, 0.3}) {
        const auto c = compared(1, start, dt);
        EXPECT_TRUE(c.settled) << e << " " << k << " " << dt;
        EXPECT_LE(c.error, 2e-15) << e << " " << k << " " << dt;
      }
    }
}

/// On orbits up to lines through the centre, and in steps beyond a period, it declines where it is not right.
/// A passage of the pericentre q enlarges rounding of the start by x / q.
TEST(ChangeBySeries, DeclinesWhatItCannotFollow) {
  std::mt19937_64 random(5);
  const auto number = [&] { return double(random() >> 11) * 0x1p-53; };
  int settled = 0;
  constexpr int all = 200'000;
  for (int k = 0; k < all; ++k) {
    const double q = std::pow(10, -7 * number()), e = k % 3 == 0 ? 1 + number() : 1 - q * number();
    const auto start = kepler_step(1, {{q, 0, 0}, {0, std::sqrt((1 + e) / q), 0}}, 3 * (2 * number() - 1));
    const double dt = std::pow(10, 1 - 4 * number()) * (k % 2 == 0 ? 1 : -1);
    const auto c = compared(1, start, dt);
    settled += c.settled ? 1 : 0;
    if (c.settled) {
      EXPECT_LE(c.error, 1e-14 * (1 + norm(start.x) / q)) << q << " " << e << " " << dt;
    }
  }
  EXPECT_GE(settled, all / 10);
  EXPECT_LE(settled, all * 9 / 10);
}

TEST(ChangeBySeries, DeclinesAtTheCentreAndForNoNumber) {
  EXPECT_FALSE(compared(1, {{0, 0, 0}, {1, 0, 0}}, 0.1).settled);
  EXPECT_FALSE(compared(1, {{NAN, 0, 0}, {1, 0, 0}}, 0.1).settled);
}
