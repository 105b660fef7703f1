/// Closest approaches on the cubics of steps: against hyperbolic encounters of two bodies, and against paths
/// that are looked at point by point.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "encounters/path.hpp"

#include "encounters/roots.hpp"

#include <pleiad/rng.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::encounters;

namespace {

/// The relative motion on a hyperbola about a mass GM = 1, with its pericentre at time 0.
struct Hyperbola {
  double a, e;
  double pericentre() const { return a * (e - 1); }
  double speed() const { return std::sqrt((e + 1) / pericentre()); }
  Place at(double t) const {
    const double n = std::pow(a, -1.5);
    double H = std::asinh(n * t / e);
    for (int k = 0; k < 50; ++k) H -= (e * std::sinh(H) - H - n * t) / (e * std::cosh(H) - 1);
    const double rate = n / (e * std::cosh(H) - 1), b = a * std::sqrt(e * e - 1);
    return {{a * (e - std::cosh(H)), b * std::sinh(H), 0},
            {-a * std::sinh(H) * rate, b * std::cosh(H) * rate, 0}};
  }
  /// The largest fourth derivative of the position, which is that at the pericentre: the second one of
  /// -x / r^3, where r does not change.
  double fourth() const {
    const double r = pericentre(), v = speed();
    return (3 * v * v * r - 2) / std::pow(r, 5);
  }
};

}  // namespace

TEST(Paths, OfHyperbolasHaveTheirPericentre) {
  for (const double e : {1.01, 1.5, 4.0, 100.0})
    for (const double begin : {-0.9, -0.5, -0.25, -0.01}) {
      const Hyperbola orbit{.a = 0.3, .e = e};
      const double r = orbit.pericentre(), v = orbit.speed();
      for (const double part : {0.2, 0.1, 0.05}) {
        const double h = part * r / v;
        const auto from = orbit.at(begin * h), to = orbit.at((begin + 1) * h);
        const auto descents = descents_of(from, to, h);
        ASSERT_EQ(descents.count, 1U) << e << " " << begin;
        ASSERT_TRUE(descents.parts[0].to_minimum);
        // A cubic through both ends misses the path by h^4 / 384 of the fourth derivative at most, and its
        // velocity by sqrt(3) h^3 / 216 of it. The minimum is where x v = 0, which grows by v^2 + x a.
        const double position = std::pow(h, 4) / 384 * orbit.fourth(),
                     velocity = std::sqrt(3) * std::pow(h, 3) / 216 * orbit.fourth();
        const double time = (r * velocity + v * position) / (v * v - 1 / r);
        EXPECT_LE(std::abs(std::sqrt(descents.parts[0].to2) - r), position + 1e-14) << e << " " << begin;
        EXPECT_LE(std::abs((descents.parts[0].end + begin) * h), 1.5 * time + 1e-14) << e << " " << begin;
      }
    }
}

TEST(Paths, HaveEveryMinimumInOneStep) {
  constexpr int steps = 300, points = 2000;
  Random random(7, 0);
  const auto any = [&] {
    return Vec3<double>{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  };
  const double h = 0.5;
  Place from{any(), 4.0 * any()};
  std::vector<double> found, seen;
  double last = dot(from.x, from.x), falling = 0;
  for (int k = 0; k < steps; ++k) {
    const Place to{any(), 4.0 * any()};
    const auto descents = descents_of(from, to, h);
    for (const auto& d : descents.all()) {
      EXPECT_LE(d.begin, d.end);
      EXPECT_LE(d.to2, d.from2 * (1 + 1e-12));
      if (d.to_minimum) found.push_back(k + d.end);
    }
    const Path path(from, to, h);
    for (int p = 1; p <= points; ++p) {
      const auto x = path.at(double(p) / points).x;
      const double r2 = dot(x, x);
      if (r2 >= last && falling > 0) seen.push_back(k + double(p - 1) / points);
      falling = r2 < last ? 1 : 0, last = r2;
    }
    from = to;
  }
  // Every minimum that the points show is found, once. The others, a few, are so near to a maximum that no
  // point lies between the two.
  EXPECT_GT(seen.size(), std::size_t{200});
  EXPECT_LE(found.size(), seen.size() + 3);
  for (const double s : seen)
    EXPECT_EQ(std::ranges::count_if(found, [&](double f) { return std::abs(f - s) <= 2.0 / points; }), 1)
        << s;
}

TEST(Paths, AreWithinTheirHull) {
  Random random(8, 0);
  const auto any = [&] {
    return Vec3<double>{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  };
  for (int k = 0; k < 100; ++k) {
    const Place from{any(), any()}, to{any(), any()};
    const double h = random.uniform(0.01, 3);
    const Path path(from, to, h);
    const auto direction = any();
    double most = -1e9;
    for (const auto& point : hull_of(from, to, h)) most = std::max(most, dot(direction, point));
    for (int p = 0; p <= 50; ++p) EXPECT_LE(dot(direction, path.at(p / 50.0).x), most + 1e-14);
    const auto end = path.at(1);
    EXPECT_LE(norm(end.x - to.x), 1e-14 * (1 + h));
    EXPECT_LE(norm(end.v - to.v), 1e-14 * (1 + 1 / h));
  }
}

TEST(Paths, CrossADistanceWhereTheyShould) {
  // A straight line at 3 from the origin, which comes to 5 four lengths before and after.
  const Place from{{-8, 3, 0}, {16, 0, 0}}, to{{8, 3, 0}, {16, 0, 0}};
  const auto descents = descents_of(from, to, 1);
  ASSERT_EQ(descents.count, 1U);
  EXPECT_NEAR(descents.parts[0].end, 0.5, 1e-15);
  EXPECT_NEAR(std::sqrt(descents.parts[0].to2), 3, 1e-15);
  const Path path(from, to, 1);
  const auto into = crossing(path, descents.parts[0], 5);
  ASSERT_TRUE(into);
  EXPECT_NEAR(*into, 0.25, 1e-15);
  EXPECT_FALSE(crossing(path, descents.parts[0], 2.999));
  EXPECT_FALSE(crossing(path, descents.parts[0], 9));
  EXPECT_NEAR(leaving(Path({{0, 3, 0}, {16, 0, 0}}, {{16, 3, 0}, {16, 0, 0}}, 1), 5, 5), 0.25, 1e-15);
  // Where the sphere shrinks from 13 to 5: (16 s)^2 + 9 = (13 - 8 s)^2.
  const double meets = (std::sqrt(208.0 * 208 + 4 * 192 * 160) - 208) / (2 * 192);
  EXPECT_NEAR(leaving(Path({{0, 3, 0}, {16, 0, 0}}, {{16, 3, 0}, {16, 0, 0}}, 1), 13, 5), meets, 1e-15);
}

TEST(Roots, AreThoseOfTheFactors) {
  // (s - 0.1) (s - 0.3) (s - 0.5) (s - 0.7) (s - 0.9), and roots outside of the interval.
  const auto product = [](const std::vector<double>& roots) {
    std::vector<double> c{1};
    for (const double r : roots) {
      c.push_back(0);
      for (std::size_t k = c.size() - 1; k > 0; --k) c[k] = c[k - 1] - r * c[k];
      c[0] *= -r;
    }
    return c;
  };
  for (const auto& roots : std::vector<std::vector<double>>{
           {0.1, 0.3, 0.5, 0.7, 0.9}, {0.25}, {-1, 0.5, 2}, {-3, -2, 1.5, 4}, {1e-6, 0.5, 1 - 1e-6}}) {
    const auto found = sign_changes(product(roots));
    std::vector<double> inside;
    for (const double r : roots)
      if (r > 0 && r < 1) inside.push_back(r);
    ASSERT_EQ(found.count, inside.size());
    // Coefficients of at most 5 are rounded to 1e-16, and the slopes at these roots are above 4e-3.
    for (std::size_t k = 0; k < inside.size(); ++k) EXPECT_NEAR(found.at[k], inside[k], 3e-13);
  }
  // Two roots at one place are no change of sign.
  EXPECT_EQ(sign_changes(product({0.5, 0.5})).count, 0U);
  EXPECT_EQ(sign_changes(std::vector<double>{1.0}).count, 0U);
  EXPECT_EQ(sign_changes(std::vector<double>{0, 0, 0, 0, 0, 0}).count, 0U);
}
