/// The operators of Barnes and Hut against direct sums over random cells: never above the bound, and of the
/// right powers of the distance.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "operators.hpp"

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::tree_test;

namespace {

template <int p>
Vec4<double> pull_of(const Cluster& source, Vec3<double> at, double eps, bool softened) {
  const auto m = moments_of<p>(source);
  double newtonian[m2p_numbers(p)], all[softened_m2p_numbers(p)];
  m2p_record(Order<p>{}, m.all.data(), source.unit, newtonian, all);
  const auto d = source.centre - at;
  Vec4<double> a;
  if (softened) m2p_soft<true>(Order<p>{}, all, d.x, d.y, d.z, eps * eps, a.x, a.y, a.z, a.w);
  else m2p<true>(Order<p>{}, newtonian, d.x, d.y, d.z, eps * eps, a.x, a.y, a.z, a.w);
  return a;
}

/// With rho = r / R and R^2 = |separation|^2 + eps^2 (softening is a separation in a fourth dimension), the
/// terms of order n are at most M rho^n / R in the potential and (n + 1) M rho^n / R^2 in the pull; all from
/// n = p on are left out: rho^p / (1 - rho), and rho^p [(p + 1) - p rho] / (1 - rho)^2. Rounding: some
/// hundred operations on terms of at most this size.
struct Bound {
  double pull = 0, potential = 0;
};
Bound bound(int p, const Cluster& source, double R) {
  const double rho = source.radius / R, rest = 1 - rho, rounding = 1e-14 / (rest * rest);
  return {source.mass / (R * R) * (std::pow(rho, p) * (p + 1 - p * rho) / (rest * rest) + rounding),
          source.mass / R * (std::pow(rho, p) / rest + rounding)};
}

template <int p>
void never_exceeds_the_bound(bool softened) {
  random_bits.seed(p);
  Bound worst;
  for (int k = 0; k < 10000; ++k) {
    const auto source = random_cluster({}, 1);
    const double size = source.radius > 0 ? source.radius : 1, rho = uniform(0.02, 0.95);
    const double eps = softened ? size * std::pow(10.0, uniform(-3, 3)) : 0;
    const auto place = source.centre + (size / rho) * direction();
    const auto a = pull_of<p>(source, place, eps, softened), right = direct(source, place, eps);
    const auto allowed = bound(p, source, std::hypot(size / rho, eps));
    const double pull = norm(a.xyz() - right.xyz()) / allowed.pull;
    const double potential = std::abs(a.w - right.w) / allowed.potential;
    ASSERT_LE(pull, 1) << "cell " << k << ", operators of order " << p << ", eps " << eps;
    ASSERT_LE(potential, 1) << "cell " << k << ", operators of order " << p << ", eps " << eps;
    worst = {std::max(worst.pull, pull), std::max(worst.potential, potential)};
  }
  // And is met by bodies that lie in line: a bound that nothing comes near would test nothing.
  EXPECT_GE(worst.pull, 0.1);
  EXPECT_GE(worst.potential, 0.1);
}

/// Mean errors at a distance, relative to M / R^2.
template <int p>
double mean_error(double R, double eps, bool softened) {
  random_bits.seed(100 + p);
  double sum = 0;
  for (int k = 0; k < 400; ++k) {
    const auto source = cluster_of(random_cube(8), 1);
    const auto place = source.centre + R * direction();
    const auto error = pull_of<p>(source, place, eps, softened).xyz() - direct(source, place, eps).xyz();
    sum += norm(error) * R * R / source.mass;
  }
  return sum / 400;
}

template <class Test>
void for_all_barnes_hut(const Test& test) {
  test(Order<2>{}), test(Order<3>{}), test(Order<4>{}), test(Order<5>{}), test(Order<6>{});
}

}  // namespace

TEST(BarnesHutOperators, NeverErrMoreThanTheBoundForTenThousandCells) {
  for_all_barnes_hut([]<int p>(Order<p>) { never_exceeds_the_bound<p>(false); });
}
TEST(BarnesHutOperators, NeverErrMoreThanTheBoundWithAnySoftening) {
  for_all_barnes_hut([]<int p>(Order<p>) { never_exceeds_the_bound<p>(true); });
}

TEST(BarnesHutOperators, ErrByThePowersOfTheDistanceThatAreLeftOut) {
  for_all_barnes_hut([]<int p>(Order<p>) {
    // At 20 and 40 the next terms change the slope by less than 0.2.
    EXPECT_LE(std::abs(std::log2(mean_error<p>(20, 0, false) / mean_error<p>(40, 0, false)) - p), 0.2) << p;
    // Softening less than the distance adds terms in eps^2 / R^2, which shrink faster.
    EXPECT_LE(std::abs(std::log2(mean_error<p>(20, 2, true) / mean_error<p>(40, 2, true)) - p), 0.2) << p;
  });
}

TEST(BarnesHutOperators, LoseLessThanTheyShouldWhereSofteningActsOnTheMassOnly) {
  // A quadrupole's trace, at most M r^2, pulls with 5/2 tr x eps^2 / R^7: 2.5 rho^2 eps^2 / R^2 of the pull;
  // of higher orders there is more by powers of rho, so that at rho <= 0.03 3 is the factor that the choice
  // of operators counts on.
  random_bits.seed(3);
  double worst = 0;
  for (int k = 0; k < 10000; ++k) {
    const auto source = random_cluster({}, 1);
    if (source.radius == 0) continue;
    const double R = source.radius / uniform(0.003, 0.03), eps = R * std::pow(10.0, uniform(-3, -0.5));
    const auto place = source.centre + R * direction();
    const double lost =
        norm(pull_of<5>(source, place, eps, false).xyz() - pull_of<5>(source, place, eps, true).xyz());
    const double rho = source.radius / R;
    const double part = lost * R * R / source.mass / (rho * rho * eps * eps / (R * R) + 1e-13);
    ASSERT_LE(part, 3) << "cell " << k << ", eps / R = " << eps / R;
    worst = std::max(worst, part);
  }
  EXPECT_GE(worst, 0.3);
}
