/// Output times: met exactly, numbered, refused when steps miss them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/schedule.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <gtest/gtest.h>

using namespace pleiad;
using run::Schedule;

namespace {
Simulation simulation(double dt, bool adaptive = false, bool exact = false) {
  Snapshot s;
  s.time = 1;
  s.bodies.add(1, {0, 0, 0}, {});
  s.bodies.add(1, {1, 0, 0}, {});
  return Simulation(
      s, {.softening = {0.1}},
      {.integrator = &integrator_named("kdk"), .dt = dt, .adaptive = adaptive, .exact_steps = exact});
}
}  // namespace

TEST(Schedule, HasStartMultiplesListedTimesAndEnd) {
  const auto s = simulation(0.1);
  const Schedule schedule("key", s, 0.5, {1.3}, 2.2);
  EXPECT_EQ(schedule.size(), 5u);  // 1, 1.3, 1.5, 2, 2.2
  const auto at = [&](std::uint64_t step) {
    return Moment{.time = time_of_step(1, 0.1, step), .step = step};
  };
  EXPECT_TRUE(schedule.due(at(0)));
  EXPECT_TRUE(schedule.due(at(3)));
  EXPECT_FALSE(schedule.due(at(4)));
  EXPECT_EQ(schedule.next_after(at(4)).step, 5u);
  EXPECT_EQ(schedule.next_after(at(4)).time, 1.5);
  EXPECT_EQ(schedule.last().step, 12u);
  EXPECT_EQ(schedule.last().time, 2.2);
  EXPECT_EQ(schedule.next_after(at(12)).step, 12u);
  EXPECT_EQ(schedule.next_after(at(5)).step, 10u);  // not this one again
}

/// Multiples of an interval are counted in steps: added up as times, the third of 0.3 would miss 0.9.
TEST(Schedule, OfFixedStepsIsDecidedByTheirNumber) {
  const auto s = simulation(0.3);
  const Schedule schedule("key", s, 0.9, {}, 1 + 90);
  EXPECT_EQ(schedule.size(), 101u);
  for (std::uint64_t step = 0; step <= 300; ++step)
    EXPECT_EQ(schedule.due(Moment{.time = -1, .step = step}), step % 3 == 0) << step;
}

TEST(Schedule, HasTimesBetweenStepsAsStepsAndWhatIsBeyond) {
  const auto s = simulation(0.1);
  const Schedule schedule("key", s, 0.25, {1.55, 1.5}, 2.05);
  std::vector<double> times, aheads;
  std::vector<std::uint64_t> steps;
  for (auto moment = s.moment_at(1); times.size() < schedule.size(); moment = schedule.next_after(moment)) {
    EXPECT_TRUE(schedule.due(moment)) << moment.time;
    times.push_back(moment.time), steps.push_back(moment.step), aheads.push_back(moment.ahead);
  }
  EXPECT_EQ(times, (std::vector<double>{1, 1.25, 1.5, 1.55, 1.75, 2, 2.05}));
  EXPECT_EQ(steps, (std::vector<std::uint64_t>{0, 2, 5, 5, 7, 10, 10}));
  const std::vector<double> expected{0, 0.05, 0, 0.05, 0.05, 0, 0.05};
  for (std::size_t k = 0; k < aheads.size(); ++k) EXPECT_NEAR(aheads[k], expected[k], 1e-15) << k;
  EXPECT_FALSE(schedule.due(Moment{.time = 1.2, .step = 2}));
  // Shorter than a step.
  EXPECT_EQ(Schedule("key", s, 0.01, {}, 2).size(), 101U);
}

TEST(Schedule, RefusesTimesBetweenExactSteps) {
  const auto s = simulation(0.1, false, true);
  EXPECT_THROW(Schedule("key", s, 0.25, {}, 2), UsageError);
  EXPECT_THROW(Schedule("key", s, 0, {1.55}, 2), UsageError);
  EXPECT_THROW(Schedule("key", s, 0, {3}, 2), UsageError);
  EXPECT_THROW(Schedule("key", s, 0, {}, 2.05), UsageError);
  EXPECT_THROW(Schedule("key", s, 1e-12, {}, 2), UsageError);
}

TEST(Schedule, OfAnAdaptiveRunTakesAnyTime) {
  const auto s = simulation(0.1, true);
  const Schedule schedule("key", s, 0.3, {1.123}, 1.9);
  EXPECT_EQ(schedule.size(), 5u);  // 1, 1.123, 1.3, 1.6, 1.9
  EXPECT_TRUE(schedule.due(Moment{.time = 1.9, .step = 77}));
  EXPECT_FALSE(schedule.due(Moment{.time = 1.8, .step = 77}));
  // 1 + 7 * 0.1 is not 1.7 in doubles: one output all the same.
  EXPECT_EQ(Schedule("key", s, 0.1, {}, 1.7).size(), 8u);
  EXPECT_EQ(Schedule("key", s, 0.2, {}, 3.4).size(), 13u);
}

/// As many as there are, without those that a run has behind it.
TEST(Schedule, CountsWhatIsToCome) {
  auto s = simulation(0.1);
  const Schedule schedule("key", s, 0.5, {}, 2);
  EXPECT_EQ(schedule.to_come(s.clock()), 3u);
  s.run_until(1.3);
  EXPECT_EQ(schedule.to_come(s.clock()), 2u);
  s.run_until(1.5);
  EXPECT_EQ(schedule.to_come(s.clock()), 1u);
}
