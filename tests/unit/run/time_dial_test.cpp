/// What the dial of time promises beside the error: little work, quiet steps on regular orbits, a plain word
/// where rounding is in the way, and the bits of a run that was killed.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"
#include "run/convergence.hpp"
#include "run/kernel.hpp"
#include "run/start.hpp"
#include "sizes.hpp"
#include "unit/run/budget_runs.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::run;
using test::budget_request;
using test::need_kept;
using test::summary_of;

namespace {

namespace fs = std::filesystem;
constexpr double never = std::numeric_limits<double>::infinity();

/// The number after some words of a text; NaN where they do not stand there.
double number_after(const std::string& text, const std::string& words) {
  const auto at = text.find(words);
  return at == text.npos ? std::numeric_limits<double>::quiet_NaN()
                         : std::stod(text.substr(at + words.size()));
}

std::string refusal(const Request& request) {
  try {
    (void)execute(request);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "";
}

/// The worst error of a run with a fixed step, looked at after every step; infinite beyond `most`.
double worst_of(const Options& options, const Snapshot& initial, const char* integrator, double dt,
                double most) {
  Simulation s(initial, gravity_of(options), {.integrator = &integrator_named(integrator), .dt = dt},
               {.precision = Precision::f64});
  const double scale = std::abs(s.reference_energy());
  double worst = 0;
  for (bool there = false; !there;) {
    there = s.run_towards(s.moment_at(options.time.t_end), 1, true);
    take_larger(worst, std::abs(s.energies().total() - s.reference_energy()) / scale);
    if (!(worst <= most)) return never;
  }
  return worst;
}

/// Evaluations of the cheapest fixed step of a ladder of halved ones that keeps the budget.
double best_of_the_ladder(Options options, double budget) {
  const auto start = prepare(options);
  const double length = options.time.t_end - start.initial.time;
  double best = never;
  for (const char* name : {"kdk", "blanes-moan4", "yoshida6"}) {
    const double each = integrator_named(name).evaluations;
    for (double steps = 8; steps * each < best; steps *= 2)
      if (worst_of(options, start.initial, name, length / steps, budget) <= budget) best = steps * each;
  }
  return best;
}

}  // namespace

// Work: half of a factor of the ladder, and the law that spends the budget bit by bit.
struct WorkCase {
  const char *name, *model;
  std::vector<std::string> settings;
  double t_end, budget, most;  ///< times the work of the best fixed step, known afterwards
};

class DialWork : public testing::TestWithParam<WorkCase> {};

TEST_P(DialWork, IsLittleMoreThanThatOfTheBestFixedStep) {
  const auto& c = GetParam();
  const test::Folder folder;
  auto request = budget_request(c.model, c.t_end, c.budget, folder.path / "run");
  for (const auto& setting : c.settings) apply_setting(request.options, setting);
  const double best = best_of_the_ladder(request.options, c.budget);
  ASSERT_EQ(execute(request), End::done);
  need_kept(folder.path / "run", c.budget);
  const double made = summary_of(folder.path / "run").at("evaluations");
  std::cout << c.name << ": " << made << " evaluations, the best fixed step " << best << "\n";
  EXPECT_LE(made, c.most * best);
}

const std::vector<std::string> soft{"initial_conditions.parameters=[\"n=64\"]", "gravity.softening=0.05"};

INSTANTIATE_TEST_SUITE_P(Runs, DialWork,
                         testing::Values(WorkCase{"SoftCluster", "plummer", soft, 5, 1e-6, 2.5},
                                         WorkCase{"SoftCluster1e4", "plummer", soft, 5, 1e-4, 2.5},
                                         // A fixed step must be that of the densest moment.
                                         WorkCase{"Collapse", "cold-sphere", soft, 4, 1e-4, 1},
                                         WorkCase{"Collapse1e6", "cold-sphere", soft, 4, 1e-6, 1},
                                         WorkCase{"FigureEight", "figure-eight", {}, 300, 1e-6, 2.5},
                                         WorkCase{"Planets", "solar-system", {}, 300, 1e-8, 2.5},
                                         WorkCase{"Encounter",
                                                  "encounter",
                                                  {"initial_conditions.parameters=[\"n=200\"]",
                                                   "gravity.softening=0.5"},
                                                  0.3,
                                                  1e-4,
                                                  2.5}),
                         [](const auto& info) { return info.param.name; });

TEST(Dial, SearchesForATwentiethOfALongRun) {
  const test::Folder folder;
  test::NotesOfRun notes;
  auto request = budget_request("plummer", 200, 1e-4, folder.path / "run");
  request.options.ic.parameters = {"n=300"}, request.options.gravity.softening = 0.1;
  request.observer = &notes;
  ASSERT_EQ(execute(request), End::done);
  need_kept(folder.path / "run", 1e-4);
  const auto first = notes.with("energy error 0.0001 asked");
  const double trial = number_after(first, "trial over "), spent = number_after(first, "the trials cost ");
  ASSERT_GE(200 / trial, 20) << first;
  EXPECT_LE(spent, 0.05 * double(summary_of(folder.path / "run").at("evaluations"))) << first;
}

// Rows many times an orbit must not tempt the watch to change the step within each: a bounded error would
// become a drift. From a pericentre on the error is large everywhere but near the pericentres, so that it
// only becomes smaller there.
TEST(Dial, LeavesTheStepOfARegularOrbitAlone) {
  const double period = 2 * std::numbers::pi;
  for (const double rows : {0.2, 3.0, 30.0})
    for (const char* anomaly : {"mean_anomaly=180", "mean_anomaly=0"}) {
      const test::Folder folder;
      const double t_end = test::all_or(200.0, 50.0) * period;
      auto request = budget_request("two-body", t_end, 1e-3, folder.path / "run");
      request.options.ic.parameters = {"e=0.9", anomaly};
      request.options.time.integrator = "forest-ruth";
      request.options.output.diagnostics_interval = period / rows;
      test::NotesOfRun notes;
      request.observer = &notes;
      ASSERT_EQ(execute(request), End::done);
      need_kept(folder.path / "run", 1e-3);
      const auto summary = summary_of(folder.path / "run");
      const double dt = number_after(notes.with("asked: forest-ruth"), "dt ");
      EXPECT_EQ(summary.at("energy_budget").at("rollbacks"), 0) << rows << anomaly;
      EXPECT_LE(double(summary.at("evaluations")), 1.1 * 3 * t_end / dt) << rows << anomaly;
      // The orbit comes back a little late, so only at an apocentre is the error that is left there a drift.
      // Of both starts it is that of a fixed step of this length.
      const double left = test::rows_of(folder.path / "run").back().at(test::column_of_error);
      if (anomaly == std::string("mean_anomaly=180")) {
        EXPECT_LE(std::abs(left), 1e-11) << rows;
      }
      auto options = request.options;
      const auto start = prepare(options);
      const auto steps = std::uint64_t(summary.at("step"));
      Simulation fixed(start.initial, gravity_of(options),
                       {.integrator = &integrator_named("forest-ruth"), .dt = t_end / double(steps)},
                       {.precision = Precision::f64});
      (void)fixed.reference_energy();
      fixed.make_steps(steps);
      EXPECT_NEAR(left, fixed.diagnostics().energy_error, 1e-11) << rows << anomaly;
    }
}

// At t = 15.8 two bodies pass at 4e-4: positions rounded to doubles are then worth 1.8e-9 of the energy.
TEST(Dial, SaysWhereRoundingIsInTheWay) {
  const test::Folder folder;
  auto request = budget_request("pythagorean", 70, 1e-9, folder.path / "run");
  request.options.time.integrator = "hermite4";
  const auto text = refusal(request);
  EXPECT_NE(text.find("no integrator keeps it"), text.npos) << text;
  EXPECT_NEAR(number_after(text, "from t = "), 15.8, 0.1) << text;
  EXPECT_FALSE(fs::exists(folder.path / "run"));
  // The search gives up in time.
  auto kept = budget_request("pythagorean", 70, 1e-6, folder.path / "kept");
  kept.options.time.integrator = "hermite4";
  ASSERT_EQ(execute(kept), End::done);
  need_kept(folder.path / "kept", 1e-6);
  EXPECT_LE(number_after(text, "the trials made "),
            20 * double(summary_of(folder.path / "kept").at("evaluations")))
      << text;
}

/// Copies the folder of a run at its first roll-back, as a kill at this moment would leave it.
struct KillAtRollBack : Observer {
  fs::path from, to;
  void note(const std::string& text) override {
    if (text.find("roll-back") == text.npos || fs::exists(to)) return;
    for (const auto& entry : fs::recursive_directory_iterator(from)) {
      const auto place = to / fs::relative(entry.path(), from);
      fs::create_directories(place.parent_path());
      if (entry.is_regular_file()) fs::copy_file(entry.path(), place, fs::copy_options::overwrite_existing);
    }
  }
};

TEST(Dial, HasTheSameBitsAfterAKillInTheMiddleOfARollBack) {
  const test::Folder folder;
  const auto of = [&](const fs::path& directory) {
    auto request = budget_request("cold-sphere", 2, 1e-4, directory);
    request.options.ic.parameters = {"n=64"}, request.options.gravity.softening = 0.05;
    request.options.time.integrator = "forest-ruth";
    request.options.checkpoint.every_steps = 1;
    return request;
  };
  KillAtRollBack killed;
  killed.from = folder.path / "whole", killed.to = folder.path / "killed";
  auto request = of(killed.from);
  request.observer = &killed;
  ASSERT_EQ(execute(request), End::done);
  ASSERT_TRUE(fs::exists(killed.to));
  Request again;
  again.resume = killed.to;
  ASSERT_EQ(execute(again), End::done);
  const auto whole = summary_of(killed.from), resumed = summary_of(killed.to);
  EXPECT_GE(whole.at("energy_budget").at("rollbacks"), 1);
  EXPECT_EQ(whole.at("state_hash"), resumed.at("state_hash"));
  EXPECT_EQ(whole.at("energy_budget"), resumed.at("energy_budget"));
  EXPECT_EQ(read_file(killed.from / "diagnostics.txt"), read_file(killed.to / "diagnostics.txt"));
}

// dE(t) = -dt^2 (H2(t) - H2(0)) up to the next order: the rows of a coarse run tell the worst error of
// another step.
TEST(ErrorTermOfKdk, PredictsTheWorstErrorOfOtherStepsInEquilibrium) {
  for (const char* model : {"plummer", "hernquist"}) {
    const test::Folder folder;
    const auto run = [&](double dt) {
      auto request = budget_request(model, 4, 0, folder.path / fmt::format("{:g}", dt));
      request.options.ic.parameters = {"n=200"}, request.options.gravity.softening = 0.1;
      request.options.time.dt = dt, request.options.output.diagnostics_interval = 1.0 / 64;
      request.options.output.kdk_error_term = true;
      EXPECT_EQ(execute(request), End::done);
      return test::rows_of(request.options.output.directory);
    };
    const auto coarse = run(1.0 / 64);
    const double fine_dt = 1.0 / 256;
    double predicted = 0, worst = 0;
    for (const auto& row : coarse)
      predicted = std::max(predicted, fine_dt * fine_dt * std::abs(row.back() - coarse.front().back()) /
                                          std::abs(coarse.front().at(test::column_of_energy)));
    for (const auto& row : run(fine_dt)) take_larger(worst, std::abs(row.at(test::column_of_error)));
    std::cout << model << ": predicted " << predicted << ", worst " << worst << "\n";
    EXPECT_LE(predicted, 1.3 * worst) << model;
    EXPECT_GE(predicted, worst / 1.3) << model;
  }
}

// The energy of the leapfrog is good to 4e-6 all the time: it is that of the giants.
TEST(PositionLine, NamesMercury) {
  ConvergenceRequest request;
  auto& o = request.options;
  o.ic.model = "solar-system", o.time.dt = 0.02, o.time.t_end = 60;
  o.engine.backend = "cpu", o.engine.kernel = "cpu/threads", o.engine.precision = "f64";
  const auto found = convergence_of(request);
  std::string line;
  for (const auto& finding : found.findings)
    if (finding.find("distances from the heaviest body") != finding.npos) line = finding;
  EXPECT_NE(line.find("body 1 is wrong first"), line.npos) << line;
  EXPECT_LT(number_after(line, "until t = "), 50) << line;
  EXPECT_GT(found.rows.back().position_error, 0.1);
  EXPECT_LT(found.runs.front().worst_energy_error, 1e-5);
}

// A run with half the step tells the position error: of order p it is the distance times 2^p / (2^p - 1).
TEST(TwinOfHalfTheStep, TellsThePositionErrorToATenth) {
  for (const auto& [model, integrator, dt] : {std::tuple{"figure-eight", "kdk", 0.002},
                                              {"figure-eight", "blanes-moan4", 0.04},
                                              {"solar-system", "kdk", 0.01}}) {
    ConvergenceRequest request;
    auto& o = request.options;
    o.ic.model = model, o.time.integrator = integrator, o.time.dt = dt, o.time.t_end = 20;
    o.engine.backend = "cpu", o.engine.kernel = "cpu/threads", o.engine.precision = "f64";
    request.levels = 2;
    const auto found = convergence_of(request);
    auto options = request.options;
    const auto start = prepare(options);
    const auto end_of = [&](const char* name, double step) {
      Simulation s(start.initial, gravity_of(options), {.integrator = &integrator_named(name), .dt = step},
                   {.precision = Precision::f64});
      s.run_until(options.time.t_end);
      return s.snapshot().bodies;
    };
    const auto own = end_of(integrator, dt), exact = end_of("kahan-li8", 0.01);
    double sum = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const auto d = own.position(i) - exact.position(i);
      sum += dot(d, d) / double(own.size());
    }
    const double error = std::sqrt(sum) / found.rows.back().size,
                 factor = std::exp2(found.order) / (std::exp2(found.order) - 1),
                 told = found.rows.back().distances.front() * factor;
    EXPECT_GT(error, 0);
    EXPECT_NEAR(told, error, 0.1 * error) << model << " " << integrator;
  }
}
