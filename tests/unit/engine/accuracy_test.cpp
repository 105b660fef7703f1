/// How errors of forces are measured: the sample, the exact sums, the percentiles, and bodies that feel
/// nothing.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "reference/reference.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

using Vectors = std::vector<Vec3<double>>;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Pulls of size 1 that are wrong by k / 1000.
ForceErrors errors_of_growing(std::size_t n) {
  Vectors exact(n, {0, 0, 1}), found = exact;
  for (std::size_t k = 0; k < n; ++k) found[(k * 7) % n].x = double(k) / 1000;
  return errors_of(found, exact);
}

}  // namespace

TEST(ForceErrors, ArePercentilesWhateverTheOrder) {
  const auto e = errors_of_growing(1000);
  EXPECT_EQ(e.sample, 1000U);
  EXPECT_EQ(e.median, 0.5);
  EXPECT_EQ(e.p99, 0.99);
  EXPECT_EQ(e.largest, 0.999);
}

TEST(ForceErrors, OfOneBodyAreItsOwnAndOfNoneZero) {
  const Vectors exact{{3, 4, 0}}, found{{3, 4, 0.5}};
  const auto one = errors_of(found, exact);
  EXPECT_EQ(one.sample, 1U);
  for (const double e : {one.median, one.p99, one.largest}) EXPECT_EQ(e, 0.1);
  const auto none = errors_of({}, {});
  EXPECT_EQ(none.sample, 0U);
  EXPECT_EQ(none.largest, 0);
}

TEST(ForceErrors, CountWhatIsNoNumberAsInfinite) {
  for (const double bad : {std::nan(""), infinity, -infinity}) {
    const Vectors exact(10, {1, 0, 0});
    auto found = exact;
    found[3].y = bad;
    EXPECT_EQ(errors_of(found, exact).largest, infinity) << bad;
    EXPECT_EQ(errors_of(found, exact).median, 0) << bad;
    // Sums that are no numbers themselves must not pass for exact ones.
    EXPECT_EQ(errors_of(exact, found).largest, infinity) << bad;
  }
  const Vectors all(200, {std::nan(""), 0, 0});
  const auto e = errors_of(all, all);
  for (const double each : {e.median, e.p99, e.largest}) EXPECT_EQ(each, infinity);
}

TEST(ForceErrors, OfABodyThatFeelsNothingAreZeroOrInfinite) {
  const Vectors exact{{0, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(errors_of(exact, exact).largest, 0);
  EXPECT_EQ(errors_of(Vectors{{0, 0, 0}, {0, 1e-30, 0}}, exact).largest, infinity);
}

TEST(Sample, IsSpreadEvenlyAndNamesNoBodyTwice) {
  for (const std::size_t n : {0UL, 1UL, 2UL, 255UL, 256UL, 257UL, 1000UL, 100003UL, 1UL << 40}) {
    const auto chosen = sample_of(n, 256);
    ASSERT_EQ(chosen.size(), std::min<std::size_t>(n, 256)) << n;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      ASSERT_LT(chosen[k], n);
      if (n <= 256) {
        ASSERT_EQ(chosen[k], k) << n;
        continue;
      }
      if (k > 0) {
        ASSERT_GT(chosen[k], chosen[k - 1]) << n;
      }
      // The middle of the k-th of 256 equal parts, rounded down.
      ASSERT_LE(std::abs(double(chosen[k]) - (double(k) + 0.5) * double(n) / 256), 1) << n;
    }
  }
}

TEST(Sample, IsSmallerWhereEveryBodyCostsMore) {
  EXPECT_EQ(sample_size(0), 1000U);
  EXPECT_EQ(sample_size(1000), 1000U);
  EXPECT_EQ(sample_size(2'000'000), 1000U);
  EXPECT_EQ(sample_size(2'500'000), 800U);
  EXPECT_EQ(sample_size(1'000'000'000), 500U);
}

TEST(ExactAccelerations, AreThoseOfTheReference) {
  const std::vector<std::string> settings{"n=777"};
  auto bodies = make_model("plummer", settings, 5).bodies;
  // Two at one place do not pull each other, nor does anybody itself.
  bodies.x[10] = bodies.x[500], bodies.y[10] = bodies.y[500], bodies.z[10] = bodies.z[500];
  std::vector<Mass<double>> masses;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    masses.push_back({bodies.x[i], bodies.y[i], bodies.z[i], bodies.mass[i]});
  const std::vector<std::size_t> chosen{0, 3, 10, 500, 776};
  for (const Boundary& boundary : {Boundary{}, Boundary{true, {40, 50, 60}}}) {
    const Gravity gravity{.G = 3, .softening = {0.01}, .boundary = boundary};
    const auto found = exact_accelerations(bodies, gravity, chosen);
    const auto right = reference::pulls(chosen, masses, gravity.softening, boundary);
    ASSERT_EQ(found.size(), chosen.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const Vec3<double> a{3 * double(right[k].x), 3 * double(right[k].y), 3 * double(right[k].z)};
      // 777 terms, each with some roundings of 2^-53; they cancel to about a tenth of their sizes.
      EXPECT_LE(norm(found[k] - a), 1e-13 * norm(a)) << "body " << chosen[k];
    }
  }
}

TEST(ExactAccelerations, OfABodyThatIsAloneAreZero) {
  Bodies one;
  one.add(1, {1, 2, 3}, {0, 0, 0});
  const std::vector<std::size_t> chosen{0};
  EXPECT_EQ(norm(exact_accelerations(one, {}, chosen)[0]), 0);
  EXPECT_TRUE(exact_accelerations(one, {}, {}).empty());
}

}  // namespace pleiad
