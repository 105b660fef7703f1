/// Bodies that are nowhere: no crash, no hang, and sums in which the caller sees it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "solving.hpp"

#include <cmath>
#include <limits>

using namespace pleiad;
using namespace pleiad::tree_test;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

template <class P>
std::size_t finite_sums(std::span<const Mass<double>> bodies) {
  std::size_t finite = 0;
  for (const auto& s : solve<P>({}, bodies, 0.01)) finite += std::isfinite(s.x + s.y + s.z + s.w);
  return finite;
}
template <class P>
void expect_seen(std::span<const Mass<double>> bodies, const char* what) {
  // As with direct sums, what one body has wrong, all have.
  EXPECT_EQ(finite_sums<P>(bodies), 0u) << what << ", " << name<P>() << ", N = " << bodies.size();
}

}  // namespace

TEST(TreeFaults, ABodyThatIsNotFiniteMakesAllSumsSo) {
  for (const std::size_t n : {1, 2, 100, 20000})
    for (const std::size_t which : {std::size_t(0), n / 2, n - 1})
      for (const double bad : {not_a_number, inf, -inf})
        for (const int component : {0, 1, 2, 3}) {
          auto bodies = random_cube(n, 1);
          auto& b = bodies[which];
          (component == 0 ? b.x : component == 1 ? b.y : component == 2 ? b.z : b.m) = bad;
          expect_seen<Mixed>(bodies, component == 3 ? "a mass" : "a position");
          if (n > 100) continue;
          expect_seen<F32>(bodies, component == 3 ? "a mass" : "a position");
          expect_seen<F64>(bodies, component == 3 ? "a mass" : "a position");
        }
}

TEST(TreeFaults, AMillionBodiesThatAreNowhereDoNotTakeForever) {
  expect_seen<Mixed>(Masses(1000000, {not_a_number, not_a_number, not_a_number, 1e-6}), "all");
  expect_seen<Mixed>(Masses(1000000, {inf, 0, 0, 1e-6}), "all");
}

TEST(TreeFaults, SpaceThatDoublesCannotSpanIsSeen) {
  const Masses bodies{{-1.5e308, 0, 0, 1}, {1.5e308, 0, 0, 1}, {0, 0, 0, 1}};
  expect_seen<F64>(bodies, "an extent");
  const Masses heavy{{-1, 0, 0, 1.5e308}, {1, 0, 0, 1.5e308}};
  expect_seen<F64>(heavy, "a mass");
}

TEST(TreeFaults, ASolverWorksAgainAfterwards) {
  const auto solver = make_tree_solver<Mixed>({});
  const auto bodies = random_cube(5000, 2);
  const auto right = evaluate<Mixed>(*solver, bodies, 0.01);
  auto bad = bodies;
  bad[77].y = not_a_number;
  evaluate<Mixed>(*solver, bad, 0.01);
  EXPECT_TRUE(same_bits(evaluate<Mixed>(*solver, bodies, 0.01), right));
}
