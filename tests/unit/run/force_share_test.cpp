/// The share of the forces in an energy error that is asked for: when an accuracy is set, and that the energy
/// of a tree changes by no more than an eighth of the budget.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/force_share.hpp"

#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <cmath>
#include <iostream>
#include <optional>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;
using run::force_share;

namespace {

Options of_a_soft_sphere() {
  Options o;
  o.gravity.softening = 0.05;
  return o;
}

template <class Set>
std::optional<double> share_with(const Set& set) {
  auto o = of_a_soft_sphere();
  set(o);
  return force_share(o, 1e-4, 100'000);
}

}  // namespace

TEST(ForceShare, IsFourTimesTheBudgetOfManyBodies) {
  const auto o = of_a_soft_sphere();
  EXPECT_EQ(force_share(o, 1e-4, 50'000), 4e-4);
  EXPECT_EQ(force_share(o, 1e-4, 49'999), std::nullopt);
  EXPECT_EQ(force_share(o, 1e-4, 10'000'000), 4e-4);
  EXPECT_EQ(force_share(o, 0.5, 50'000), 0.01);           // no force is less accurate
  EXPECT_EQ(force_share(o, 1e-7, 50'000), std::nullopt);  // direct sums are as fast
  EXPECT_EQ(force_share(o, std::nan(""), 50'000), std::nullopt);
}

TEST(ForceShare, LeavesWhatIsStatedOfTheForces) {
  EXPECT_TRUE(share_with([](Options&) {}));
  EXPECT_FALSE(share_with([](Options& o) { o.solver.accuracy = 1e-2; }));
  EXPECT_FALSE(share_with([](Options& o) { o.solver.stated.accuracy = true; }));  // of 0: direct sums
  EXPECT_FALSE(share_with([](Options& o) { o.solver.method = "fmm"; }));
  EXPECT_FALSE(share_with([](Options& o) { o.engine.kernel = "cpu/simd"; }));
}

TEST(ForceShare, IsForForcesThatTreesCompute) {
  EXPECT_FALSE(share_with([](Options& o) { o.gravity.softening = 0; }));
  EXPECT_FALSE(share_with([](Options& o) { o.gravity.softening_kernel = "spline"; }));
  EXPECT_FALSE(share_with([](Options& o) { o.gravity.softening_by_type = {"star=0.1"}; }));
  EXPECT_FALSE(share_with([](Options& o) { o.gravity.softening_of_bodies = true; }));
  EXPECT_FALSE(share_with([](Options& o) { o.gravity.semi_active = "disc"; }));
  EXPECT_FALSE(share_with([](Options& o) { o.gravity.dimension = 2; }));
}

// A tree with the error p of 99 % of its forces is taken for a budget of p / 4. Its energy must differ from
// that of direct sums with the same steps by an eighth of this at most.
TEST(ForceShare, IsAnEighthOfTheBudget) {
  const auto start = model("plummer", {{"n", 4096}}, 5);
  const auto change = [&](const std::string& kernel, double& p99) {
    Simulation s(start, {.softening = 0.05, .dt = 1.0 / 64, .precision = Precision::f64, .kernel = kernel});
    p99 = s.force_errors(s.sample()).p99;
    s.make_steps(32);
    // Energies by direct sums, as a tree's potentials have errors of their own.
    Simulation exact(s.snapshot(), {.softening = 0.05, .dt = 1, .precision = Precision::f64}),
        first(start, {.softening = 0.05, .dt = 1, .precision = Precision::f64});
    return exact.energies().total() / first.energies().total() - 1;
  };
  double none = 0;
  const double direct = change("cpu/symmetric", none);
  for (const char* kernel :
       {"cpu/barnes-hut order=2 theta=0.8 leaf=16", "cpu/fmm order=3 theta=0.7 leaf=32"}) {
    double p99 = 0;
    const double of_forces = std::abs(change(kernel, p99) - direct);
    std::cout << kernel << ": p99 " << p99 << ", energy " << of_forces << "\n";
    EXPECT_GE(p99, 1e-4) << kernel;
    EXPECT_LE(of_forces, p99 / 4 / 8) << kernel;
  }
}
