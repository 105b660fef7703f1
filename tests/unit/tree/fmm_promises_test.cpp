/// What the fast multipole method promises beside accuracy: bits, momentum, units, order.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "cpu/target.hpp"
#include "solving.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using namespace pleiad;
using namespace pleiad::tree_test;

namespace {

class FmmPromises : public testing::Test {
 protected:
  void TearDown() override {
    set_threads(0);
    cpu::use_simd_target("");
  }
};

/// The largest difference of two results, over the largest pull; also of the potentials.
template <class T>
double difference(const std::vector<Vec4<T>>& a, const std::vector<Vec4<T>>& b) {
  double d = 0, size = 0, dw = 0, w = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto part = [](const Vec4<T>& s) { return Vec3<double>{double(s.x), double(s.y), double(s.z)}; };
    const double here = norm(part(a[i]) - part(b[i])), there = std::abs(double(a[i].w) - double(b[i].w));
    if (!std::isfinite(here + there)) return INFINITY;
    d = std::max(d, here), size = std::max(size, norm(part(b[i])));
    dw = std::max(dw, there), w = std::max(w, std::abs(double(b[i].w)));
  }
  return std::max(d / size, dw / w);
}

}  // namespace

TEST_F(FmmPromises, SameBitsAgainAfterAnotherProblemAndForAnyNumberOfThreads) {
  const auto bodies = scene("clumps").make(20000), other = plummer(3000);
  for (const int order : {3, 5, 8})
    for_all_precisions({.order = order, .theta = 0.6}, [&]<class P>(P, const TreeSettings& s) {
      set_threads(1);
      const auto solver = make_tree_solver<P>(s);
      const auto first = evaluate<P>(*solver, bodies, 0.02);
      EXPECT_TRUE(same_bits(evaluate<P>(*solver, bodies, 0.02), first)) << "again";
      evaluate<P>(*solver, other, 0.5);
      EXPECT_TRUE(same_bits(evaluate<P>(*solver, bodies, 0.02), first)) << "after another";
      for (const int count : {2, 7}) {
        set_threads(count);
        EXPECT_TRUE(same_bits(evaluate<P>(*solver, bodies, 0.02), first)) << count << " threads";
      }
      set_threads(1);
    });
}

TEST_F(FmmPromises, TheOrderOfTheBodiesDoesNotMatter) {
  const auto bodies = plummer(10000);
  std::vector<std::uint32_t> from(bodies.size());
  std::iota(from.begin(), from.end(), 0u);
  std::shuffle(from.begin(), from.end(), std::mt19937_64(5));
  Masses shuffled;
  for (const auto i : from) shuffled.push_back(bodies[i]);
  const auto right = solve<Mixed>({}, bodies, 1e-3), moved = solve<Mixed>({}, shuffled, 1e-3);
  Sums<Mixed> back(bodies.size());
  for (std::size_t i = 0; i < from.size(); ++i) back[from[i]] = moved[i];
  // Bodies with different keys are sorted the same way, whatever their order was.
  EXPECT_TRUE(same_bits(back, right));
}

TEST_F(FmmPromises, EveryInstructionSetGivesTheSameToRounding) {
  const auto bodies = rounded(plummer(5000));
  for (const int order : orders)
    for_all_precisions({.order = order, .theta = 0.6}, [&]<class P>(P, const TreeSettings& s) {
      const auto right = solve<P>(s, bodies, 1e-2);
      for (const auto target : cpu::simd_targets()) {
        cpu::use_simd_target(target);
        // Thousands of terms, in one sum or in sixteen: some tens of roundings, of 2^-24 or 2^-53.
        const double bound = is_wide<P>(s) && sizeof(typename P::Sum) == 8 ? 1e-14 : 4e-6;
        EXPECT_LE(difference(solve<P>(s, bodies, 1e-2), right), bound) << target << " " << name<P>();
        cpu::use_simd_target("");
      }
    });
}

TEST_F(FmmPromises, MomentumIsKeptToRounding) {
  for (const auto& scene : scenes()) {
    const auto bodies = rounded(scene.make(4000));
    for (const int order : orders)
      for (const double theta : {0.5, 1.0})
        for_all_precisions({.order = order, .theta = theta}, [&]<class P>(P, const TreeSettings& s) {
          // As one-sided direct sums: 1e-6 in single precision. In double, positions are rounded to 2^-54 of
          // the tree's width, which is 10^4 of the separations that matter in the cluster in the halo.
          const double bound = !is_wide<P>(s) || sizeof(typename P::Sum) == 4 ? 1e-6 : 1e-12;
          EXPECT_LE(unbalanced(bodies, solve<P>(s, bodies, scene.eps)), bound)
              << scene.name << ", " << name<P>();
        });
  }
}

TEST_F(FmmPromises, UnitsDoNotMatter) {
  // By powers of two nothing is rounded: 2^66 is 7e19.
  const auto bodies = plummer(3000);
  auto scaled = bodies;
  for (auto& b : scaled)
    b = {std::ldexp(b.x, 66), std::ldexp(b.y, 66), std::ldexp(b.z, 66), std::ldexp(b.m, -66)};
  const auto test = [&]<class P>(P) {
    auto right = solve<P>({}, bodies, 1e-3);
    for (auto& s : right)
      s = {std::ldexp(s.x, -198), std::ldexp(s.y, -198), std::ldexp(s.z, -198), std::ldexp(s.w, -132)};
    EXPECT_TRUE(same_bits(solve<P>({}, scaled, std::ldexp(1e-3, 66)), right)) << name<P>();
  };
  test(Mixed{}), test(F64{});
}

TEST_F(FmmPromises, PullsAreTheSameWithAndWithoutThePotentialWhichIsThenZero) {
  const auto bodies = plummer(5000);
  for (const int order : orders)
    for_all_precisions({.order = order}, [&]<class P>(P, const TreeSettings& s) {
      auto with = solve<P>(s, bodies, 1e-3, true);
      const auto without = solve<P>(s, bodies, 1e-3, false);
      for (auto& sum : with) sum.w = 0;
      EXPECT_TRUE(same_bits(without, with)) << name<P>();
    });
}

TEST_F(FmmPromises, NoBodiesAndOneAreNoTrouble) {
  for_all_precisions({}, [&]<class P>(P, const TreeSettings& s) {
    const auto solver = make_tree_solver<P>(s);
    EXPECT_TRUE(evaluate<P>(*solver, {}, 0).empty());
    const auto sums = evaluate<P>(*solver, Masses{{1, 2, 3, 4}}, 0);
    EXPECT_EQ(norm(sums[0].xyz()), 0);
    EXPECT_EQ(sums[0].w, 0);
    EXPECT_EQ(evaluate<P>(*solver, Masses{{1, 2, 3, 4}}, 0.5)[0].w, 0);  // not even softened
  });
}

TEST_F(FmmPromises, WorkIsCounted) {
  const auto solver = make_tree_solver<Mixed>({.leaf_size = 32});
  evaluate<Mixed>(*solver, random_cube(30, 1), 0);
  EXPECT_EQ(solver->work().bodies, 30u);
  EXPECT_EQ(solver->work().cells, 1u);
  EXPECT_EQ(solver->work().leaves, 1u);
  EXPECT_EQ(solver->work().depth, 0u);
  EXPECT_EQ(solver->work().pairs, 900);
  EXPECT_EQ(solver->work().cell_pairs, 0);
  evaluate<Mixed>(*solver, random_cube(20000, 1), 0);
  EXPECT_GE(solver->work().leaves, 20000u / 32);
  EXPECT_GE(solver->work().cell_pairs, double(solver->work().leaves));
  EXPECT_EQ(solver->work().softened_cell_pairs, 0);
  EXPECT_GE(solver->work().bytes, 20000 * (4 * sizeof(double) + sizeof(std::uint32_t)));
  evaluate<Mixed>(*solver, random_cube(20000, 1), 10);
  EXPECT_EQ(solver->work().softened_cell_pairs, solver->work().cell_pairs);  // all within 100 softenings
  evaluate<Mixed>(*solver, {}, 0);
  EXPECT_EQ(solver->work().cells, 0u);
}
