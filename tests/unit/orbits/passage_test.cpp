/// Pericentres and the times at which orbits come within a distance: ellipses, parabolas, hyperbolas and
/// straight lines, in one step and in many parts.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "orbits/passage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::orbits;

namespace {

/// At the pericentre of an orbit with mu = 1.
Phase at_pericentre(double q, double e) {
  const double speed = std::sqrt((1 + e) / q), turn = 0.7;
  return {{q * std::cos(turn), q * std::sin(turn), 0},
          {-speed * std::sin(turn) * 0.6, speed * std::cos(turn) * 0.6, speed * 0.8}};
}

}  // namespace

/// Times that are known because the orbit was followed back from its pericentre. Errors are those of two
/// Kepler steps, of some units in the last place of the position and so of time times speed.
TEST(Passages, FindThePericentreAndTheWayToIt) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  for (const double e : {0.1, 0.5, 0.9, 0.9999, 1.0, 1.0001, 3.0})
    for (const double before : {0.01, 0.3, 2.0}) {
      const double q = 0.5, half = e < 1 ? std::numbers::pi * std::pow(q / (1 - e), 1.5)
                                         : std::numeric_limits<double>::infinity();
      if (before >= half) continue;
      const auto nearest = at_pericentre(q, e), start = kepler_step(1, nearest, -before);
      EXPECT_LE(std::abs(pericentre_of(1, start).distance / q - 1), 100 * eps) << e;
      EXPECT_LE(std::abs(pericentre_of(1, start).eccentricity - e), 1e-12) << e;
      const double whole = 1.5 * before;
      const auto time = pericentre_within(1, start, kepler_step(1, start, whole), whole);
      ASSERT_TRUE(time) << e << " " << before;
      EXPECT_LE(std::abs(*time - before), 2000 * eps * std::max(1.0, before)) << e << " " << before;
      // A distance that is passed a third of the time before.
      const double distance = norm(kepler_step(1, nearest, -before / 3).x);
      const auto within = approach_within(1, start, kepler_step(1, start, whole), whole, distance);
      ASSERT_TRUE(within) << e << " " << before;
      // At e = 0.1 the distance changes by 2e-6 of q in the last hundredth, and is known to eps.
      EXPECT_LE(std::abs(*within - 2 * before / 3), 1e-9) << e << " " << before;
      EXPECT_FALSE(approach_within(1, start, kepler_step(1, start, whole), whole, q * (1 - 1e-12)));
      EXPECT_TRUE(approach_within(1, start, kepler_step(1, start, whole), whole, q * (1 + 1e-12)));
      const double part = before / 2;
      EXPECT_FALSE(pericentre_within(1, start, kepler_step(1, start, part), part));
      EXPECT_FALSE(approach_within(1, start, kepler_step(1, start, part), part, distance));
    }
}

/// Parts of an orbit that follow each other have each pericentre once, wherever they end.
TEST(Passages, AreInOnePartOfAnOrbit) {
  const double a = 1, e = 0.6, period = 2 * std::numbers::pi;
  const auto nearest = at_pericentre(a * (1 - e), e);
  for (const double part : {period / 7, period / 4, period / 2, 2.5 * period}) {
    auto now = nearest;
    double time = 0;
    std::vector<double> found;
    for (int k = 0; k < 40; ++k) {
      const auto next = kepler_step(1, nearest, time + part);
      if (const auto t = pericentre_within(1, now, next, part)) found.push_back((time + *t) / period);
      now = next, time += part;
    }
    // Of a part that is longer than a period the first one.
    const double each = std::max(1.0, part / period);
    const auto expected = double(std::floor(time / period / each));
    EXPECT_LE(std::abs(double(found.size()) - expected), 1) << part;
    for (const double passage : found) EXPECT_LE(std::abs(passage - std::round(passage)), 1e-12) << part;
    for (std::size_t k = 1; k < found.size(); ++k) EXPECT_GE(found[k] - found[k - 1], 0.5) << part;
  }
}

TEST(Passages, AreThoseOfACollisionOrbit) {
  // From rest at a distance of 2: a = 1, half a period to the centre.
  const Phase start{{2, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(pericentre_of(1, start).distance, 0);
  // r = 1 at the eccentric anomaly of 270 degrees: 3 pi / 2 + 1 after the pericentre, which is pi before the
  // start.
  const auto time = approach_within(1, start, kepler_step(1, start, 3), 3, 1);
  ASSERT_TRUE(time);
  EXPECT_LE(std::abs(*time - (std::numbers::pi / 2 + 1)), 1e-13);
}
