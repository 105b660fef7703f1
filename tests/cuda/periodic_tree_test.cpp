/// Trees on the GPU, or on its emulation, in a periodic box whose images all pull:
/// against Ewald's sums in double precision and the tree of the CPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/tree_checks.hpp"
#include "unit/tree/periodic.hpp"

#include <functional>
#include <utility>

using namespace pleiad;
using namespace pleiad::tree_test;
using namespace pleiad::tree_test::boxed;

namespace {

using CudaPeriodicTree = Gpu;

/// The sums are poisoned before, so that a body left out is a NaN.
template <class P>
Sums<P> sums_of(ForceSolver<P>& solver, const Boundary& boundary, const Masses& bodies, double eps,
                bool potential = true) {
  constexpr auto nan = std::numeric_limits<typename P::Sum>::quiet_NaN();
  const auto own = as<typename P::Position>(bodies);
  Sums<P> sums(bodies.size(), {nan, nan, nan, nan});
  solver.evaluate({.targets = own,
                   .sources = own,
                   .sums = sums,
                   .softening = {eps},
                   .boundary = boundary,
                   .potential = potential});
  return sums;
}
template <class P>
Sums<P> on_gpu(const Boundary& boundary, const TreeSettings& settings, const Masses& bodies, double eps) {
  const auto solver = solver_on_gpu<P>(settings);
  return sums_of<P>(*solver, boundary, bodies, eps);
}
template <class P>
Sums<P> on_cpu(const Boundary& boundary, const TreeSettings& settings, const Masses& bodies, double eps) {
  const auto solver = make_tree_solver<P>(settings);
  return sums_of<P>(*solver, boundary, bodies, eps);
}

/// Into a box with these sides, in single precision.
Masses in(const Boundary& boundary, Masses bodies) {
  const auto& l = boundary.length;
  for (auto& b : bodies) b.x *= l.x, b.y *= l.y, b.z *= l.z;
  return rounded(std::move(bodies));
}

struct Set {
  const char* name;
  std::function<Masses(std::size_t)> make;
};
std::vector<Set> sets() {
  const auto side_of = [](std::size_t n) { return std::max(1, int(std::cbrt(double(n)) + 1e-9)); };
  return {{"uniform", uniform}, {"clumps", clumps}, {"walls", at_the_walls}, {"young", [=](std::size_t n) {
                                                                                return young(side_of(n));
                                                                              }}};
}

/// As accurate as on the CPU, where cells, the MAC and the operators are the same: pairs of cells at the very
/// edge of the MAC may differ. Roundings are of single precision: of pulls, of which 6 M / L^2 cancel in a
/// uniform box, and of separations, which close neighbours see magnified.
template <class P>
void expect_accurate(const Boundary& boundary, const TreeSettings& s, const Masses& bodies,
                     const Sums<F64>& right, double eps) {
  SCOPED_TRACE(testing::Message() << name<P>() << ", N = " << bodies.size() << ", " << text_of(s)
                                  << ", eps = " << eps);
  const auto e = wrong(on_gpu<P>(boundary, s, bodies, eps), right),
             cpu = wrong(on_cpu<P>(boundary, s, bodies, eps), right);
  const double shortest = std::min({boundary.length.x, boundary.length.y, boundary.length.z});
  double largest = 0, deepest = 0;
  for (const auto& r : right)
    largest = std::max(largest, norm(r.xyz())), deepest = std::max(deepest, std::abs(r.w));
  // Groups that walk are not the CPU's.
  const double edge = s.solver == Solver::fmm ? 1.2 : 2, rounding = 2e-6;
  EXPECT_LE(e.pull, edge * cpu.pull + 10 * rounding * largest + rounding / (shortest * shortest));
  EXPECT_LE(e.potential, edge * cpu.potential + rounding * (deepest + 1 / shortest));
  double net = 0;
  std::vector<double> pulls;
  for (const auto& r : right) pulls.push_back(norm(r.xyz()));
  std::sort(pulls.begin(), pulls.end());
  net = pulls[pulls.size() / 2];
  if (bodies.size() >= 100) {
    EXPECT_LE(e.p99, edge * cpu.p99 + 10 * rounding * (1 + 1 / (net * shortest * shortest)));
  }
}

const TreeSettings multipoles{.order = 5, .theta = 0.5, .leaf_size = 16};
const TreeSettings by_error{.order = 5, .mac = Mac::error, .tolerance = 1e-3, .leaf_size = 16};
const TreeSettings walks{
    .solver = Solver::barnes_hut, .order = 2, .theta = 0.4, .leaf_size = 16, .group = 32};
const TreeSettings walks_by_error{.solver = Solver::barnes_hut,
                                  .order = 2,
                                  .mac = Mac::error,
                                  .tolerance = 1e-3,
                                  .leaf_size = 16,
                                  .group = 32};

}  // namespace

TEST_F(CudaPeriodicTree, IsAsAccurateAsOnTheCpuForEverySetAndNumberOfBodies) {
  for (const auto& set : sets())
    for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7},
                                std::size_t{100}, test::emulated_size(std::size_t{3000}, std::size_t{250})}) {
      SCOPED_TRACE(set.name);
      const auto bodies = in(box(), set.make(n));
      const auto right = ewald(box(), bodies, 0.002);
      for (const auto& settings : {multipoles, walks}) {
        expect_accurate<F32>(box(), settings, bodies, right, 0.002);
        expect_accurate<Mixed>(box(), settings, bodies, right, 0.002);
      }
    }
}

TEST_F(CudaPeriodicTree, IsAsAccurateAsOnTheCpuInEveryOrderAndPrecision) {
  for (const auto& set : sets()) {
    SCOPED_TRACE(set.name);
    const auto bodies = in(box(), set.make(test::emulated_size(4096, 343)));
    const auto right = ewald(box(), bodies, 0.002);
    expect_accurate<F32>(box(), {.order = 4, .theta = 0.6, .leaf_size = 12}, bodies, right, 0.002);
    expect_accurate<Mixed>(box(), {.order = 6, .theta = 0.5, .leaf_size = 12}, bodies, right, 0.002);
    for (const int order : {1, 3})
      expect_accurate<Mixed>(
          box(), {.solver = Solver::barnes_hut, .order = order, .theta = 0.5, .leaf_size = 12, .group = 64},
          bodies, right, 0.002);
  }
}

TEST_F(CudaPeriodicTree, TakesOtherBoxesUnitsAndSoftenings) {
  for (const auto& boundary : {box({1, 2, 1.3}), box({3e3, 3e3, 1.5e3}), box({1e-3, 1e-3, 1e-3})}) {
    const auto& l = boundary.length;
    SCOPED_TRACE(testing::Message() << l.x << " x " << l.y << " x " << l.z);
    const auto bodies = in(boundary, clumps(200));
    for (const double part : {0.0, 0.01, 0.3}) {
      const double eps = part * l.x;
      const auto right = ewald(boundary, bodies, eps);
      for (const auto& settings : {multipoles, walks}) {
        expect_accurate<F32>(boundary, settings, bodies, right, eps);
        expect_accurate<Mixed>(boundary, settings, bodies, right, eps);
      }
    }
  }
}

// The root of few bodies at one place is no smaller than a part of the box, whatever the units.
TEST_F(CudaPeriodicTree, TakesBodiesAtOnePlaceInAnyUnits) {
  for (const double side : {1e-12, 1.0, 1e12})
    for (const std::size_t n : {1, 2, 40}) {
      const auto boundary = box({side, side, side});
      Masses bodies(n, {0.25 * side, 0.5 * side, 0, 1});
      for (std::size_t i = 1; i < n; ++i) bodies[i].z = double(float(1e-10 * double(i) * side));
      bodies = rounded(std::move(bodies));
      for_precisions([&]<class P>(P) {
        for (const auto& settings : {multipoles, walks}) {
          const auto right = ewald(boundary, bodies, 0.05 * side);
          const auto w = wrong(on_gpu<P>(boundary, settings, bodies, 0.05 * side), right);
          EXPECT_LE(w.pull, 1e-3 * double(n) / (side * side)) << name<P>() << ", " << n << ", side " << side;
          EXPECT_LE(w.potential, 1e-3 * double(n) / side) << name<P>() << ", " << n << ", side " << side;
        }
      });
    }
}

// On a GPU the criterion takes typical moments, see CudaTree: errors of the size of the CPU's.
TEST_F(CudaPeriodicTree, AcceptsCellsByTheirErrorsAsTheCpuDoes) {
  for (const auto& set : sets()) {
    SCOPED_TRACE(set.name);
    const auto bodies = in(box(), set.make(test::emulated_size(3000, 512)));
    const auto right = ewald(box(), bodies, 0.002);
    for (const auto& settings : {by_error, walks_by_error}) {
      const auto e = wrong(on_gpu<Mixed>(box(), settings, bodies, 0.002), right),
                 cpu = wrong(on_cpu<Mixed>(box(), settings, bodies, 0.002), right);
      EXPECT_LE(e.p99, 20 * cpu.p99 + 1e-5) << text_of(settings);
      EXPECT_LE(e.pull, 20 * cpu.pull + 1e-5) << text_of(settings);
    }
  }
}

// By theta an order at most, 0.6, and by less where typical moments are small; theta to the order of both.
TEST_F(CudaPeriodicTree, ConvergesWithTheOrderAndTheAngle) {
  const auto bodies = in(box(), clumps(test::emulated_size(4000, 1000)));
  const auto right = ewald(box(), bodies, 0.002);
  const auto error = [&](int order, double theta) {
    return wrong(on_gpu<Mixed>(box(), {.order = order, .theta = theta, .leaf_size = 8}, bodies, 0.002), right)
        .p99;
  };
  const double fourth = error(4, 0.6), fifth = error(5, 0.6), sixth = error(6, 0.6), tight = error(6, 0.4);
  EXPECT_LE(fifth, fourth / 1.5);
  EXPECT_LE(sixth, fifth / 1.5);
  EXPECT_LE(tight, sixth / 3);
}

// All by pairs, of 125 images: what is left is the field of the further images; and rounding, of sums of 125
// n numbers, of which those of potentials add up to 60 M / L and those of pulls to 40 M / L^2.
TEST_F(CudaPeriodicTree, OfFewBodiesHasTheErrorOfTheFurtherImages) {
  for (const std::size_t n : {1, 2, 3, 31, 100}) {
    const auto bodies = in(box(), uniform(n));
    for (const double eps : {0.0, 0.05}) {
      const auto right = ewald(box(), bodies, eps);
      double largest = 0;
      for (const auto& r : right) largest = std::max(largest, norm(r.xyz()));
      for_precisions([&]<class P>(P) {
        const double rounding = std::sqrt(125 * double(n)) * 0x1p-24;
        for (const auto solver : {Solver::fmm, Solver::barnes_hut}) {
          const TreeSettings s{
              .solver = solver, .order = solver == Solver::fmm ? 5 : 2, .theta = 0.02, .leaf_size = 300};
          const auto w = wrong(on_gpu<P>(box(), s, bodies, eps), right);
          EXPECT_LE(w.pull, 6e-6 + 1e-5 * largest + 40 * rounding)
              << name<P>() << ", N = " << n << ", eps = " << eps << ", " << text_of(s);
          EXPECT_LE(w.potential, 1e-5 + 60 * rounding)
              << name<P>() << ", N = " << n << ", eps = " << eps << ", " << text_of(s);
        }
      });
    }
  }
}

TEST_F(CudaPeriodicTree, PullsNoLattice) {
  // All pulls cancel, 6 M / L^2 from the box alone; what does not is below 2e-3 of that, as on the CPU.
  for_precisions([&]<class P>(P) {
    for (const auto& settings : {multipoles, walks})
      for (const auto& sum : on_gpu<P>(box(), settings, rounded(lattice(8)), 0.001))
        ASSERT_LE(norm(Vec3<double>{double(sum.x), double(sum.y), double(sum.z)}), 1.2e-2)
            << name<P>() << ", " << text_of(settings);
  });
}

/// Pulls are the same to their errors wherever the walls are.
TEST_F(CudaPeriodicTree, PullsTheSameWhereverTheWallsAre) {
  const auto bodies = in(box(), clumps(600));
  const auto right = ewald(box(), bodies, 0.002);
  const double error = wrong(on_gpu<Mixed>(box(), multipoles, bodies, 0.002), right).p99;
  for (const Vec3<double> by : {Vec3<double>{0.5, 0, 0}, {0.123, 0.456, 0.789}, {-0.3, 0.9, 17}}) {
    auto moved = bodies;
    for (auto& b : moved) b.x += by.x, b.y += by.y, b.z += by.z;
    EXPECT_LE(wrong(on_gpu<Mixed>(box(), multipoles, moved, 0.002), right).p99, 2 * error + 1e-5)
        << by.x << " " << by.y << " " << by.z;
  }
}

TEST_F(CudaPeriodicTree, WrapsBodiesThatAreInOtherImages) {
  auto bodies = clumps(300);
  // On a grid, so that a box more or less is exact.
  for (auto& b : bodies)
    for (double* x : {&b.x, &b.y, &b.z}) *x = std::floor(*x * 0x1p20) * 0x1p-20;
  auto elsewhere = bodies;
  for (std::size_t i = 0; i < bodies.size(); i += 3) elsewhere[i].x += 2, elsewhere[i].y -= 1;
  for_precisions([&]<class P>(P) {
    for (const auto& settings : {multipoles, walks})
      EXPECT_TRUE(
          same_bits(on_gpu<P>(box(), settings, elsewhere, 0.002), on_gpu<P>(box(), settings, bodies, 0.002)))
          << name<P>() << ", " << text_of(settings);
  });
}

// The softening is so large that roundings of separations, 2^-25 of a leaf, are no part of a pull.
TEST_F(CudaPeriodicTree, MomentumIsKeptToRounding) {
  for (const auto& set : sets()) {
    const auto bodies = in(box(), set.make(512));
    for_precisions([&]<class P>(P) {
      const auto sums = on_gpu<P>(box(), multipoles, bodies, 0.05);
      Vec3<double> all{};
      double size = 0;  // of pulls that cancel, 6 M / L^2 and more
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec3<double> pull{double(sums[i].x), double(sums[i].y), double(sums[i].z)};
        all += bodies[i].m * pull, size += bodies[i].m * std::max(norm(pull), 6.0);
      }
      EXPECT_LE(norm(all), 1e-6 * size) << set.name << ", " << name<P>();
    });
  }
}

TEST_F(CudaPeriodicTree, SameBitsAgainAfterOtherSpacesAndInSlices) {
  const auto bodies = clumps(400);
  for (const auto& settings : {multipoles, by_error, walks, walks_by_error})
    for_precisions([&]<class P>(P) {
      const auto solver = solver_on_gpu<P>(settings);
      const auto first = sums_of<P>(*solver, box(), bodies, 0.002);
      EXPECT_TRUE(same_bits(sums_of<P>(*solver, box(), bodies, 0.002), first)) << name<P>() << ", again";
      const auto open = sums_of<P>(*solver, {}, bodies, 0.002);
      EXPECT_TRUE(same_bits(open, sums_of<P>(*solver_on_gpu<P>(settings), {}, bodies, 0.002)))
          << name<P>() << ", in open space";
      sums_of<P>(*solver, box({1, 1.5, 1}), uniform(200), 0.1);
      EXPECT_TRUE(same_bits(sums_of<P>(*solver, box(), bodies, 0.002), first))
          << name<P>() << ", after others";
      auto with = first;
      for (auto& sum : with) sum.w = 0;
      EXPECT_TRUE(same_bits(sums_of<P>(*solver, box(), bodies, 0.002, false), with))
          << name<P>() << ", without the potential";
      const auto slices = solver_on_gpu<P>(settings, {.cells = 0.1, .chunks = 0.01, .slice = 60});
      EXPECT_TRUE(same_bits(sums_of<P>(*slices, box(), bodies, 0.002), first)) << name<P>() << ", in slices";
    });
}

TEST_F(CudaPeriodicTree, BodiesThatAreNowhereGiveNoNumbers) {
  expect_no_numbers_from_nowhere([](const Masses& bodies) { return on_gpu<F32>(box(), {}, bodies, 0.1); });
}

TEST_F(CudaPeriodicTree, CountsWhatTheCpuCounts) {
  const auto bodies = in(box(), clumps(1500));
  const auto gpu = solver_on_gpu<F32>(multipoles);
  const auto cpu = make_tree_solver<F32>(multipoles);
  sums_of<F32>(*gpu, box(), bodies, 0.02), sums_of<F32>(*cpu, box(), bodies, 0.02);
  const auto &a = gpu->work(), &b = cpu->work();
  EXPECT_EQ(a.cells, b.cells);
  EXPECT_EQ(a.leaves, b.leaves);
  // MACs in single and in double precision may differ at the edge.
  EXPECT_NEAR(a.pairs, b.pairs, 1e-2 * b.pairs);
  EXPECT_NEAR(a.cell_pairs, b.cell_pairs, 1e-2 * b.cell_pairs);
}

TEST_F(CudaPeriodicTree, RefusesWhatItCannotDo) {
  const auto bodies = uniform(10);
  for (const auto& [boundary, what] : {std::pair{Boundary{.periodic = true}, "gravity.images = \"all\""},
                                       {box({1, 1, 3}), "factor of 2"},
                                       {box({1, 1, 0}), "three sides"}})
    for (int again = 0; again < 2; ++again) {
      std::string message = "accepted";
      try {
        on_gpu<Mixed>(boundary, {}, bodies, 0);
      } catch (const UsageError& e) {
        message = e.what();
      }
      EXPECT_NE(message.find(what), std::string::npos) << message;
    }
}
