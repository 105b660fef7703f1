/// Simulations that keep an accuracy by themselves: planned, measured, mended, with the same bits however
/// they are run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "control/controller.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad::control {
namespace {

constexpr double dt = 1.0 / 32;
const Gravity law{.G = 1, .softening = {0.05}};
const Method leapfrog{.integrator = &integrator_named("kdk"), .dt = dt};
const EngineOptions on_cpu{.backend = "cpu"};

Snapshot model(const std::string& name, std::size_t n) {
  return make_model(name, std::vector<std::string>{"n=" + std::to_string(n)}, 2);
}

class Kept : public testing::Test {
 protected:
  Simulation kept(Snapshot start, const EngineOptions& options, const Demand& demand) {
    const tune::TuningContext tuning_context{.cache = {}};
    return accurate_simulation(options, std::move(start), law, leapfrog, demand, tuning_context,
                               [this](const std::string& text) { notes_.push_back(text); });
  }
  bool told(std::string_view words) const {
    return std::ranges::any_of(notes_, [&](const std::string& n) { return n.find(words) != n.npos; });
  }
  std::vector<std::string> notes_;
};

const TreeSettings loose{.order = 4, .theta = 0.8};

}  // namespace

TEST_F(Kept, TightensATreeThatHasBecomeTooLoose) {
  auto options = on_cpu;
  options.method = ForceMethod{.tree = loose};
  Simulation free(model("cold-sphere", 3000), law, leapfrog, options);
  const double accuracy = 0.8 * free.force_errors().p99;
  auto simulation =
      kept(model("cold-sphere", 3000), options, {.request = {.accuracy = accuracy}, .check_every = 4});
  EXPECT_TRUE(told(" at step 0, above ")) << notes_.size();
  simulation.run_until(16 * dt);
  EXPECT_LT(simulation.describe().method.tree->theta, loose.theta);
  // In the steps since the last diagnostic the sphere has fallen on.
  EXPECT_LE(simulation.force_errors().p99, 2 * accuracy);
}

TEST_F(Kept, HasTheSameBitsHoweverItIsDivided) {
  auto options = on_cpu;
  options.method = ForceMethod{.tree = loose};
  Simulation free(model("cold-sphere", 3000), law, leapfrog, options);
  const Demand demand{.request = {.accuracy = 0.8 * free.force_errors().p99}, .check_every = 4};
  auto whole = kept(model("cold-sphere", 3000), options, demand),
       parts = kept(model("cold-sphere", 3000), options, demand);
  whole.run_until(13 * dt);
  for (const int steps : {1, 3, 4, 9, 13}) parts.run_until(steps * dt);
  EXPECT_EQ(parts.describe().method, whole.describe().method);
  EXPECT_EQ(state_hash(parts.snapshot().bodies), state_hash(whole.snapshot().bodies));
}

TEST_F(Kept, GoesOnAsBeforeWhenItWasSaved) {
  auto options = on_cpu;
  options.method = ForceMethod{.tree = loose};
  Simulation free(model("cold-sphere", 3000), law, leapfrog, options);
  // At the start it will do, when the sphere has fallen in it will not.
  const Demand demand{.request = {.accuracy = 1.02 * free.force_errors().p99}, .check_every = 4};
  auto whole = kept(model("cold-sphere", 3000), options, demand),
       first = kept(model("cold-sphere", 3000), options, demand);
  whole.run_until(24 * dt), first.run_until(3 * dt);
  ASSERT_NE(first.describe().method, whole.describe().method);
  auto then = options;
  then.method = first.describe().method;
  Simulation second(first.snapshot(), first.clock(), law, leapfrog, then);
  std::vector<std::string> notes;
  resume_control(
      second, first.controller()->text(), then, [&](const std::string& text) { notes.push_back(text); },
      "here");
  EXPECT_EQ(second.controller()->text(), first.controller()->text());
  second.run_until(24 * dt);
  EXPECT_EQ(second.describe().method, whole.describe().method);
  EXPECT_EQ(state_hash(second.snapshot().bodies), state_hash(whole.snapshot().bodies));
  EXPECT_EQ(second.controller()->text(), whole.controller()->text());
  EXPECT_FALSE(notes.empty());
  for (const auto* text : {"", "0x1p-4 4", "0x1p-4 4 1 cpu 1 0 0x0p+0 0x0p+0 3000 1"})
    EXPECT_THROW(resume_control(second, text, then, {}, "here"), InputError) << text;
}

TEST_F(Kept, BeginsInThePrecisionThatItNeeds) {
  auto options = on_cpu;
  options.precision = Precision::f32;
  auto simulation = kept(model("plummer", 200), options, {.request = {.accuracy = 1e-10}});
  EXPECT_EQ(simulation.describe().precision, "f64");
  EXPECT_TRUE(told("in f32 precision, beyond 1e-10: the run takes mixed"));
  EXPECT_LE(simulation.force_errors().p99, 1e-10);
  EXPECT_THROW(kept(model("plummer", 200), options, {.request = {.accuracy = 1e-17}}), NumericalError);
}

TEST_F(Kept, RefusesWhatCannotBe) {
  auto jerks = leapfrog;
  jerks.integrator = &integrator_named("hermite4");
  EXPECT_THROW(accurate_simulation(on_cpu, model("plummer", 100), law, jerks,
                                   {.request = {.solver = Solver::fmm}}, {.cache = {}}),
               UsageError);
}

TEST(GoOnWith, IsASimulationThatWasSaved) {
  Simulation simulation(model("plummer", 300), law, leapfrog, on_cpu);
  simulation.run_until(4 * dt);
  const EngineOptions other{.precision = Precision::f64, .backend = "cpu"};
  Simulation resumed(simulation.snapshot(), simulation.clock(), law, leapfrog, other);
  simulation.go_on_with(other);
  EXPECT_EQ(simulation.describe().precision, "f64");
  EXPECT_EQ(simulation.step(), 4U);
  for (auto* each : {&simulation, &resumed}) each->run_until(9 * dt);
  EXPECT_EQ(state_hash(simulation.snapshot().bodies), state_hash(resumed.snapshot().bodies));
}

}  // namespace pleiad::control
