/// Cells that are kept while bodies move, their moments alone being found anew.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "solving.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <utility>

using namespace pleiad;
using namespace pleiad::tree_test;

namespace {

/// Each solver on each structure, with cells that are kept for so many evaluations.
std::vector<TreeSettings> kept_for(int evaluations) {
  std::vector<TreeSettings> all;
  for (const auto structure : {Structure::octree, Structure::kd, Structure::bvh}) {
    all.push_back({.structure = structure, .order = 5, .theta = 0.6, .leaf_size = 16});
    all.push_back(
        {.solver = Solver::barnes_hut, .structure = structure, .order = 2, .theta = 0.5, .leaf_size = 16});
    all.push_back({.solver = Solver::barnes_hut,
                   .structure = structure,
                   .order = 3,
                   .mac = Mac::error,
                   .tolerance = 1e-3,
                   .leaf_size = 16});
  }
  for (auto& s : all) s.rebuild_every = evaluations;
  return all;
}
/// Each body by up to `by`, in a direction of its own.
Masses moved(Masses bodies, double by) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double t = double(i);
    bodies[i].x += by * std::sin(t), bodies[i].y += by * std::cos(2 * t), bodies[i].z += by * std::sin(3 * t);
  }
  return bodies;
}

}  // namespace

TEST(KeptCells, GiveTheErrorsOfNewOnesWhileBodiesMoveLittle) {
  const auto start = plummer(4000);
  for (const auto& s : kept_for(8)) {
    SCOPED_TRACE(text_of(s));
    auto fresh = s;
    fresh.rebuild_every = 1;
    const auto solver = make_tree_solver<Mixed>(s);
    for (int k = 0; k < 8; ++k) {
      const auto bodies = moved(start, 0.005 * k);
      const auto sums = evaluate<Mixed>(*solver, bodies, 0.01);
      if (k != 1 && k != 7) continue;
      const auto right = exact(bodies, 0.01, 400);
      const auto e = errors<double>(sums, right),
                 anew = errors<double>(solve<Mixed>(fresh, bodies, 0.01), right);
      EXPECT_EQ(e.not_finite, 0u);
      // MACs see the spheres of where bodies are now. Cells that overlap are opened more often, so that
      // errors hardly grow; an old centre of mass would have them wrong by a hundredth.
      EXPECT_LE(e.p50, 1.3 * anew.p50 + 1e-6) << k;
      EXPECT_LE(e.p99, 1.5 * anew.p99 + 1e-6) << k;
    }
  }
}

TEST(KeptCells, AreThoseOfTheFirstEvaluationAndMadeAnewInTime) {
  const auto start = plummer(1000);
  for (const auto& s : kept_for(3)) {
    SCOPED_TRACE(text_of(s));
    auto fresh = s;
    fresh.rebuild_every = 1;
    const auto solver = make_tree_solver<F64>(s);
    for (int k = 0; k < 7; ++k) {
      const auto bodies = moved(start, 0.1 * k);
      const bool same = same_bits(evaluate<F64>(*solver, bodies, 0.01), solve<F64>(fresh, bodies, 0.01));
      EXPECT_EQ(same, k % 3 == 0) << k;
    }
    // Other bodies have other cells.
    const auto fewer = plummer(999);
    EXPECT_TRUE(same_bits(evaluate<F64>(*solver, fewer, 0.01), solve<F64>(fresh, fewer, 0.01)));
  }
}

TEST(KeptCells, BearBodiesThatMeetAndThatAreNowhere) {
  for (const auto& s : kept_for(100)) {
    SCOPED_TRACE(text_of(s));
    const auto solver = make_tree_solver<Mixed>(s);
    auto bodies = plummer(500);
    evaluate<Mixed>(*solver, bodies, 0.0);
    for (std::size_t i = 0; i < 100; ++i) bodies[i] = {0.25 + 1e-9 * double(i % 3), -0.5, 0.125, 0.01};
    const auto right = exact(bodies, 0.0, bodies.size());
    const auto e = errors<double>(evaluate<Mixed>(*solver, bodies, 0.0), right);
    EXPECT_EQ(e.not_finite, 0u);
    bodies[7].x = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(evaluate<Mixed>(*solver, bodies, 0.0)[3].x));
    bodies[7].x = 0;
    EXPECT_TRUE(std::isfinite(evaluate<Mixed>(*solver, bodies, 0.0)[3].x));
  }
}

TEST(KeptCells, AreRefusedWhereCubesOrBoxesWouldBeWrong) {
  const auto refusal = [](const auto& act) -> std::string {
    try {
      act();
    } catch (const UsageError& e) {
      return e.what();
    }
    return "accepted";
  };
  const auto of = [&](const char* text) { return refusal([&] { tree_settings_of(text); }); };
  EXPECT_EQ(of("cpu/barnes-hut criterion=error tolerance=0.01 rebuild_every=8"), "accepted");
  EXPECT_NE(of("cpu/barnes-hut criterion=sides theta=0.5 rebuild_every=8").find("spheres or error"),
            std::string::npos);
  EXPECT_NE(of("cuda/fmm rebuild_every=8").find("built anew for every evaluation"), std::string::npos);
  EXPECT_NE(of("cpu/fmm rebuild_every=0").find("must be 1 or more"), std::string::npos);
  EXPECT_EQ(text_of(tree_settings_of("cpu/fmm rebuild_every=8")),
            "cpu/fmm order=5 theta=0.7 leaf=48 rebuild_every=8");
  const auto bodies = random_cube(10, 1);
  Sums<F64> sums(bodies.size());
  const auto solver = make_tree_solver<F64>({.rebuild_every = 2});
  EXPECT_NE(refusal([&] {
              solver->evaluate({.targets = bodies,
                                .sources = bodies,
                                .sums = sums,
                                .boundary = {.periodic = true, .length = {4, 4, 4}, .images = Images::all}});
            }).find("open space"),
            std::string::npos);
}
