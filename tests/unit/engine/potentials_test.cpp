/// Potentials that are found with the last accelerations of a batch of steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/engine.hpp>
#include <pleiad/models.hpp>

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

const Bodies& cluster() {
  static const Bodies bodies = make_model("plummer", std::vector<std::string>{"n=1500"}, 1).bodies;
  return bodies;
}
struct Outcome {
  Totals totals;
  Snapshot fields;
  std::string hash;
  std::uint64_t evaluations = 0;
};
/// Of two batches with a look at the potentials after each.
Outcome outcome(const std::string& method, Precision precision, const char* integrator, bool periodic,
                bool expected) {
  Gravity gravity{.softening = {0.05}};
  if (periodic) gravity.boundary = {.periodic = true, .length = {30, 30, 30}, .images = Images::all};
  auto bodies = cluster();
  const auto engine = make_engine(
      bodies, gravity, {.precision = precision, .backend = "cpu", .method = force_method_of(method)});
  Outcome o;
  for (int batch = 0; batch < 2; ++batch) {
    if (expected) engine->expect_potentials();
    engine->advance({.integrator = &integrator_named(integrator), .dt = 0.01}, 3);
    o.totals = engine->totals();
    engine->fields(o.fields);
  }
  engine->copy_to_host(bodies);
  o.hash = state_hash(bodies), o.evaluations = engine->evaluations();
  return o;
}

void expect_same(const std::string& method, Precision precision, const char* integrator, bool periodic,
                 std::uint64_t saved) {
  SCOPED_TRACE(method + ", " + std::string(name_of(precision)) + ", " + integrator);
  const auto apart = outcome(method, precision, integrator, periodic, false),
             together = outcome(method, precision, integrator, periodic, true);
  EXPECT_EQ(apart.hash, together.hash);
  EXPECT_EQ(apart.totals.energies.potential, together.totals.energies.potential);
  EXPECT_EQ(apart.totals.energies.kinetic, together.totals.energies.kinetic);
  EXPECT_EQ(apart.fields.potential, together.fields.potential);
  EXPECT_EQ(apart.fields.ax, together.fields.ax);
  EXPECT_EQ(apart.evaluations, together.evaluations + saved);
}

}  // namespace

TEST(ExpectedPotentials, OfTreesComeWithTheLastAccelerations) {
  for (const auto* method :
       {"cpu/fmm order=5 theta=0.6 leaf=32", "cpu/fmm order=4 criterion=error tolerance=0.1",
        "cpu/barnes-hut order=2 theta=0.6", "cpu/barnes-hut order=3 theta=0.5 structure=kd"})
    for (const auto precision : {Precision::f32, Precision::mixed, Precision::f64})
      for (const bool periodic : {false, true})
        for (const auto* integrator : {"kdk", "forest-ruth"})
          expect_same(method, precision, integrator, periodic, 2);
}
TEST(ExpectedPotentials, OfThePresentStateComeWithItsFirstAccelerations) {
  const Gravity gravity{.softening = {0.05}};
  for (const auto* method : {"cpu/fmm order=5 theta=0.6 leaf=32", "cpu/barnes-hut order=2 theta=0.6"}) {
    const EngineOptions options{.backend = "cpu", .method = force_method_of(method)};
    const auto apart = make_engine(cluster(), gravity, options),
               together = make_engine(cluster(), gravity, options);
    together->expect_potentials();
    const std::vector<std::size_t> some{3, 700};
    const auto found = apart->computed_accelerations(some).found;
    EXPECT_EQ(together->computed_accelerations(some).found, found) << method;
    EXPECT_EQ(together->totals().energies.potential, apart->totals().energies.potential) << method;
    EXPECT_EQ(together->evaluations(), 1U) << method;
    EXPECT_EQ(apart->evaluations(), 2U) << method;
  }
}
TEST(ExpectedPotentials, OfOtherMethodsAndStepsThatEndWithADriftAreFoundWhenAskedFor) {
  expect_same("cpu/fmm order=5 theta=0.6", Precision::mixed, "dkd", false, 0);
  expect_same("cpu/symmetric", Precision::f32, "kdk", false, 0);
  expect_same("cpu/ewald", Precision::f64, "kdk", true, 0);
}

}  // namespace pleiad
