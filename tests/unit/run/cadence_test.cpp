/// The intervals that a run chooses: what outputs take of it, and that they are the same on every machine.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/cadence.hpp"

#include <pleiad/models.hpp>

#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

EngineDescription engine(const std::string& kernel, int gpus, int threads = 1) {
  EngineDescription d;
  d.method = *force_method_of(kernel), d.precision = "mixed", d.gpus = gpus, d.threads = threads;
  return d;
}

/// Rows at both ends, and the others.
double rows_of(double steps, std::uint64_t every) { return std::floor(steps / double(every)) + 1; }

}  // namespace

TEST(Cadence, RowsTakeAFifteenthWhateverTheNumberOfBodies) {
  const auto& kdk = integrator_named("kdk");
  const auto& forest_ruth = integrator_named("forest-ruth");
  for (const auto* kernel : {"cpu/symmetric", "cpu/fmm order=5 theta=0.6 leaf=64"})
    for (const int gpus : {0, 1})
      for (const auto* integrator : {&kdk, &forest_ruth})
        for (const std::size_t n : {3, 100, 4096, 100'000, 1'000'000, 16'777'216})
          for (const double steps : {1.0, 20.0, 1000.0, 1e6}) {
            const auto p = prices_of(engine(kernel, gpus), n, *integrator);
            const auto every = steps_between_rows(steps, p);
            ASSERT_GE(every, 1U);
            ASSERT_LE(double(every), steps);
            // Without the rows at both ends, which every run has.
            const double between = std::max(0.0, rows_of(steps, every) - 2) * p.row;
            EXPECT_LE(between, std::max(steps * p.step / 15, 0.04)) << kernel << ' ' << n << ' ' << steps;
            EXPECT_LE(rows_of(steps, every), steps < 200 ? steps + 1 : 400);
          }
}

TEST(Cadence, AHundredStepsOfAMillionBodiesHaveFewRowsAndThoseOfFewBodiesAll) {
  const auto& kdk = integrator_named("kdk");
  const auto tree = prices_of(engine("cpu/fmm order=5 theta=0.6 leaf=64", 0), 1'000'000, kdk);
  EXPECT_EQ(steps_between_rows(100, tree), 8);
  EXPECT_EQ(steps_between_rows(4, tree), 4);
  const auto few = prices_of(engine("cpu/symmetric", 0), 3, kdk);
  EXPECT_EQ(steps_between_rows(100, few), 1);
  EXPECT_EQ(steps_between_rows(20'000, few), 100);
  // A short run of a cluster has rows that show how its energy goes, in 0.04 s.
  const auto cluster = prices_of(engine("cpu/symmetric", 0), 2000, kdk);
  const double rows = rows_of(128, steps_between_rows(128, cluster));
  EXPECT_GE(rows, 25);
  EXPECT_LE((rows - 2) * cluster.row, 0.04);
}

TEST(Cadence, FramesTakeAThirtiethOrASecond) {
  const auto& kdk = integrator_named("kdk");
  const auto few = prices_of(engine("cpu/symmetric", 0), 3, kdk);
  EXPECT_EQ(steps_between_frames(10, few), 1);
  const auto many = prices_of(engine("cuda/fmm order=5 theta=0.6 leaf=64", 1), 1 << 20, kdk);
  const auto every = steps_between_frames(10'000, many);
  EXPECT_LE(10'000 / double(every) * many.frame, std::max(1.0, 10'000 * many.step / 30) + many.frame);
  EXPECT_GT(every, 20U);
}

TEST(Cadence, ThreadsAndGpusDoNotMoveRows) {
  const auto& kdk = integrator_named("kdk");
  for (const auto& [one, other] : {std::array{engine("cpu/symmetric", 0, 1), engine("cpu/symmetric", 0, 64)},
                                   std::array{engine("cuda/fmm order=5 theta=0.6 leaf=64", 1),
                                              engine("cuda/fmm order=5 theta=0.6 leaf=64", 8)}}) {
    const auto a = prices_of(one, 50'000, kdk), b = prices_of(other, 50'000, kdk);
    EXPECT_EQ(steps_between_rows(5000, a), steps_between_rows(5000, b));
  }
}

TEST(Cadence, GivenIntervalsStay) {
  auto start = make_model("plummer", std::array{std::string("n=100")}, 1);
  Simulation simulation(std::move(start), {.G = 1, .softening = {0.01}, .boundary = {}, .dimension = 3},
                        {.integrator = &integrator_named("kdk"), .dt = 0.01}, {.backend = "cpu"});
  Options o;
  o.time.dt = 0.01, o.time.t_end = 10;
  o.output.diagnostics_interval = 0.5;
  settle_cadence(o, simulation);
  EXPECT_EQ(o.output.diagnostics_interval, 0.5);
  EXPECT_EQ(o.output.picture_interval, 0);
  o.output.diagnostics_interval = 0, o.output.movie = true;
  settle_cadence(o, simulation);
  EXPECT_EQ(o.output.diagnostics_interval, 0.05);
  EXPECT_GT(o.output.picture_interval, 0);
}

// The energy equation is integrated from row to row: in comoving coordinates rows stay near each other where
// direct sums of many bodies would be left with few, and meet the steps.
TEST(Cadence, RowsOfComovingRunsAreNearEachOther) {
  auto start = make_model("plummer", std::array{std::string("n=100")}, 1);
  Simulation simulation(std::move(start), {.G = 1, .softening = {0.01}, .boundary = {}, .dimension = 3},
                        {.integrator = &integrator_named("kdk"), .dt = 0.015}, {.backend = "cpu"});
  for (const bool adaptive : {false, true})
    for (const double omega_m : {0.0, 0.3}) {
      Options o;
      o.time.dt = 0.015, o.time.t_end = 3.9, o.time.adaptive = adaptive, o.cosmology.omega_m = omega_m;
      settle_cadence(o, simulation, 100'000);
      const double interval = o.output.diagnostics_interval;
      if (omega_m == 0) EXPECT_GE(interval, 0.2);
      else EXPECT_NEAR(interval, 4 * 0.015, 1e-12);
      // Few bodies have 200 rows as ever.
      o.output.diagnostics_interval = 0;
      settle_cadence(o, simulation, 100);
      EXPECT_NEAR(o.output.diagnostics_interval, 0.015, 1e-12);
    }
}
