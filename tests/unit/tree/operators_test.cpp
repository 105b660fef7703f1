/// What the generated operators promise to rounding, whatever the distance.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "operators.hpp"

#include "core/larger.hpp"

#include <span>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::tree_test;

namespace {

double relative(Vec4<double> a, Vec4<double> b) {
  return std::max(norm(a.xyz() - b.xyz()) / norm(b.xyz()), std::abs(a.w - b.w) / std::abs(b.w));
}
double largest_difference(std::span<const double> a, std::span<const double> b) {
  double d = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    take_larger(d, std::abs(a[i] - b[i])), size = std::max(size, std::abs(b[i]));
  return d / size;
}

}  // namespace

TEST(Operators, FoldedMomentsGiveTheSameFieldAsAllOfThem) {
  for_all_orders([]<int p>(Order<p>) {
    random_bits.seed(200 + p);
    for (int k = 0; k < 300; ++k) {
      const auto [source, target] = random_pair(uniform(0.1, 0.9));
      const auto folded = field<p>(source, target, -1), all = field<p>(source, target, 0);
      // Derivatives of order p are sums of alternating terms up to (2p - 1)!! / p! < 60 times their size.
      EXPECT_LE(largest_difference(folded, all), 60 * p * 0x1p-52) << "order " << p << ", pair " << k;
    }
  });
}

TEST(Operators, WithoutReachSofteningChangesNothingAndFarBelowItFieldsAreFlat) {
  for_all_orders([]<int p>(Order<p>) {
    random_bits.seed(300 + p);
    for (int k = 0; k < 100; ++k) {
      const auto [source, target] = random_pair(uniform(0.1, 0.5));
      const double R = norm(target.centre - source.centre);
      const auto x = target.bodies[0].position();
      const auto newtonian = at<p>(field<p>(source, target, -1), target, x);
      // The relative change of a term of order q is (q + 1/2) eps^2 / R^2 times a few.
      EXPECT_LE(relative(at<p>(field<p>(source, target, 1e-6 * R), target, x), newtonian), 1e-9);
      // m d / eps^3, m / eps: to (R / eps)^2.
      const double eps = 1e6 * R;
      const auto softened = at<p>(field<p>(source, target, eps), target, x);
      const auto d = source.centre - x;
      const double f = source.mass / (eps * eps * eps);
      EXPECT_LE(relative(softened, {f * d.x, f * d.y, f * d.z, source.mass / eps}), 1e-9);
    }
  });
}

TEST(Operators, AHarmonicFieldIsWeakenedAsAPointIsSoftenedAtTheCentre) {
  for_all_orders([]<int p>(Order<p>) {
    random_bits.seed(350 + p);
    for (int k = 0; k < 100; ++k) {
      auto [source, target] = random_pair(uniform(0.1, 0.5));
      source = cluster_of({{source.centre.x, source.centre.y, source.centre.z, source.mass}}, 1);
      const double R = norm(target.centre - source.centre), eps = uniform(0, 1) * R;
      const auto weakened = harmonic_field<p>(source, target, eps);
      const auto c = target.centre;
      EXPECT_LE(relative(at<p>(weakened, target, c), direct(source, c, eps)), 1e-13) << p << ", pair " << k;
      // Away from it by d, to (1 + a few d / R) 1.5 eps^2 / R^2 less than without the factor.
      const double small = 1e-2 * R;
      const auto near = harmonic_field<p>(source, target, small);
      const auto x = target.bodies[0].position();
      const double off = norm(x - c) / R, softness = small * small / (R * R);
      const auto newtonian = relative(at<p>(field<p>(source, target, -1), target, x), direct(source, x, 0));
      EXPECT_LE(relative(at<p>(near, target, x), direct(source, x, small)),
                newtonian + 12 * off * softness + 1e-13);
    }
  });
}

TEST(Operators, ForcesOfTwoCellsOnEachOtherCancelToRounding) {
  for_all_orders([]<int p>(Order<p>) {
    random_bits.seed(400 + p);
    for (int k = 0; k < 300; ++k) {
      const auto [one, other] = random_pair(uniform(0.1, 0.95));
      const double R = norm(one.centre - other.centre);
      for (const double eps : {-1.0, 0.0, 0.01 * R, R, 100 * R}) {
        Vec3<double> sum{};
        double size = 0;
        for (const auto& [source, target] : {std::pair{one, other}, {other, one}}) {
          const auto local = field<p>(source, target, eps);
          for (const auto& b : target.bodies) {
            const auto a = b.m * at<p>(local, target, b.position()).xyz();
            sum += a, size += norm(a);
          }
        }
        // As many roundings as a field has operations that do not shrink with distance.
        EXPECT_LE(norm(sum), 1e-13 * size) << "order " << p << ", eps / R " << eps / R;
      }
    }
  });
}

TEST(Operators, MomentsOfChildrenGiveThoseOfTheirParent) {
  for_all_orders([]<int p>(Order<p>) {
    random_bits.seed(500 + p);
    for (int k = 0; k < 200; ++k) {
      auto first = random_cluster({}, 1), second = random_cluster({1, -1, 0.5}, 0.3);
      std::vector<Mass<double>> bodies = first.bodies;
      bodies.insert(bodies.end(), second.bodies.begin(), second.bodies.end());
      const auto parent = cluster_of(std::move(bodies), 1.5);
      std::array<double, std::size_t(moments(p))> sum{};
      for (auto* child : {&first, &second}) {
        child->unit = parent.unit;
        const auto d = (1 / parent.unit) * (child->centre - parent.centre);
        m2m(Order<p>{}, moments_of<p>(*child).all.data(), d.x, d.y, d.z, sum.data());
      }
      EXPECT_LE(largest_difference(sum, moments_of<p>(parent).all), 1e-14) << "order " << p;
    }
  });
}

TEST(Operators, MomentsAreThoseOnPaper) {
  // (-1)^|n| m x^a y^b z^c / (a! b! c!) of one body of mass 3 at (2, 5, 7).
  std::array<double, moments(5)> m{};
  p2m(Order<5>{}, 2.0, 5.0, 7.0, 3.0, m.data());
  const auto moment = [&](int a, int b, int c) { return m[std::size_t(moment_index(index_of(a, b, c)))]; };
  EXPECT_EQ(moment(0, 0, 0), 3);
  EXPECT_EQ(moment(2, 0, 0), 3 * 4 / 2.0);
  EXPECT_EQ(moment(0, 1, 1), 3 * 35);
  EXPECT_EQ(moment(1, 1, 1), -3 * 70);
  EXPECT_LE(std::abs(moment(0, 0, 3) + 3 * 343 / 6.0), 1e-13);
  EXPECT_LE(std::abs(moment(1, 0, 3) - 3 * 2 * 343 / 6.0), 1e-12);
  EXPECT_LE(std::abs(moment(2, 2, 0) - 3 * 2 * 12.5), 1e-13);
}

TEST(Operators, ExpansionsAreTheSameFieldAboutAnyCentre) {
  for_all_orders([]<int p>(Order<p>) {
    random_bits.seed(600 + p);
    for (int k = 0; k < 200; ++k) {
      Local<p> parent;
      for (auto& l : parent) l = uniform(-1, 1);
      const Vec3<double> shift{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)},
          x{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
      Local<p> child;
      for (auto& l : child) l = uniform(-1, 1);
      const Cluster unit{};
      const auto before = at<p>(child, unit, x), added = at<p>(parent, unit, x + shift);
      l2l(Order<p>{}, parent.data(), shift.x, shift.y, shift.z, child.data());
      const auto after = at<p>(child, unit, x);
      // Polynomials in |x| <= 2 sqrt 3 with coefficients 1 / k!: their terms add up to at most e^(6 sqrt 3 /
      // sqrt 3).
      constexpr double bound = 400 * 0x1p-50;
      EXPECT_LE(norm(after.xyz() - before.xyz() - added.xyz()), bound) << "order " << p;
      EXPECT_LE(std::abs(after.w - before.w - added.w), bound) << "order " << p;
    }
  });
}

TEST(Operators, PullsAreTheSameWithAndWithoutThePotential) {
  for_all_orders([]<int p>(Order<p>) {
    random_bits.seed(700 + p);
    Local<p> local;
    for (auto& l : local) l = uniform(-1, 1);
    const auto with = at<p>(local, {}, {0.3, -0.6, 0.9});
    Vec3<double> a;
    l2p(Order<p>{}, local.data(), 0.3, -0.6, 0.9, a.x, a.y, a.z);
    EXPECT_EQ(a, with.xyz()) << "order " << p;
  });
}

TEST(Operators, ThePullIsTheGradientOfThePotential) {
  for_all_orders([]<int p>(Order<p>) {
    random_bits.seed(800 + p);
    for (int k = 0; k < 100; ++k) {
      Local<p> local;
      for (auto& l : local) l = uniform(-1, 1);
      const Cluster unit{};
      const Vec3<double> x{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
      const double h = 1e-5;
      const auto slope = [&](Vec3<double> d) {
        return (at<p>(local, unit, x + d).w - at<p>(local, unit, x - d).w) / (2 * h);
      };
      const auto a = at<p>(local, unit, x);
      // Third derivatives (at most e^3) times h^2 / 6, and 1e-16 e^3 / h of rounding.
      constexpr double bound = 2e-9;
      EXPECT_LE(std::abs(slope({h, 0, 0}) - a.x), bound);
      EXPECT_LE(std::abs(slope({0, h, 0}) - a.y), bound);
      EXPECT_LE(std::abs(slope({0, 0, h}) - a.z), bound);
    }
  });
}
