/// One tree on several ranks gives the bits of one process.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "on_ranks.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <random>

using namespace pleiad;
using namespace pleiad::domain_test;
using namespace pleiad::tree_test;

namespace {

Masses at_one_place(std::size_t n) { return Masses(n, {3, 4, 5, 1}); }
/// Half of the bodies at one place, in a cube of others.
Masses half_at_one_place(std::size_t n) {
  auto bodies = random_cube(n, 3);
  for (std::size_t i = 0; i < n; i += 2) bodies[i] = {0.3, 0.3, 0.3, 1};
  return bodies;
}

/// Draws scenes, settings and divisions; the same for the same seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : generator_(seed) {}
  std::size_t below(std::size_t n) { return generator_() % n; }
  double part() { return std::uniform_real_distribution()(generator_); }
  double normal() { return std::normal_distribution()(generator_); }

  /// In a cube, along a line, on a grid, in far clumps, or with most bodies at almost one place.
  Masses bodies() {
    Masses all(std::size_t(std::exp(7.5 * part())));
    const auto shape = below(5);
    const double size = std::exp(4 * normal());
    for (auto& b : all) {
      b = {part(), part(), part(), part()};
      if (shape == 1) b.y = b.z = 0;
      if (shape == 2) b = {double(below(4)), double(below(4)), double(below(4)), b.m};
      if (shape == 3) b = {double(below(4)) + 1e-5 * normal(), 1e-7 * normal(), 1e-3 * normal(), b.m};
      if (shape == 4 && below(3) > 0) b = {0.3, 0.3, 0.3 + 1e-14 * double(below(9)), b.m};
      b.x *= size, b.y *= size, b.z *= size;
    }
    return all;
  }
  TreeSettings settings() {
    TreeSettings s{.leaf_size = 1 + int(below(40)), .group = 1 + int(below(70))};
    if (below(2) == 0) s.solver = Solver::barnes_hut, s.mac = Mac(below(3)), s.order = 1 + int(below(5));
    else s.order = 3 + int(below(4));
    s.theta = 0.3 + 0.7 * part();
    if (below(3) == 0) s.mac = Mac::error, s.tolerance = std::pow(10, -1 - 3 * part());
    return s;
  }
  Begins begins(std::size_t n) {
    Begins all{0, n};
    for (auto ranks = 1 + below(12); all.size() <= ranks;) all.push_back(below(4) == 0 ? 0 : below(n + 1));
    std::ranges::sort(all);
    return all;
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace

TEST(DistributedTree, HasTheBitsOfOneProcessInEveryScene) {
  for (const auto& s : scenes()) {
    SCOPED_TRACE(s.name);
    expect_same_bits<Mixed>({.leaf_size = 16}, s.make(6000), {.eps = s.eps});
  }
  expect_same_bits<Mixed>({.leaf_size = 16}, random_cube(6000, 1), {});
}

TEST(DistributedTree, HasThemWithManyBodiesAtOnePlace) {
  for (const int leaf : {1, 16}) {
    expect_same_bits<F64>({.leaf_size = leaf}, at_one_place(500), {});
    expect_same_bits<F64>({.leaf_size = leaf}, at_one_place(500), {.eps = 0.1});
    expect_same_bits<F64>({.leaf_size = leaf}, half_at_one_place(2000), {.eps = 0.01});
  }
}

TEST(DistributedTree, HasThemWithFewBodies) {
  for (std::size_t n = 0; n <= 12; ++n)
    for (const int leaf : {1, 4, 48}) {
      SCOPED_TRACE(n);
      expect_same_bits<F64>({.leaf_size = leaf}, random_cube(n, n + 1), {.eps = 0.01});
    }
}

TEST(DistributedTree, HasThemWhereverTheBodiesAre) {
  const auto bodies = plummer(3000);
  const TreeSettings settings{.leaf_size = 16};
  const Law law{.eps = 0.01};
  const auto expected = on_one_process<Mixed>(settings, bodies, law);
  for (const Begins& begins : {Begins{0, 3000, 3000, 3000}, Begins{0, 0, 0, 3000}, Begins{0, 1, 2, 3000},
                               Begins{0, 0, 1500, 1500, 3000}, Begins{0, 17, 2900, 2901, 3000}})
    EXPECT_TRUE(same_bits(on_ranks<Mixed>(settings, bodies, begins, law), expected));
}

TEST(DistributedTree, HasThemInEveryPrecisionAndOrder) {
  const auto bodies = rounded(scene("clumps").make(3000));
  for_all_precisions({.leaf_size = 16}, [&](auto precision, const TreeSettings& settings) {
    using P = decltype(precision);
    expect_same_bits<P>(settings, bodies, {.eps = 0.01}, {3});
    expect_same_bits<P>(settings, bodies, {.eps = 0, .boundary = {}, .potential = false}, {2});
  });
  for (const int order : orders)
    expect_same_bits<Mixed>({.order = order, .theta = 0.9, .leaf_size = 8}, bodies, {.eps = 0.02}, {4});
}

TEST(DistributedTree, HasThemWithTheErrorsCriterion) {
  for (const auto& s : scenes())
    for (const auto solver : {Solver::fmm, Solver::barnes_hut}) {
      SCOPED_TRACE(s.name);
      expect_same_bits<Mixed>(
          {.solver = solver, .order = 4, .mac = Mac::error, .tolerance = 1e-4, .leaf_size = 12}, s.make(5000),
          {.eps = s.eps});
    }
}

TEST(DistributedTree, HasThemWithBarnesAndHut) {
  for (const auto& s : scenes())
    for (const auto mac : {Mac::spheres, Mac::sides, Mac::classic}) {
      SCOPED_TRACE(s.name);
      expect_same_bits<Mixed>({.solver = Solver::barnes_hut, .order = 2, .mac = mac, .leaf_size = 12},
                              s.make(4000), {.eps = s.eps}, {1, 2, 7});
    }
  for (int order = 1; order <= 5; ++order)
    expect_same_bits<F64>({.solver = Solver::barnes_hut, .order = order, .leaf_size = 4, .group = 64},
                          plummer(3000), {.eps = 0.01}, {3});
}

TEST(DistributedTree, HasThemInAPeriodicBox) {
  auto bodies = random_cube(3000, 5);
  for (auto& b : bodies) b.x *= b.x, b.x += 0.9, b.y += 5.1;  // not all are in the box
  const Law law{.eps = 0.02, .boundary = {.periodic = true, .length = {2, 2, 2.5}, .images = Images::all}};
  for (const auto solver : {Solver::fmm, Solver::barnes_hut})
    for (const auto mac : {Mac::spheres, Mac::error})
      expect_same_bits<Mixed>(
          {.solver = solver, .order = 4, .mac = mac, .tolerance = mac == Mac::error ? 1e-3 : 0}, bodies, law,
          {1, 2, 3, 7});
}

TEST(DistributedTree, HasThemWhateverItMeasuredBefore) {
  const auto bodies = scene("cluster in halo").make(5000);
  for (const auto solver : {Solver::fmm, Solver::barnes_hut}) {
    const TreeSettings settings{.solver = solver, .order = 4, .leaf_size = 16};
    const Law law{.eps = 0.001};
    const auto expected = on_one_process<Mixed>(settings, bodies, law);
    for (const int evaluations : {2, 3})
      EXPECT_TRUE(same_bits(on_ranks<Mixed>(settings, bodies, evenly(5000, 4), law, evaluations), expected));
  }
}

TEST(DistributedTree, HasNoSumsOfBodiesThatAreNowhere) {
  auto bodies = plummer(500);
  bodies[400].y = std::numeric_limits<double>::quiet_NaN();
  for (const auto& s : on_ranks<F64>({}, bodies, evenly(500, 3), {})) EXPECT_TRUE(std::isnan(s.x));
}

TEST(DistributedTree, HasThemInRandomCases) {
  Random random(1);
  for (int k = 0; k < 150; ++k) {
    const auto bodies = random.bodies();
    const auto settings = random.settings();
    const auto begins = random.begins(bodies.size());
    const auto expected = on_one_process<Mixed>(settings, bodies, {});
    EXPECT_TRUE(same_bits(on_ranks<Mixed>(settings, bodies, begins, {}), expected))
        << "case " << k << ": " << text_of(settings) << ", " << bodies.size() << " bodies on "
        << begins.size() - 1 << " ranks";
  }
}

TEST(DistributedTree, RefusesWhatRanksCannotUse) {
  const auto refused = [](const TreeSettings& settings, const char* why) {
    try {
      ranks::with_simulated_ranks(
          2, [&](ranks::Communicator& t) { domain::make_distributed_tree<F64>(t, settings); });
      ADD_FAILURE() << "no refusal with: " << why;
    } catch (const UsageError& e) {
      EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
    }
  };
  refused({.structure = Structure::kd}, "structure 'kd'");
  refused({.structure = Structure::bvh}, "structure 'bvh'");
  refused({.rebuild_every = 2}, "rebuild_every = 2");
  refused({.device = Device::cuda}, "cuda/fmm");
  refused({.order = 7}, "order = 7");
}
