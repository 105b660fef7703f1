/// The tables of the integrators against the conditions that define them, and what they say of themselves.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <utility>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

/// The coefficients of all words of kicks (K) and drifts (D), up to `longest` letters, in a step of length 1.
std::map<std::string, long double> coefficients_of(const Splitting& step, int longest) {
  std::map<std::string, long double> all{{"", 1}};
  const auto multiply = [&](char letter, long double c) {
    std::map<std::string, long double> product;
    for (const auto& [word, value] : all) {
      auto longer = word;
      long double term = value;
      for (int n = 1; longer.size() <= static_cast<std::size_t>(longest); ++n) {
        product[longer] += term;
        term *= c / n, longer += letter;
      }
    }
    all = std::move(product);
  };
  for (std::size_t s = 0; s < std::max(step.kick.size(), step.drift.size()); ++s) {
    if (s < step.kick.size()) multiply('K', step.kick[s]);
    if (s < step.drift.size()) multiply('D', step.drift[s]);
  }
  return all;
}

bool is_palindrome(std::span<const double> w) { return std::equal(w.begin(), w.end(), w.rbegin()); }

}  // namespace

// A step is a product of exponentials of kicks and drifts. It is of order p when the coefficient of every
// word of up to p letters is that of exp(kick + drift): one over the factorial of its length. Each of up to
// 35 factors has rounded coefficients of size 1 at most: some 1e-16 of a word, and less of longer ones.
TEST(Integrators, MeetTheConditionsOfTheirOrder) {
  for (const auto* const each : integrators()) {
    const auto& i = *each;
    if (i.needs_doubles || i.in_blocks) continue;
    const auto words = coefficients_of(i.splitting, i.order + 1);
    long double worst = 0, next = 0;
    for (const auto& [word, value] : words) {
      const long double defect =
          std::abs(value - 1 / std::tgamma(1.0L + static_cast<long double>(word.size())));
      long double& largest = word.size() <= static_cast<std::size_t>(i.order) ? worst : next;
      take_larger(largest, defect);
    }
    EXPECT_LE(worst, 1e-15L) << i.name;
    EXPECT_GE(next, 1e-7L) << i.name << " is of a higher order than it says";
  }
}

TEST(Integrators, AreReversibleWhenTheyReadTheSameBackwards) {
  for (const auto* const each : integrators()) {
    const auto& i = *each;
    if (i.needs_doubles || i.in_blocks) {
      // Extrapolation keeps neither property of its leapfrogs.
      const bool is_map = i.on_orbits && i.name != "ar-chain";
      EXPECT_EQ(i.time_reversible, is_map) << i.name;
      // A map that takes another scheme for encounters is none between them.
      EXPECT_EQ(i.symplectic, is_map && i.name != "wisdom-holman-hybrid") << i.name;
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
    if (i.needs_doubles || i.in_blocks) continue;
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
    EXPECT_NE(std::string(e.what()).find(
                  "euler, kdk, dkd, forest-ruth, blanes-moan4, yoshida6, kahan-li8, "
                  "hermite4, hermite4-block, hermite6, gauss-radau, ar-chain, wisdom-holman, "
                  "wisdom-holman-jacobi, wisdom-holman-hybrid, block-kdk"),
              std::string::npos)
        << e.what();
  }
}
