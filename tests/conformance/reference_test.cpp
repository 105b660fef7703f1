/// The oracle against sums done by hand.
#include "reference/reference.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

using namespace pleiad;
using Bodies4 = std::vector<Mass<double>>;

// Half an ulp of a few operations in long double.
constexpr double tiny = 1e-18;

TEST(Reference, GivesTheInverseSquareAndTheInverse) {
  const Bodies4 b{{0, 0, 0, 3}, {2, 0, 0, 5}};
  const auto sums = reference::pulls(b, b, {}, {});
  EXPECT_EQ(sums[0].x, 1.25L);  // 5 / 2^2
  EXPECT_EQ(sums[0].w, -2.5L);  // -5 / 2
  EXPECT_EQ(sums[1].x, -0.75L);
  EXPECT_EQ(sums[1].w, -1.5L);
}

TEST(Reference, PullsAlongTheSeparation) {
  // 3-4-12 has length 13: m d / 13^3 with m = 2197.
  const Bodies4 b{{1, 1, 1, 0}, {4, 5, 13, 2197}};
  const auto sums = reference::pulls(b, b, {}, {});
  EXPECT_LE(std::abs(double(sums[0].x - 3)), tiny);
  EXPECT_LE(std::abs(double(sums[0].y - 4)), tiny);
  EXPECT_LE(std::abs(double(sums[0].z - 12)), tiny);
  EXPECT_LE(std::abs(double(sums[0].w + 169)), 1e-16);
  EXPECT_EQ(sums[1].x, 0);  // the other one has no mass
}

TEST(Reference, SoftensAsPlummer) {
  const Bodies4 b{{0, 0, 0, 1}, {4, 0, 0, 125}};  // 4^2 + 3^2 = 5^2
  const auto sums = reference::pulls(b, b, {3}, {});
  EXPECT_LE(std::abs(double(sums[0].x - 4)), tiny);
  EXPECT_LE(std::abs(double(sums[0].w + 25)), tiny * 10);
}

TEST(Reference, TakesTheNearestImageAndNoneOfTwo) {
  const Boundary box{true, {8, 8, 8}};
  const Bodies4 b{{0.5, 0, 0, 1}, {7.5, 0, 0, 1}, {4.5, 2, 0, 1}};
  const auto sums = reference::pulls(b, b, {}, box);
  EXPECT_EQ(sums[0].x, -1);  // body 1 is at -0.5; body 2 is half a box away in x: pulls along y alone
  EXPECT_EQ(sums[0].y, 0.25L);
  EXPECT_LE(std::abs(double(sums[2].x - 3 / std::pow(13.0L, 1.5L))), tiny);
}

TEST(Reference, IgnoresAnAxisWithoutLength) {
  const Boundary box{true, {8, 8, 0}};
  const Bodies4 b{{1, 1, 0, 1}, {7, 1, 0, 4}};
  EXPECT_EQ(reference::pulls(b, b, {}, box)[0].x, -1);
}

TEST(Reference, LeavesOutTheBodyItselfAndCoincidentOnesOnlyWithoutSoftening) {
  const Bodies4 b{{1, 1, 1, 2}, {1, 1, 1, 3}};
  EXPECT_EQ(reference::pulls(b, b, {}, {})[0].w, 0);
  EXPECT_EQ(reference::pulls(b, b, {0.5}, {})[0].w, -6);
  EXPECT_EQ(reference::pulls(b, b, {0.5}, {})[0].x, 0);
  EXPECT_EQ(reference::pulls(b, b, {0.5}, {}, reference::none)[0].w, -10);
}

TEST(Reference, GivesASubsetTheSameSums) {
  const Bodies4 b{{0, 0, 0, 3}, {2, 0, 0, 5}, {0, 1, 0, 7}};
  const std::array<std::size_t, 2> subset{2, 0};
  const auto all = reference::pulls(b, b, {0.1}, {}), some = reference::pulls(subset, b, {0.1}, {});
  EXPECT_EQ(some[0].y, all[2].y);
  EXPECT_EQ(some[1].w, all[0].w);
}
