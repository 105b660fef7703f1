/// The search for a accuracy parameter: that it ends near the loosest that is accurate, however errors go
/// with accuracy parameters.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "tune/accuracy_parameter.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

namespace pleiad::tune {
namespace {

/// The loosest accurate accuracy parameter of what was tried, in at most so many trials.
struct Ended {
  double parameter = 0;
  int trials = 0;
};
Ended search(const TreeSettings& first, double accuracy, const std::function<double(double)>& error) {
  ParameterSearch parameters(first, accuracy);
  Ended ended;
  while (!parameters.ended() && ended.trials < 12) {
    const double now = accuracy_parameter(parameters.settings()), found = error(now);
    if (found <= enough * accuracy) ended.parameter = std::max(ended.parameter, now);
    parameters.found(found);
    ++ended.trials;
  }
  return ended;
}
TreeSettings by_error(double tolerance) { return {.order = 5, .mac = Mac::error, .tolerance = tolerance}; }

}  // namespace

TEST(ParameterSearch, FindsTheLoosestAccurateDialOfPowersFromAnyGuess) {
  for (const double power : {0.4, 0.7, 1.5})
    for (const double start : {0.9, 0.05, 1e-4}) {
      // The error is `enough` of the accuracy at 0.02.
      const auto e =
          search(by_error(start), 1e-3, [&](double d) { return enough * 1e-3 * std::pow(d / 0.02, power); });
      // It ends when the next accuracy parameter is within a factor 1.25.
      EXPECT_LE(0.02 / 1.25, e.parameter) << power << " from " << start;
      EXPECT_LE(e.parameter, 0.02) << power << " from " << start;
      EXPECT_LE(e.trials, 11) << power << " from " << start;
    }
  for (const double start : {0.95, 0.3}) {
    const TreeSettings s{.order = 5, .theta = start};
    const auto e = search(s, 1e-4, [&](double d) { return enough * 1e-4 * std::pow(d / 0.6, 7); });
    EXPECT_LE(0.6 / 1.03, e.parameter) << start;  // to three digits, within a factor 1.025
    EXPECT_LE(e.parameter, 0.6) << start;
  }
}

TEST(ParameterSearch, CrossesWhatIsFlatAndEndsAtAStep) {
  // As a few bodies with small pulls make it: nearly the same over a factor 30, too much, and then little.
  const auto e =
      search(by_error(0.2), 1e-3, [](double d) { return d > 0.004 ? 1.3e-3 * std::pow(d, 0.02) : 2e-4; });
  EXPECT_LE(0.004 / 1.3, e.parameter);
  EXPECT_LE(e.parameter, 0.004);
}

TEST(ParameterSearch, EndsWhereNothingIsAccurateOrEverythingIs) {
  EXPECT_EQ(search(by_error(0.1), 1e-3, [](double) { return 1.0; }).parameter, 0);
  EXPECT_EQ(
      search(by_error(0.1), 1e-3, [](double) { return std::numeric_limits<double>::infinity(); }).parameter,
      0);
  const auto all = search(by_error(1e-6), 1e-3, [](double) { return 0.0; });
  EXPECT_EQ(all.parameter, widest(by_error(0.1)));
  EXPECT_LE(all.trials, 8);
}

}  // namespace pleiad::tune
