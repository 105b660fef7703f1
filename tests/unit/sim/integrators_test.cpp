/// The tables of the integrators against the conditions that define them, and what they say of themselves.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

double sum_of_powers(std::span<const double> w, int power) {
  return std::accumulate(w.begin(), w.end(), 0.0,
                         [&](double sum, double x) { return sum + std::pow(x, power); });
}

bool is_palindrome(std::span<const double> w) { return std::equal(w.begin(), w.end(), w.rbegin()); }

}  // namespace

// H. Yoshida, Phys. Lett. A 150 (1990) 262: a palindrome of leapfrogs of lengths w is of order 4 when the sum
// of w is 1 and that of w^3 is 0, of order 6 when also that of w^5 is 0 and a commutator vanishes, which the
// slopes of the Kepler tests see. Seven terms of size 2 at most, each rounded: 1e-15 of w, 5 times 2^4 as
// much of w^5.
TEST(Integrators, MeetTheConditionsOfTheirOrder) {
  for (const auto* const each : integrators()) {
    const auto& i = *each;
    if (i.needs_doubles) continue;
    const auto [kick, drift] = i.splitting;
    EXPECT_LE(std::abs(sum_of_powers(kick, 1) - 1), 1e-15) << i.name;
    EXPECT_LE(std::abs(sum_of_powers(drift, 1) - 1), 1e-15) << i.name;
    if (i.order >= 4) {
      EXPECT_LE(std::abs(sum_of_powers(drift, 3)), 1e-14) << i.name;
    }
    if (i.order >= 6) {
      EXPECT_LE(std::abs(sum_of_powers(drift, 5)), 8e-14) << i.name;
    }
    if (i.order < 4) continue;
    // Each leapfrog gives half its length to the kick before it and half to the one behind.
    for (std::size_t k = 0; k <= drift.size(); ++k) {
      const double before = k > 0 ? drift[k - 1] : 0, behind = k < drift.size() ? drift[k] : 0;
      EXPECT_LE(std::abs(kick[k] - (before + behind) / 2), 1e-15) << i.name << ", kick " << k;
    }
  }
}

TEST(Integrators, AreReversibleWhenTheyReadTheSameBackwards) {
  for (const auto* const each : integrators()) {
    const auto& i = *each;
    if (i.needs_doubles) {
      EXPECT_EQ(i.time_reversible, i.on_orbits) << i.name;
      EXPECT_EQ(i.symplectic, i.on_orbits) << i.name;
      continue;
    }
    const auto [kick, drift] = i.splitting;
    const bool same_backwards =
        kick.size() == drift.size() + 1 && is_palindrome(kick) && is_palindrome(drift);
    EXPECT_EQ(i.time_reversible, same_backwards) << i.name;
    EXPECT_TRUE(i.symplectic) << i.name;
    EXPECT_EQ(i.order % 2 == 0, same_backwards) << i.name;
  }
}

TEST(Integrators, EvaluateForcesAsOftenAsTheySay) {
  for (const auto* const each : integrators()) {
    const auto& i = *each;
    if (i.needs_doubles) continue;
    const auto kick = i.splitting.kick;
    // The last kick of a step and the first of the next one share their forces.
    const auto kicks = std::ranges::count_if(kick, [](double k) { return k != 0; });
    EXPECT_EQ(i.evaluations, kicks - (kick.front() != 0 && kick.size() > 1 ? 1 : 0)) << i.name;
  }
}

TEST(Integrators, AreNamedExactly) {
  EXPECT_EQ(integrator_named("kdk").name, "kdk");
  for (const auto* name : {"", "k", "kd", "KDK", "kdk ", "yoshida", "forest-ruth4"})
    EXPECT_THROW(integrator_named(name), UsageError) << name;
  try {
    integrator_named("kdd");
    ADD_FAILURE();
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find("euler, kdk, dkd, forest-ruth, yoshida6, hermite4, hermite6, "
                                         "gauss-radau, wisdom-holman, wisdom-holman-jacobi"),
              std::string::npos)
        << e.what();
  }
}
