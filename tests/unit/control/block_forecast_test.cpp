/// The forecast of what block time steps gain: by hand for sets of known sizes, and against runs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "control/block_forecast.hpp"

#include "ranks/division.hpp"
#include "ranks/self.hpp"
#include "ranks/simulated.hpp"

#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad::control {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
/// Evaluations that take a time proportional to their bodies, and to their pairs.
constexpr EvaluationTime by_body{.body = 1}, by_pair{.pair = 1};

WantedSteps steps_of(const std::vector<std::pair<int, double>>& counts) {
  WantedSteps wanted(2);
  for (const auto& [count, step] : counts)
    for (int k = 0; k < count; ++k) wanted.add(step);
  return wanted;
}

Simulation blocks(const char* model, double eps, double dt, double eta, BlockSteps steps = {}) {
  const auto* integrator = &integrator_named("block-kdk");
  return {make_model(model, std::vector<std::string>{"n=1000"}, 5),
          {.softening = {eps}},
          {.integrator = integrator, .dt = dt, .eta = eta, .blocks = steps},
          {.precision = Precision::f64, .backend = "cpu"}};
}

}  // namespace

TEST(BlockForecast, CountsTheBodiesThatWantShorterSteps) {
  const auto wanted = steps_of({{3, 1}, {5, 0.3}, {7, 1e-3}, {2, infinite}});
  EXPECT_EQ(wanted.bodies(), 17);
  EXPECT_EQ(wanted.below(2), 15);
  EXPECT_EQ(wanted.below(1), 12);  // those that want this step have it
  EXPECT_EQ(wanted.below(0.25), 7);
  EXPECT_EQ(wanted.below(1e-4), 0);
  EXPECT_GE(wanted.longest(), 1);
  EXPECT_LE(wanted.longest(), std::exp2(0.125));
  // A fourth of the parameter is half of each step.
  EXPECT_EQ(wanted.scale(0.25), 0.5);
  EXPECT_EQ(wanted.eta(0.5), 0.25);
  EXPECT_EQ(WantedSteps(2).longest(), 0);
}

// 64 bodies have the step dt, 8 a quarter of it, and 1 a sixteenth. The eight end four steps in each dt and
// are found once, in two halves of it; the one ends four steps in each quarter.
TEST(BlockForecast, IsTheSumOverTheSets) {
  const auto wanted = steps_of({{56, 1}, {7, 0.25}, {1, 0.0625}});
  const auto f = block_forecast(wanted, 1, 1, {}, by_body);
  EXPECT_EQ(f.levels, 3);
  EXPECT_EQ(f.shared, 16);
  EXPECT_NEAR(f.work * 64, 64 + 8 * (4 + 1) + 1 * (16 + 4), 1e-12);
  EXPECT_NEAR(block_forecast(wanted, 1, 1, {}, by_pair).work * 64 * 64, 64 * 64 + 64 * 5 + 20, 1e-9);
  // A fourth of eta, and half of dt: the same steps, half as long.
  EXPECT_EQ(block_forecast(wanted, 0.5, 0.25, {}, by_body).work, f.work);
  // With dt = 2 all go to half of it at once.
  const auto twice = block_forecast(wanted, 2, 1, {}, by_body);
  EXPECT_EQ(twice.shared, 32);
  EXPECT_NEAR(twice.work * 64, 64 * 2 + 8 * (8 + 2) + (32 + 8), 1e-12);
  // Two levels are no more than dt / 2.
  EXPECT_EQ(block_forecast(wanted, 1, 1, {.levels = 2}, by_body).shared, 2);
}

// With half of the bodies on a shorter step all go; single steps are shared ones.
TEST(BlockForecast, IsOneWhereAllBodiesShareTheStep) {
  const auto wanted = steps_of({{50, 1}, {50, 0.25}});
  const auto f = block_forecast(wanted, 1, 1, {}, by_body);
  EXPECT_EQ(f.levels, 1);
  EXPECT_EQ(f.gain(), 1);
  const auto uneven = steps_of({{95, 1}, {5, 0.01}});
  EXPECT_GT(block_forecast(uneven, 1, 1, {}, by_body).gain(), 10);
  EXPECT_EQ(block_forecast(uneven, 1, 1, {.single_step = true}, by_body).gain(), 1);
}

// No evaluation of a GPU is shorter than its launches, so small sets cost as much as large ones.
TEST(BlockForecast, KnowsTheLeastTimeOfAnEvaluation) {
  const auto wanted = steps_of({{1000, 1}, {10, 1e-3}});
  EXPECT_GT(block_forecast(wanted, 1, 1, {}, by_pair).gain(), 100);
  EXPECT_LE(block_forecast(wanted, 1, 1, {}, {.least = 1e9, .pair = 1}).gain(), 1);
}

// A tree leaves small sets to direct sums.
TEST(BlockForecast, TakesTheFasterOfATreeAndDirectSums) {
  const EvaluationTime time{.pair = 1, .tree_least = 100, .tree_body = 4};
  EXPECT_EQ(time.of(3), 9);
  EXPECT_EQ(time.of(20), 100);
  EXPECT_EQ(time.of(50), 200);
}

// The longest step that bodies want, or a little less: shorter ones would make more steps of all bodies.
TEST(BlockForecast, FindsTheCheapestLongestStep) {
  const auto wanted = steps_of({{1000, 1}, {10, 1e-3}});
  EXPECT_NEAR(cheapest_dt(wanted, 100, 1, {}, by_pair), 1, 0.1);
  EXPECT_NEAR(cheapest_dt(wanted, 100, 0.25, {}, by_pair), 0.5, 0.05);
  EXPECT_EQ(cheapest_dt(wanted, 0.01, 1, {}, by_pair), 0.01);
}

// The pairs of a run, against the forecast at its start. Sets that stay as they are need not be found anew,
// and are evaluated twice instead of three times; bodies of a set that feel a part of all pulls have longer
// steps.
TEST(BlockForecast, IsWhatRunsTake) {
  for (const auto& [model, eps, dt, eta] : {std::tuple{"hernquist", 0.002, 0.125, 0.04},
                                            {"hernquist", 0.002, 0.0625, 0.64},
                                            {"plummer", 0.01, 0.0625, 0.04},
                                            {"hernquist", 0.05, 0.125, 0.02}}) {
    auto run = blocks(model, eps, dt, eta);
    const auto wanted = wanted_steps(run, {}, ranks::self());
    const double all = wanted.bodies();
    const auto f = block_forecast(wanted, dt, eta, {}, by_pair);
    const auto before = run.evaluations();
    constexpr int steps = 4;
    run.make_steps(steps);
    const double made = double(run.evaluations() - before) * run.describe().interactions_per_evaluation;
    const double forecast = f.work * all * all * steps;
    EXPECT_LE(made, 1.3 * forecast) << model << eps;
    EXPECT_GE(made, forecast / 2) << model << eps;
  }
}

TEST(BlockForecast, IsTheSameOnRanks) {
  for (const auto criterion : {BlockCriterion::acceleration, BlockCriterion::pairs}) {
    auto alone = blocks("hernquist", 0.01, 0.125, 0.04, {.criterion = criterion});
    const auto of_one = wanted_steps(alone, {.criterion = criterion}, ranks::self());
    ranks::with_simulated_ranks(3, [&](ranks::Communicator& comm) {
      auto s = make_model("hernquist", std::vector<std::string>{"n=1000"}, 5);
      const auto all = std::exchange(s.bodies, {});
      const ranks::Division division{all.size(), comm.ranks()};
      for (std::size_t k = 0; k < division.count(comm.rank()); ++k) {
        const std::size_t i = division.first(comm.rank()) + k;
        s.bodies.add(all.mass[i], all.position(i), all.velocity(i));
        s.bodies.id.back() = i;
      }
      const auto* integrator = &integrator_named("block-kdk");
      Simulation part(s, {.softening = {0.01}},
                      {.integrator = integrator, .dt = 0.125, .blocks = {.criterion = criterion}},
                      {.precision = Precision::f64, .backend = "cpu", .ranks = &comm});
      const auto of_three = wanted_steps(part, {.criterion = criterion}, comm);
      EXPECT_EQ(of_three.bodies(), 1000);
      for (double step = 1e-4; step < 10; step *= 1.3) EXPECT_EQ(of_three.below(step), of_one.below(step));
    });
  }
}

}  // namespace pleiad::control
