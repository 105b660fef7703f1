/// Convergence of a simulation: the orders of the integrators, and what is said of single orbits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/convergence.hpp"

#include "io/config/config.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;

namespace {

ConvergenceRequest request_of(const std::string& model, double dt, double t_end) {
  ConvergenceRequest request;
  auto& o = request.options;
  o.ic.model = model;
  o.time.dt = dt, o.time.t_end = t_end;
  o.engine.backend = "cpu", o.engine.kernel = "cpu/threads", o.engine.precision = "f64";
  return request;
}

bool finds(const Convergence& c, const std::string& words) {
  return std::any_of(c.findings.begin(), c.findings.end(),
                     [&](const std::string& f) { return f.find(words) != f.npos; });
}

}  // namespace

TEST(Convergence, FindsTheOrderOfTheIntegratorFromEnergiesAndStates) {
  for (const auto& [name, order, dt] : {std::tuple{"kdk", 2.0, 0.005}, {"blanes-moan4", 4.0, 0.02}}) {
    auto request = request_of("figure-eight", dt, 12);
    request.options.time.integrator = name;
    const auto found = convergence_of(request);
    ASSERT_EQ(found.runs.size(), 3U);
    // Errors of the next order are some percent of these.
    EXPECT_NEAR(found.runs[0].energy_order, order, 0.1) << name;
    EXPECT_NEAR(found.runs[0].distance_order, order, 0.1) << name;
    EXPECT_TRUE(std::isnan(found.runs[2].distance) && std::isnan(found.runs[1].distance_order));
    EXPECT_EQ(found.runs[2].steps, 4 * found.runs[0].steps);
    EXPECT_TRUE(finds(found, "regular: a shift of the positions grows")) << found.findings.front();
    EXPECT_TRUE(finds(found, "until the end, t = 12")) << found.findings.back();
  }
}

TEST(Convergence, SaysUntilWhenOrbitsOfAChaoticSystemMeanSomething) {
  auto request = request_of("plummer", 0.01, 12);
  request.options.ic.parameters = {"n=40"}, request.options.gravity.softening = 0.02;
  request.levels = 2;
  const auto found = convergence_of(request);
  EXPECT_TRUE(finds(found, "chaotic: a shift of the positions grows by e every")) << found.findings.front();
  EXPECT_TRUE(finds(found, "whatever the step"));
  EXPECT_LT(found.compared_at, 12);
}

TEST(Convergence, ComparesAccuraciesOfTheForces) {
  auto request = request_of("plummer", 0.01, 0.1);
  request.options.ic.parameters = {"n=3000"}, request.options.gravity.softening = 0.05;
  request.options.engine.kernel = "auto";
  request.levels = 2, request.accuracies = {1e-2, 1e-4}, request.rows = 4;
  const auto found = convergence_of(request);
  ASSERT_EQ(found.runs.size(), 4U);
  EXPECT_EQ(found.runs[2].name, "accuracy = 0.01");
  // Which solvers are the fastest depends on the machine: direct sums have no distance.
  for (const std::size_t k : {2, 3}) {
    EXPECT_GE(found.runs[k].distance, 0);
    EXPECT_LE(found.runs[k].distance, 1e-2) << found.runs[k].method;
  }
  const auto csv = csv_of(found);
  EXPECT_NE(
      csv.find("\ntime,size,energy_error_1,energy_error_2,energy_error_3,energy_error_4,distance_1,"
               "largest_distance_1,distance_3,largest_distance_3,distance_4,largest_distance_4,shift\n"),
      csv.npos)
      << csv;
}

TEST(Convergence, RefusesWhatCannotBeCompared) {
  auto request = request_of("plummer", 0.01, 0.1);
  request.options.gravity.softening = 0.05;
  request.options.ensemble.count = 2;
  EXPECT_THROW(convergence_of(request), UsageError);
  request.options.ensemble.count = 0;
  request.options.encounters.radius = 0.1, request.options.encounters.on_collision = "merge";
  EXPECT_THROW(convergence_of(request), UsageError);
  request.options.encounters = {};
  request.options.time.t_end = 0;
  EXPECT_THROW(convergence_of(request), UsageError);
}
