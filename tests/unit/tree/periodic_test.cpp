/// Trees in a periodic box whose images all pull, against Ewald's sums in double precision (cpu/ewald, which
/// is compared with the oracle elsewhere).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "periodic.hpp"

#include "core/threads.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace pleiad;
using namespace pleiad::tree_test;
using namespace pleiad::tree_test::boxed;

namespace {

template <class P>
Sums<P> solve_in(const Boundary& boundary, const TreeSettings& settings, const Masses& bodies, double eps) {
  const auto own = as<typename P::Position>(bodies);
  Sums<P> sums(bodies.size());
  make_tree_solver<P>(settings)->evaluate({.targets = own,
                                           .sources = own,
                                           .sums = sums,
                                           .softening = {eps},
                                           .boundary = boundary,
                                           .potential = true});
  return sums;
}

const TreeSettings multipoles{.solver = Solver::fmm, .order = 5, .theta = 0.5};
const TreeSettings by_error{.solver = Solver::fmm, .order = 5, .mac = Mac::error, .tolerance = 1e-3};
const TreeSettings walks{.solver = Solver::barnes_hut, .order = 4, .theta = 0.5};

class PeriodicTree : public testing::Test {
 protected:
  void TearDown() override { set_threads(0); }
};

}  // namespace

// In a uniform box the pull is what is left when those of all directions, 6 M / L^2 from the box alone,
// cancel: 0.1 M / L^2 for 8000 bodies. The settings leave some 1e-4 of what does not cancel.
TEST_F(PeriodicTree, AgreesWithEwaldsSumsInAUniformBox) {
  const auto bodies = uniform(8000);
  const auto right = ewald(box(), bodies, 0.002);
  for (const auto& settings : {multipoles, by_error, walks})
    for (const auto structure : {Structure::octree, Structure::kd, Structure::bvh}) {
      auto s = settings;
      s.structure = structure;
      EXPECT_LE(wrong(solve_in<Mixed>(box(), s, bodies, 0.002), right).p99, 1e-2) << text_of(s);
    }
}

// Clumps across the boundary: as good as the same ones in open space, where no boundary cuts them; twice the
// error is for leaves that are divided at other places.
TEST_F(PeriodicTree, IsAsGoodForClumpsAsInOpenSpace) {
  const auto bodies = clumps(8000);
  auto whole = bodies;
  for (auto& b : whole)
    for (double* x : {&b.x, &b.y, &b.z})
      *x -= *x > 0.8 && norm(b.position() - Vec3<double>{0.7, 0.9, 0.4}) > 0.3;
  const auto right = ewald(box(), bodies, 0.002);
  Sums<F64> in_space(bodies.size());
  for (const auto& e : exact(whole, 0.002, whole.size())) in_space[e.body] = e.sum;
  for (const auto& s : {multipoles, by_error, walks}) {
    const double boxed = wrong(solve_in<Mixed>(box(), s, bodies, 0.002), right).p99;
    const double open = wrong(solve<Mixed>(s, whole, 0.002), in_space).p99;
    EXPECT_LE(boxed, 2 * open) << text_of(s);
  }
}

// The potentials of the images that are walked, 70 M / L, cancel to a thousandth with the background. An
// energy by which errors of a young universe are measured needs their mean right to 1e-6 M / L from one time
// to another. Beside expansions in double precision, in each body: sums of 70 in single precision would be
// wrong by 1e-5. On average, as structure grows: single precision leaves 3e-8 of what moments beyond the mass
// are, a tenth of 70, for a few cells that all bodies see, 2e-7 and up to three times that between two times;
// with the masses and distances of these cells in single precision, too, 9e-7.
TEST_F(PeriodicTree, KeepsThePotentialsThatNearlyCancel) {
  for (const auto& settings :
       {TreeSettings{.order = 6, .theta = 0.5, .leaf_size = 32},
        TreeSettings{.order = 5, .mac = Mac::error, .tolerance = 3e-3, .leaf_size = 48}}) {
    auto in_double = settings;
    in_double.wide = true;
    double least = 1, most = -1;
    for (const double grown : {1.0, 3.0, 9.0, 20.0}) {
      auto bodies = young(18);
      const auto at_rest = lattice(18);
      for (std::size_t i = 0; i < bodies.size(); ++i)
        for (double Mass<double>::*x : {&Mass<double>::x, &Mass<double>::y, &Mass<double>::z})
          bodies[i].*x = at_rest[i].*x + grown * (bodies[i].*x - at_rest[i].*x);
      const auto single = solve_in<Mixed>(box(), settings, bodies, 0.002),
                 right = solve_in<Mixed>(box(), in_double, bodies, 0.002);
      double mean = 0, squares = 0;
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double d = double(single[i].w) - double(right[i].w);
        mean += bodies[i].m * d, squares += bodies[i].m * d * d;
      }
      std::printf("%s: grown %g, mean %.1e, rms %.1e of M / L\n", text_of(settings).c_str(), grown, mean,
                  std::sqrt(squares));
      EXPECT_LE(std::sqrt(squares), 1e-6) << text_of(settings);
      least = std::min(least, mean), most = std::max(most, mean);
    }
    EXPECT_LE(most - least, 6.5e-7) << text_of(settings);
  }
}

// With small theta and in double precision what is left is the field of the further images, right to 6e-6 of
// M / L^2 at worst, and cells' own errors: 0.3^9 of the largest pull and potential.
TEST_F(PeriodicTree, OfHighOrderIsAsGoodAsTheFieldOfFurtherImages) {
  for (const auto& bodies : {uniform(1500), clumps(1500)})
    for (const double eps : {0.0, 0.01, 0.3}) {
      const auto right = ewald(box(), bodies, eps);
      double pull = 0, potential = 0;
      for (const auto& r : right)
        pull = std::max(pull, norm(r.xyz())), potential = std::max(potential, std::abs(r.w));
      const auto w = wrong(solve_in<F64>(box(), {.order = 8, .theta = 0.3}, bodies, eps), right);
      EXPECT_LE(w.pull, 6e-6 + 2e-5 * pull) << eps;
      EXPECT_LE(w.potential, 1e-6 + 2e-6 * potential) << eps;
    }
}

// Boxes that are no cubes, and few bodies. The bounds are the further images' in the shortest side, and
// cells' own errors, 0.25^9 and 0.15^6 of the pulls of some hundred images.
TEST_F(PeriodicTree, TakesFewBodiesAndOtherBoxes) {
  for (const auto& boundary : {box(), box({1, 2, 1.3}), box({3, 3, 1.5})})
    for (const std::size_t n : {1, 2, 3, 40, 300})
      for (const TreeSettings& s : {TreeSettings{.order = 8, .theta = 0.25},
                                    {.solver = Solver::barnes_hut, .order = 5, .theta = 0.15}}) {
        auto bodies = uniform(n);
        for (auto& b : bodies) b.x *= boundary.length.x, b.y *= boundary.length.y, b.z *= boundary.length.z;
        const auto w = wrong(solve_in<F64>(boundary, s, bodies, 0.01), ewald(boundary, bodies, 0.01));
        const double shortest = std::min({boundary.length.x, boundary.length.y, boundary.length.z});
        EXPECT_LE(w.pull, 4e-5 / (shortest * shortest)) << n << ", " << text_of(s);
        EXPECT_LE(w.potential, 1e-5 / shortest) << n << ", " << text_of(s);
      }
}

TEST_F(PeriodicTree, PullsNoLattice) {
  // All pulls cancel, 6 M / L^2 from the box alone; what does not is below 1e-3 of that.
  for (const auto& s : {multipoles, walks})
    for (const auto& sum : solve_in<Mixed>(box(), s, lattice(16), 0.001))
      ASSERT_LE(norm(sum.xyz()), 6e-3) << text_of(s);
}

TEST_F(PeriodicTree, KeepsTheMomentumToRounding) {
  for (const auto& bodies : {rounded(uniform(4000)), rounded(clumps(4000))})
    for (const auto& settings : {multipoles, by_error}) {
      auto wide = settings;
      wide.wide = true;
      // As in open space (see FmmPromises), but in a uniform box pulls are a tenth of what cancels in them.
      EXPECT_LE(unbalanced(bodies, solve_in<Mixed>(box(), wide, bodies, 0.002)), 1e-12) << text_of(wide);
      EXPECT_LE(unbalanced(bodies, solve_in<Mixed>(box(), settings, bodies, 0.002)), 1e-6)
          << text_of(settings);
    }
}

TEST_F(PeriodicTree, GivesTheSameBitsForAnyThreadsAndWrapsBodies) {
  auto bodies = clumps(6000);
  // On a grid, so that a box more or less is exact.
  for (auto& b : bodies)
    for (double* x : {&b.x, &b.y, &b.z}) *x = std::floor(*x * 0x1p20) * 0x1p-20;
  auto elsewhere = bodies;
  for (std::size_t i = 0; i < bodies.size(); i += 3) elsewhere[i].x += 2, elsewhere[i].y -= 1;
  for (const auto& s : {multipoles, by_error, walks}) {
    set_threads(1);
    const auto first = solve_in<Mixed>(box(), s, bodies, 0.002);
    for (const int count : {1, 2, 7}) {
      set_threads(count);
      EXPECT_TRUE(same_bits(solve_in<Mixed>(box(), s, elsewhere, 0.002), first))
          << count << ", " << text_of(s);
    }
  }
}

TEST_F(PeriodicTree, RefusesWhatItCannotDo) {
  const auto bodies = uniform(10);
  for (const auto& [boundary, what] : {std::pair{Boundary{.periodic = true}, "gravity.images = \"all\""},
                                       {box({1, 1, 3}), "factor of 2"},
                                       {box({1, 1, 0}), "three sides"}}) {
    std::string message = "accepted";
    try {
      solve_in<F64>(boundary, {}, bodies, 0);
    } catch (const UsageError& e) {
      message = e.what();
    }
    EXPECT_NE(message.find(what), std::string::npos) << message;
  }
}
