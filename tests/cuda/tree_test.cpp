/// The fast multipole method on the GPU, or on its emulation, against direct sums.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/tree_checks.hpp"

using namespace pleiad;
using namespace pleiad::tree_test;

namespace {

using CudaTree = Gpu;

constexpr std::array orders_of_gpu{4, 5, 6};

template <class P>
Sums<P> on_gpu(const TreeSettings& settings, std::span<const Mass<double>> bodies, double eps,
               bool potential = true) {
  const auto solver = solver_on_gpu<P>(settings);
  return evaluate<P>(*solver, bodies, eps, potential);
}

/// As accurate as on the CPU, where the tree, the MAC and the operators are the same: pairs of cells at
/// the very edge of the MAC may differ, and roundings are of single precision: separations have errors
/// of 2^-24 of a leaf, which close neighbours see magnified.
template <class P>
void expect_accurate(const TreeSettings& s, std::span<const Mass<double>> bodies,
                     std::span<const Exact> right, double eps) {
  SCOPED_TRACE(testing::Message() << name<P>() << ", N = " << bodies.size() << ", " << text_of(s)
                                  << ", eps = " << eps);
  using Sum = typename P::Sum;
  const auto e = errors<Sum>(on_gpu<P>(s, bodies, eps), right),
             cpu = errors<Sum>(solve<P>(s, bodies, eps), right);
  constexpr double rounding = 1e-6, edge = 1.1;
  EXPECT_EQ(e.not_finite, 0u);
  EXPECT_LE(e.p50, edge * cpu.p50 + rounding);
  EXPECT_LE(e.p99, edge * cpu.p99 + 10 * rounding);
  EXPECT_LE(e.max, edge * cpu.max + 100 * rounding);
  EXPECT_LE(e.potential, edge * cpu.potential + rounding);
}

}  // namespace

TEST_F(CudaTree, IsAsAccurateAsOnTheCpuInEverySceneAndOrder) {
  for (const auto& s : scenes()) {
    SCOPED_TRACE(s.name);
    const auto bodies = rounded(s.make(test::emulated_size(1200, 500)));
    const auto right = exact(bodies, s.eps, 300);
    for (const int order : orders_of_gpu)
      expect_accurate<F32>({.order = order, .theta = 0.6, .leaf_size = 16}, bodies, right, s.eps);
    expect_accurate<Mixed>({.order = 5, .theta = 0.6, .leaf_size = 16}, bodies, right, s.eps);
  }
}

TEST_F(CudaTree, IsAsAccurateAsOnTheCpuFromNoSofteningToMoreThanTheSystem) {
  for (const char* which : {"plummer", "clumps", "sheet"}) {
    SCOPED_TRACE(which);
    const auto bodies = rounded(scene(which).make(test::emulated_size(1500, 600)));
    for (const double eps : {0.0, 1e-3, 1e-2, 0.1, 10.0})
      expect_accurate<F32>({.order = 5, .theta = 0.6, .leaf_size = 16}, bodies, exact(bodies, eps, 300), eps);
  }
}

/// On the CPU the MAC knows the moments, here it takes typical ones: that shifts what a tolerance
/// means, most where heavy bodies are few; a pull that was wrong by a hundred would shift errors by more.
TEST_F(CudaTree, AcceptsCellsByTheirErrorsAsTheCpuDoes) {
  for (const auto& s : scenes()) {
    SCOPED_TRACE(s.name);
    const auto bodies = rounded(s.make(test::emulated_size(3000, 600)));
    const auto right = exact(bodies, s.eps, 300);
    for (const int order : orders_of_gpu)
      for (const double tolerance : {0.3, 0.01}) {
        const TreeSettings settings{
            .order = order, .mac = Mac::error, .tolerance = tolerance, .leaf_size = 16};
        SCOPED_TRACE(text_of(settings));
        const auto e = errors<float>(on_gpu<F32>(settings, bodies, s.eps), right),
                   cpu = errors<float>(solve<F32>(settings, bodies, s.eps), right);
        EXPECT_EQ(e.not_finite, 0u);
        EXPECT_LE(e.p50, 8 * cpu.p50 + 1e-6);
        EXPECT_LE(e.p99, 20 * cpu.p99 + 1e-5);  // of 300 bodies: the third worst
      }
  }
}

TEST_F(CudaTree, TakesFewerCellsAsFarWhenLessErrorIsTolerated) {
  const auto bodies = rounded(scene("plummer").make(test::emulated_size(4000, 2000)));
  const auto right = exact(bodies, 0.01, 300);
  double last = 1, last_pairs = 0;
  for (const double tolerance : {0.9, 0.1, 0.01, 0.001}) {
    const auto solver =
        solver_on_gpu<F32>({.order = 5, .mac = Mac::error, .tolerance = tolerance, .leaf_size = 16});
    const auto e = errors<float>(evaluate<F32>(*solver, bodies, 0.01, false), right);
    EXPECT_LT(e.p50, last) << tolerance;
    EXPECT_GT(solver->work().pairs, last_pairs) << tolerance;
    last = e.p50, last_pairs = solver->work().pairs;
  }
  EXPECT_LE(last, 0.001 / 30);  // the tolerance bounds the error of a pair; half of all errors are far below
}

TEST_F(CudaTree, IsExactForFewBodies) {
  expect_exact_for_few(
      []<class P>(const Masses& bodies, double eps) { return on_gpu<P>({.leaf_size = 300}, bodies, eps); });
}

TEST_F(CudaTree, NoBodiesAndOneAreNoTrouble) {
  for_precisions([&]<class P>(P) {
    const auto solver = solver_on_gpu<P>({});
    EXPECT_TRUE(evaluate<P>(*solver, {}, 0).empty());
    const auto sums = evaluate<P>(*solver, Masses{{1, 2, 3, 4}}, 0);
    EXPECT_EQ(norm(sums[0].xyz()), 0);
    EXPECT_EQ(sums[0].w, 0);
    EXPECT_EQ(evaluate<P>(*solver, Masses{{1, 2, 3, 4}}, 0.5)[0].w, 0);  // not even softened
  });
}

TEST_F(CudaTree, BodiesAtOnePlaceDoNotPullOnEachOther) {
  // More than a tile, so that a leaf that cannot be divided has several.
  auto bodies = rounded(plummer(300));
  for (std::size_t i = 0; i < 200; ++i) bodies[i] = {0.25, -0.5, 0.125, 0.01};
  for (const double eps : {0.0, 0.1}) {
    const auto right = exact(bodies, eps, bodies.size());
    expect_accurate<F32>({.theta = 0.5, .leaf_size = 8}, bodies, right, eps);
    expect_accurate<Mixed>({.theta = 0.5, .leaf_size = 8}, bodies, right, eps);
  }
}

TEST_F(CudaTree, SharesLeavesThatAreNearToManyAmongWarps) {
  // Next to nothing is distant enough, so that these are direct sums, of leaves near to more than 256 and
  // more than 1024 others.
  const auto test = [&]<class P>(P, std::size_t n) {
    auto bodies = rounded(random_cube(n, 1));
    for (std::size_t i = 0; i < 70; ++i) bodies[i] = bodies[0];
    const auto e = errors<typename P::Sum>(on_gpu<P>({.theta = 0.01, .leaf_size = 1}, bodies, 0.01),
                                           exact(bodies, 0.01, n));
    EXPECT_EQ(e.not_finite, 0u);
    EXPECT_LE(e.share, 1e-5) << name<P>() << ", N = " << n;  // as for few bodies
    EXPECT_LE(e.potential, 1e-5) << name<P>() << ", N = " << n;
  };
  test(Mixed{}, 400), test(F32{}, 1100);
}

TEST_F(CudaTree, SameBitsAgainAfterAnotherProblemWithOrWithoutThePotential) {
  const auto bodies = scene("clumps").make(1500);
  for_precisions([&]<class P>(P) {
    expect_same_bits_again<P>(*solver_on_gpu<P>({.theta = 0.6, .leaf_size = 16}), bodies);
  });
}

TEST_F(CudaTree, FindsRoomHoweverLittleThereWasAtFirst) {
  const auto bodies = scene("clumps").make(1500);
  const TreeSettings s{.theta = 0.5, .leaf_size = 16};
  const auto right = on_gpu<F32>(s, bodies, 0.02);
  for (const cuda::tree::FirstRoom room : {cuda::tree::FirstRoom{0, 0}, {0.1, 0.5}}) {
    const auto solver = solver_on_gpu<F32>(s, room);
    EXPECT_TRUE(same_bits(evaluate<F32>(*solver, bodies, 0.02), right));
    EXPECT_TRUE(same_bits(evaluate<F32>(*solver, bodies, 0.02), right)) << "with the room that was found";
  }
}

TEST_F(CudaTree, ListsInSlicesGiveTheSameBitsAndTheSameWork) {
  const auto bodies = rounded(scene("clumps").make(900));
  for (const TreeSettings& s :
       {TreeSettings{.theta = 0.6, .leaf_size = 16},
        TreeSettings{.order = 5, .mac = Mac::error, .tolerance = 0.5, .leaf_size = 40}}) {
    const cuda::tree::FirstRoom whole{.slice = 900};
    const auto at_once = solver_on_gpu<F32>(s, whole);
    const auto right = evaluate<F32>(*at_once, bodies, 0.3);
    const auto expected = at_once->work();
    EXPECT_GT(expected.softened_cell_pairs, 0);
    // With little room slices ask for more by themselves.
    for (const cuda::tree::FirstRoom room :
         {cuda::tree::FirstRoom{.slice = 899}, {.slice = 100, .scarce = false}, {0.1, 0.01, 23}}) {
      const auto solver = solver_on_gpu<F32>(s, room);
      for (int again = 0; again < 2; ++again)
        EXPECT_TRUE(same_bits(evaluate<F32>(*solver, bodies, 0.3), right)) << room.slice;
      const auto work = solver->work();
      EXPECT_EQ(work.leaves, expected.leaves) << room.slice;
      EXPECT_EQ(work.pairs, expected.pairs) << room.slice;
      // Cells of several slices find their fields in each.
      EXPECT_GE(work.cell_pairs, expected.cell_pairs) << room.slice;
      EXPECT_LE(work.bytes, expected.bytes) << room.slice;
    }
  }
}

TEST_F(CudaTree, MomentumIsKeptToRounding) {
  for (const auto& s : scenes()) {
    const auto bodies = rounded(s.make(test::emulated_size(1500, 600)));
    for_precisions([&]<class P>(P) {
      // As one-sided direct sums in single precision.
      EXPECT_LE(unbalanced(bodies, on_gpu<P>({.theta = 0.8, .leaf_size = 16}, bodies, s.eps)), 1e-6)
          << s.name << ", " << name<P>();
    });
  }
}

TEST_F(CudaTree, BodiesThatAreNowhereGiveNoNumbers) {
  expect_no_numbers_from_nowhere([](const Masses& bodies) { return on_gpu<F32>({}, bodies, 0.1); });
}

TEST_F(CudaTree, RefusesWhatItDoesNotHave) {
  for (const TreeSettings& s : {TreeSettings{.order = 8}, TreeSettings{.order = 3},
                                TreeSettings{.mac = Mac::sides}, TreeSettings{.wide = true}})
    EXPECT_THROW(solver_on_gpu<F32>(s), UsageError) << text_of(s);
}

TEST_F(CudaTree, CountsWhatTheCpuCounts) {
  const auto bodies = rounded(scene("clumps").make(2000));
  const TreeSettings s{.theta = 0.6, .leaf_size = 16};
  const auto gpu = solver_on_gpu<F32>(s);
  const auto cpu = make_tree_solver<F32>(s);
  evaluate<F32>(*gpu, bodies, 0.02), evaluate<F32>(*cpu, bodies, 0.02);
  const auto &a = gpu->work(), &b = cpu->work();
  EXPECT_EQ(a.cells, b.cells);
  EXPECT_EQ(a.leaves, b.leaves);
  EXPECT_EQ(a.depth, b.depth);
  // MACs in single and in double precision may differ at the edge.
  EXPECT_NEAR(a.pairs, b.pairs, 1e-3 * b.pairs);
  EXPECT_NEAR(a.cell_pairs, b.cell_pairs, 1e-3 * b.cell_pairs);
  EXPECT_NEAR(a.softened_cell_pairs, b.softened_cell_pairs, 1e-3 * b.softened_cell_pairs);
}
