/// The errors of the generated operators against direct sums: never above the bound, and of the right powers
/// of the distance.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "operators.hpp"

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::tree_test;

namespace {

/// The error's share of what is left out, which no body exceeds. With h the difference of the offsets of
/// target and source from their centres, |h| <= r_A + r_B, and R^2 = |separation|^2 + eps^2, the potential is
/// sum_q |h|^q / R^(q+1) P_q(c), |c| <= 1 (softening is a separation in a fourth dimension), and the gradient
/// of a term is at most q |h|^(q-1) / R^(q+1). Pulls have all terms up to q = p: with rho = (r_A + r_B) / R,
/// |da| <= M / R^2 sum_(q > p) q rho^(q-1) = M / R^2 rho^p [(p + 1) - p rho] / (1 - rho)^2. Potentials also
/// lack the part of q = p that is constant over the target, the moments of order p:
/// |dPhi| <= M / R [rho^(p+1) / (1 - rho) + (r_B / R)^p].
struct Bound {
  double pull = 0, potential = 0;
};
Bound bound(int p, const Cluster& source, const Cluster& target, double eps) {
  const double R = std::hypot(norm(target.centre - source.centre), eps);
  const double rho = (source.radius + target.radius) / R;
  // Rounding: some hundred operations on terms of at most this size.
  const double rounding = 1e-14 / (1 - rho);
  return {source.mass / (R * R) *
              (std::pow(rho, p) * (p + 1 - p * rho) / ((1 - rho) * (1 - rho)) + rounding / (1 - rho)),
          source.mass / R * (std::pow(rho, p + 1) / (1 - rho) + std::pow(source.radius / R, p) + rounding)};
}

/// The largest share of the bound over all bodies of the target.
template <int p>
Bound share(const Cluster& source, const Cluster& target, double eps, bool harmonic) {
  const auto allowed = bound(p, source, target, eps);
  const auto local = field<p>(source, target, harmonic ? -1 : eps);
  Bound worst;
  for (const auto& b : target.bodies) {
    const auto a = at<p>(local, target, b.position()), right = direct(source, b.position(), eps);
    worst.pull = std::max(worst.pull, norm(a.xyz() - right.xyz()) / allowed.pull);
    worst.potential = std::max(worst.potential, std::abs(a.w - right.w) / allowed.potential);
    if (!std::isfinite(a.x + a.y + a.z + a.w)) return {INFINITY, INFINITY};
  }
  return worst;
}

template <int p>
void never_exceeds_the_bound(bool harmonic) {
  random_bits.seed(p);
  Bound worst;
  for (int k = 0; k < 10000; ++k) {
    const auto [source, target] = random_pair(uniform(0.02, 0.95));
    const double size = source.radius + target.radius;
    const double eps = harmonic ? 0 : std::pow(10.0, uniform(-3, 3)) * (size > 0 ? size : 1);
    const auto s = share<p>(source, target, eps, harmonic);
    ASSERT_LE(s.pull, 1) << "pair " << k << ", order " << p << ", eps " << eps;
    ASSERT_LE(s.potential, 1) << "pair " << k << ", order " << p << ", eps " << eps;
    worst = {std::max(worst.pull, s.pull), std::max(worst.potential, s.potential)};
  }
  // And is met by bodies that lie in line: a bound that nothing comes near would test nothing.
  EXPECT_GE(worst.pull, 0.1);
  EXPECT_GE(worst.potential, 0.1);
}

/// By what power of the distance the mean errors shrink, relative to M / R^2 and M / R, for bodies of a
/// source like `source` on those of a target like `target`.
template <int p>
Bound slope_of_errors(Cluster (*source_like)(), Cluster (*target_like)()) {
  random_bits.seed(100 + p);
  Bound mean[2];
  for (int k = 0; k < 400; ++k) {
    const auto source = source_like(), shape = target_like();
    const auto towards = direction();
    for (int far = 0; far < 2; ++far) {
      // Far enough for the next terms to change the slope by less than 0.2, and above rounding at order 8.
      const double R = (p == 8 ? 10 : 20) * (far == 0 ? 1 : 2);
      const auto shift = source.centre - shape.centre + R * towards;
      auto bodies = shape.bodies;
      for (auto& b : bodies) b.x += shift.x, b.y += shift.y, b.z += shift.z;
      const auto target = cluster_of(std::move(bodies), 1);
      const auto local = field<p>(source, target, -1);
      for (const auto& b : target.bodies) {
        const auto a = at<p>(local, target, b.position()), right = direct(source, b.position(), 0);
        mean[far].pull += norm(a.xyz() - right.xyz()) * R * R / source.mass;
        mean[far].potential += std::abs(a.w - right.w) * R / source.mass;
      }
    }
  }
  return {std::log2(mean[0].pull / mean[1].pull), std::log2(mean[0].potential / mean[1].potential)};
}
Cluster wide() { return cluster_of(random_cube(8), 1); }
Cluster point() { return cluster_of({{0, 0, 0, 1}}, 1); }

}  // namespace

TEST(Operators, NeverErrMoreThanTheBoundForTenThousandPairsOfCells) {
  for_all_orders([]<int p>(Order<p>) { never_exceeds_the_bound<p>(true); });
}
TEST(Operators, NeverErrMoreThanTheBoundWithAnySoftening) {
  for_all_orders([]<int p>(Order<p>) { never_exceeds_the_bound<p>(false); });
}

TEST(Operators, ErrByThePowersOfTheDistanceThatAreLeftOut) {
  for_all_orders([]<int p>(Order<p>) {
    // Of pulls the first term left out is that of order p + 1, in distance 1 / R^(p + 2).
    EXPECT_LE(std::abs(slope_of_errors<p>(wide, wide).pull - p), 0.2) << "order " << p;
    // Of potentials too, where the source has no moments; on the centre of a target, the moments of order p.
    EXPECT_LE(std::abs(slope_of_errors<p>(point, wide).potential - (p + 1)), 0.2) << "order " << p;
    EXPECT_LE(std::abs(slope_of_errors<p>(wide, point).potential - p), 0.2) << "order " << p;
  });
}
