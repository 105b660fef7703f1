/// Barnes-Hut's walks on the GPU, or on its emulation: the errors that are known for its MACs, the cases
/// that it stumbles over, the same bits again. As tests/unit/tree/barnes_hut_test.cpp on the CPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/tree_checks.hpp"
#include "tree/softening.hpp"

using namespace pleiad;
using namespace pleiad::tree_test;

namespace {

using CudaBarnesHut = Gpu;

constexpr std::array orders_of_gpu{1, 2, 3};

template <class P>
std::unique_ptr<ForceSolver<P>> gpu_solver(TreeSettings s, cuda::tree::FirstRoom room = {}) {
  s.solver = Solver::barnes_hut;
  return solver_on_gpu<P>(s, room);
}
template <class P>
Sums<P> on_gpu(const TreeSettings& s, std::span<const Mass<double>> bodies, double eps,
               bool potential = true) {
  const auto solver = gpu_solver<P>(s);
  return evaluate<P>(*solver, bodies, eps, potential);
}
#ifdef PLEIAD_EMULATE_CUDA
/// Walks of few bodies and small angles take long where lanes are fibers.
constexpr int alone = 2, smallest_angle = 1;
#else
constexpr int alone = 1, smallest_angle = 0;
#endif
TreeSettings classic(int order, double theta) {
  return {.order = order, .mac = Mac::classic, .theta = theta, .leaf_size = 16, .group = alone};
}

struct Row {
  int order = 0;
  double p50[4], p99[4];  ///< at theta 0.3, 0.5, 0.75 and 1
};

/// Of 10000 bodies of a sphere, of which 1000 are looked at; within the factors of BarnesHut.HasTheKnown...,
/// which says where they come from.
void has_the_errors_of(const Row& row) {
  const double theta[] = {0.3, 0.5, 0.75, 1.0};
  const auto bodies = rounded(plummer(10000));
  const auto right = exact(bodies, 0, 1000);
  // Walks of small angles take longest: the slope, which needs one, is looked at in `make test-all`.
  const int first_angle = test::emulated_size(smallest_angle, 2);
  Errors e[4];
  for (int k = first_angle; k < 4; ++k) {
    e[k] = errors<float>(on_gpu<F32>(classic(row.order, theta[k]), bodies, 0, false), right);
    EXPECT_EQ(e[k].not_finite, 0u);
    EXPECT_LE(std::abs(std::log(e[k].p50 / row.p50[k])), std::log(1.5)) << theta[k] << ' ' << e[k].p50;
    EXPECT_LE(std::abs(std::log(e[k].p99 / row.p99[k])), std::log(2.1)) << theta[k] << ' ' << e[k].p99;
  }
  if (first_angle == 2) return;
  const double slope = std::log(e[2].p50 / e[first_angle].p50) / std::log(0.75 / theta[first_angle]);
  EXPECT_LE(std::abs(slope - (row.order == 1 ? 2.8 : 3.85)), 0.4) << slope;
}

/// In single precision bodies within a leaf have errors of 2^-24 of it, and sums of some thousand terms 1e-6.
constexpr double rounding = 1e-5;

}  // namespace

TEST_F(CudaBarnesHut, HasTheKnownErrorsOfMonopoles) {
  has_the_errors_of(
      {.order = 1, .p50 = {3.6e-4, 1.5e-3, 4.7e-3, 1.1e-2}, .p99 = {1.4e-3, 6.6e-3, 2.7e-2, 7.2e-2}});
}
TEST_F(CudaBarnesHut, HasTheKnownErrorsOfQuadrupoles) {
  has_the_errors_of(
      {.order = 2, .p50 = {7.0e-5, 4.6e-4, 2.3e-3, 7.8e-3}, .p99 = {2.5e-4, 2.0e-3, 1.3e-2, 4.6e-2}});
}

TEST_F(CudaBarnesHut, KeepsItsPromiseInEveryOrderForEveryCriterionAndAnySoftening) {
  const auto bodies = rounded(plummer(test::emulated_size(1500, 600)));
  const double theta = 0.6;
  // From far below the distance of neighbours to far above the whole system.
  for (const double eps : {0.0, 1e-2, 0.1, 30.0}) {
    const auto right = exact(bodies, eps, 400);
    for (const auto mac : {Mac::spheres, Mac::sides}) {
      double before = std::numeric_limits<double>::infinity();
      for (const int order : orders_of_gpu) {
        const TreeSettings s{.order = order, .mac = mac, .theta = theta, .leaf_size = 16};
        SCOPED_TRACE(testing::Message() << text_of(s) << ", eps = " << eps);
        const auto e = errors<double>(on_gpu<Mixed>(s, bodies, eps), right);
        // As on the CPU.
        const double promised = tree::promised_error(theta, order + 1, 0) + 1e-6;
        EXPECT_EQ(e.not_finite, 0u);
        EXPECT_LE(e.share, 15 * promised);
        if (eps <= 0.1) {
          EXPECT_LE(e.p50, promised);
          EXPECT_LE(e.p99, 10 * promised);
          EXPECT_LE(e.potential, 10 * promised);
        }
        EXPECT_LE(e.p50, 1.2 * theta * before + 1e-6);
        before = e.p50;
      }
    }
  }
}

/// The tree is that of the CPU; groups are others, so that single bodies see cells opened that others do not.
TEST_F(CudaBarnesHut, IsAsAccurateAsOnTheCpuInEverySceneAndOrder) {
  for (const auto& s : scenes()) {
    const auto bodies = rounded(s.make(test::emulated_size(700, 350)));
    const auto right = exact(bodies, s.eps, 200);
    for (const int order : orders_of_gpu)
      for (const auto mac : {Mac::spheres, Mac::sides, Mac::classic}) {
        if (order != 2 && mac != Mac::spheres) continue;
        TreeSettings t{.solver = Solver::barnes_hut,
                       .order = order,
                       .mac = mac,
                       .theta = 0.6,
                       .leaf_size = 16,
                       .group = 1};
        SCOPED_TRACE(testing::Message() << s.name << ", " << text_of(t));
        const auto cpu = errors<double>(solve<Mixed>(t, bodies, s.eps), right);
        const auto expect = [&](const Errors& e) {
          EXPECT_EQ(e.not_finite, 0u);
          EXPECT_LE(e.p50, 1.1 * cpu.p50 + rounding);
          EXPECT_LE(e.p99, 1.1 * cpu.p99 + 10 * rounding);
          EXPECT_LE(e.max, 1.1 * cpu.max + 100 * rounding);
          EXPECT_LE(e.potential, 1.1 * cpu.potential + rounding);
        };
        expect(errors<double>(on_gpu<Mixed>(t, bodies, s.eps), right));
        if (order != 2) continue;
        // Bodies of a group have every cell at least as far away.
        t.group = 32;
        expect(errors<float>(on_gpu<F32>(t, bodies, s.eps), right));
      }
  }
}

/// On the CPU the MAC knows the moments, here it takes typical ones: that shifts what a tolerance
/// means; a pull that was wrong by a hundred would shift errors by more.
TEST_F(CudaBarnesHut, AcceptsCellsByTheirErrorsAsTheCpuDoes) {
  for (const auto& s : scenes()) {
    const auto bodies = rounded(s.make(test::emulated_size(1500, 600)));
    const auto right = exact(bodies, s.eps, 300);
    for (const int order : orders_of_gpu) {
      double before = std::numeric_limits<double>::infinity();
      for (const double tolerance : {1e-2, 1e-3}) {
        const TreeSettings t{.solver = Solver::barnes_hut,
                             .order = order,
                             .mac = Mac::error,
                             .tolerance = tolerance,
                             .leaf_size = 16,
                             .group = 32};
        SCOPED_TRACE(testing::Message() << s.name << ", " << text_of(t));
        const auto e = errors<float>(on_gpu<F32>(t, bodies, s.eps), right),
                   cpu = errors<float>(solve<F32>(t, bodies, s.eps), right);
        EXPECT_EQ(e.not_finite, 0u);
        EXPECT_LE(e.p50, 8 * cpu.p50 + 1e-6);
        EXPECT_LE(e.p99, 20 * cpu.p99 + rounding);  // of 300 bodies: the third worst
        // As on the CPU: some hundred cells pull on a body.
        EXPECT_LE(e.p99, 60 * tolerance);
        EXPECT_LE(e.p50, before);
        before = e.p50;
      }
    }
  }
}

/// Bodies of a group have every cell at least as far away as each by itself on the CPU.
TEST_F(CudaBarnesHut, IsAsAccurateForAnySizeOfGroupsAndLeaves) {
  const auto bodies = rounded(plummer(test::emulated_size(1200, 500)));
  const auto right = exact(bodies, 1e-3, 300);
  for (const int leaf : {1, 8, 100, 4096}) {
    TreeSettings s{.solver = Solver::barnes_hut, .order = 2, .theta = 0.5, .leaf_size = leaf, .group = 1};
    const auto cpu = errors<float>(solve<F32>(s, bodies, 1e-3), right);
    for (const int group : {1, 7, 32, 64, 127}) {
      s.group = group;
      const auto e = errors<float>(on_gpu<F32>(s, bodies, 1e-3), right);
      EXPECT_EQ(e.not_finite, 0u);
      EXPECT_LE(e.p99, 1.1 * cpu.p99 + rounding) << text_of(s);
      EXPECT_LE(e.potential, 1.1 * cpu.potential + rounding) << text_of(s);
    }
  }
}

TEST_F(CudaBarnesHut, ConservesMomentumBetterThanItsForces) {
  const auto bodies = rounded(plummer(4000));
  const auto right = exact(bodies, 0, 400);
  const auto sums = on_gpu<F32>(classic(1, 0.75), bodies, 0, false);
  EXPECT_LE(unbalanced(bodies, sums), errors<float>(sums, right).p50);
}

TEST_F(CudaBarnesHut, NeverTakesTheCellOfABodyAsAWhole) {
  // See BarnesHut.NeverTakesTheCellOfABodyAsAWhole.
  Masses bodies;
  for (int k = 0; k < 100; ++k) bodies.push_back({0.98 + 1e-4 * k, 0.98, 0.98, 1});
  bodies.push_back({-0.99, -0.99, -0.99, 1e-6});
  bodies.push_back({-0.99, -0.985, -0.99, 1e-6});
  const auto right = exact(bodies, 0, bodies.size());
  const auto sums =
      on_gpu<Mixed>({.order = 1, .mac = Mac::classic, .theta = 2, .leaf_size = 1, .group = 1}, bodies, 0);
  for (const std::size_t i : {100u, 101u})  // their own pull on each other is 0.04 of 8.6
    EXPECT_LE(norm(sums[i].xyz() - right[i].sum.xyz()), 0.01 * norm(right[i].sum.xyz()));
}

TEST_F(CudaBarnesHut, IsExactForFewBodies) {
  expect_exact_for_few([]<class P>(const Masses& bodies, double eps) {
    return on_gpu<P>({.order = 2, .leaf_size = 300, .group = 64}, bodies, eps);
  });
}

TEST_F(CudaBarnesHut, IsAsExactAsItsNumbers) {
  // What is left out at theta = 0.1 and order 3 is 1e-4 * 1e-2 at most: rounding remains.
  const auto bodies = rounded(plummer(1500));
  const auto right = exact(bodies, 0.01, 300);
  for_precisions([&]<class P>(P) {
    const auto e =
        errors<typename P::Sum>(on_gpu<P>({.order = 3, .theta = 0.1, .leaf_size = 8}, bodies, 0.01), right);
    EXPECT_LE(e.p99, 5e-6) << name<P>();
  });
}

TEST_F(CudaBarnesHut, KnowsNoBodyOneBodyAndTwo) {
  for (const int order : orders_of_gpu)
    for_precisions([&]<class P>(P) {
      const auto solver = gpu_solver<P>({.order = order, .leaf_size = 1});
      EXPECT_TRUE(evaluate<P>(*solver, {}, 0).empty());
      for (const double eps : {0.0, 0.5}) {
        const auto one = evaluate<P>(*solver, Masses{{1, 2, 3, 4}}, eps);
        EXPECT_EQ(norm(one[0].xyz()), 0);
        EXPECT_EQ(one[0].w, 0);
      }
      const auto two = evaluate<P>(*solver, Masses{{1, 0, 0, 3}, {3, 0, 0, 1}}, 0);
      EXPECT_NEAR(two[0].x, 0.25, 1e-6);
      EXPECT_NEAR(two[1].x, -0.75, 1e-6);
      EXPECT_NEAR(two[0].w, -0.5, 1e-6);
      EXPECT_NEAR(two[1].w, -1.5, 1e-6);
    });
}

TEST_F(CudaBarnesHut, BearsBodiesAtOnePlaceAndOthersBesideThem) {
  // More than a group may have.
  auto bodies = rounded(plummer(300));
  for (std::size_t i = 0; i < 200; ++i) bodies[i] = {0.25, -0.5, 0.125, 0.01};
  for (const double eps : {0.0, 0.1}) {
    const auto right = exact(bodies, eps, bodies.size());
    for (const int order : orders_of_gpu)
      for (const int group : {5, 64})
        for_precisions([&]<class P>(P) {
          TreeSettings s{
              .solver = Solver::barnes_hut, .order = order, .theta = 0.5, .leaf_size = 8, .group = 1};
          const auto cpu = errors<typename P::Sum>(solve<P>(s, bodies, eps), right);
          s.group = group;
          const auto e = errors<typename P::Sum>(on_gpu<P>(s, bodies, eps), right);
          EXPECT_EQ(e.not_finite, 0u);
          EXPECT_LE(e.p99, 1.1 * cpu.p99 + rounding) << text_of(s) << ' ' << name<P>();
          EXPECT_LE(e.potential, 1.1 * cpu.potential + rounding) << text_of(s) << ' ' << eps;
        });
  }
  const Masses all_there(1000, {0.25, -0.5, 1, 1e-3});
  for (const auto& s : on_gpu<F32>({.order = 2, .group = 64}, all_there, 0.1)) ASSERT_EQ(norm(s.xyz()), 0);
}

TEST_F(CudaBarnesHut, BearsAFarOutlier) {
  auto bodies = plummer(1000);
  bodies.push_back({1e6, 0, 0, 1e-3});
  bodies = rounded(bodies);
  const auto right = exact(bodies, 0, 500);
  for (const auto mac : {Mac::spheres, Mac::sides, Mac::error}) {
    const TreeSettings s{
        .order = 3, .mac = mac, .theta = 0.5, .tolerance = 1e-3, .leaf_size = 16, .group = 32};
    const auto sums = on_gpu<Mixed>(s, bodies, 0);
    const auto e = errors<double>(sums, right);
    EXPECT_EQ(e.not_finite, 0u);
    EXPECT_LE(e.p99, 10 * tree::promised_error(0.5, 4, 0)) << text_of(s);
    EXPECT_LE(std::abs(sums.back().x * 1e12 + 1), 1e-4) << text_of(s);
  }
}

TEST_F(CudaBarnesHut, SameBitsAgainAfterAnotherProblemWithOrWithoutThePotential) {
  const auto bodies = scene("clumps").make(1500);
  for (const auto mac : {Mac::sides, Mac::error})
    for_precisions([&]<class P>(P) {
      const TreeSettings s{
          .order = 2, .mac = mac, .theta = 0.6, .tolerance = 1e-2, .leaf_size = 16, .group = 48};
      const auto solver = gpu_solver<P>(s);
      const auto first = expect_same_bits_again<P>(*solver, bodies);
      const auto cramped = gpu_solver<P>(s, {0, 0});
      EXPECT_TRUE(same_bits(evaluate<P>(*cramped, bodies, 0.02), first)) << name<P>() << ", with little room";
    });
}

TEST_F(CudaBarnesHut, BodiesThatAreNowhereGiveNoNumbers) {
  expect_no_numbers_from_nowhere([](const Masses& bodies) { return on_gpu<F32>({.order = 2}, bodies, 0.1); });
}

TEST_F(CudaBarnesHut, RefusesWhatItDoesNotHave) {
  for (const TreeSettings& s :
       {TreeSettings{.order = 4}, TreeSettings{.order = 0},
        TreeSettings{.structure = Structure::kd, .order = 2}, TreeSettings{.order = 2, .wide = true},
        TreeSettings{.order = 2, .group = 129}})
    EXPECT_THROW(gpu_solver<F32>(s), UsageError) << text_of(s);
}

TEST_F(CudaBarnesHut, CountsWhatTheCpuCounts) {
  const auto bodies = rounded(scene("clumps").make(2000));
  const TreeSettings s{
      .solver = Solver::barnes_hut, .order = 1, .mac = Mac::sides, .theta = 0.6, .leaf_size = 16, .group = 1};
  const auto gpu = gpu_solver<F32>(s);
  const auto cpu = make_tree_solver<F32>(s);
  evaluate<F32>(*gpu, bodies, 0.02), evaluate<F32>(*cpu, bodies, 0.02);
  const auto &a = gpu->work(), &b = cpu->work();
  EXPECT_EQ(a.cells, b.cells);
  EXPECT_EQ(a.leaves, b.leaves);
  EXPECT_EQ(a.depth, b.depth);
  // MACs in single and in double precision may differ at the edge; and what a single body shows itself is
  // a pair here and may be a cell there.
  EXPECT_NEAR(a.pairs + a.cell_pairs, b.pairs + b.cell_pairs, 1e-2 * (b.pairs + b.cell_pairs));
  EXPECT_GT(a.tests, 0);
}
