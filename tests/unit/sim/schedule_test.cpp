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
Simulation simulation(double dt, bool adaptive = false) {
  Snapshot s;
  s.time = 1;
  s.bodies.add(1, {0, 0, 0}, {});
  s.bodies.add(1, {1, 0, 0}, {});
  return Simulation(s, {.softening = {0.1}},
                    {.integrator = &integrator_named("kdk"), .dt = dt, .adaptive = adaptive});
}
}  // namespace

TEST(Schedule, HasStartMultiplesListedTimesAndEnd) {
  const auto s = simulation(0.1);
  const Schedule schedule("key", s, 0.5, {1.3}, 2.2);
  EXPECT_EQ(schedule.size(), 5u);  // 1, 1.3, 1.5, 2, 2.2
  EXPECT_TRUE(schedule.due(1));
  EXPECT_TRUE(schedule.due(1 + 3 * 0.1));
  EXPECT_FALSE(schedule.due(1 + 4 * 0.1));
  EXPECT_EQ(schedule.index(1 + 5 * 0.1), 2u);
  EXPECT_EQ(schedule.next_after(1 + 4 * 0.1), 1 + 5 * 0.1);
}

TEST(Schedule, RefusesTimesBetweenSteps) {
  const auto s = simulation(0.1);
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
  EXPECT_TRUE(schedule.due(1.9));
}
