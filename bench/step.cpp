/// What a whole step costs beyond its force evaluation.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/step.hpp"

#include "bench/force_problem.hpp"
#include "bench/machine.hpp"
#include "bench/measure.hpp"
#include "bench/timing.hpp"
#include "core/threads.hpp"

#include <pleiad/choice.hpp>
#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

/// Batches are much shorter than a scheduler's slice, so few of them are interrupted.
constexpr double eps = 0.05, batch_seconds = 3e-4;

struct StepRow {
  std::string kernel;
  int threads = 1;
  Timing step, force, overhead;  ///< overhead: of step over force - 1, batch by batch
};

/// Turns of a batch of steps and a batch of evaluations until the budget is spent.
StepRow measure_step(const Bodies& bodies, Precision precision, int threads, const StepOptions& options) {
  const Gravity gravity{.G = 1, .softening = {.eps = eps}, .boundary = {}, .dimension = 3};
  const auto engine =
      make_engine(bodies, gravity,
                  {.precision = precision, .backend = "cpu", .kernel = options.kernel, .threads = threads});
  const auto& kernel = direct_kernel(engine->describe().kernel);
  const Case what{.kernel = &kernel,
                  .precision = precision,
                  .threads = engine->describe().threads,
                  .shape = options.kernel == "auto"
                               ? choose_direct_kernel(bodies.size(), precision, gravity).shape
                               : LaunchShape{}};
  const auto problem = make_force_problem(bodies, gravity.softening, precision);
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = 1e-4, .damping = 1};

  engine->advance(plan, 10);
  double once = 1;
  for (int k = 0; k < 5; ++k)
    once = std::min(once, seconds_of([&] { problem->evaluate(kernel, what.shape); }));
  const auto batch = std::uint64_t(std::clamp(std::ceil(batch_seconds / once), 1.0, 10000.0));
  const auto time_steps = [&] {
    const auto before = engine->evaluations();
    const double seconds = seconds_of([&] { engine->advance(plan, batch); });
    if (engine->evaluations() - before != batch)
      throw NumericalError(fmt::format("no figure: {} leapfrog steps took {} force evaluations", batch,
                                       engine->evaluations() - before));
    return seconds / double(batch);
  };
  const auto time_forces = [&] {
    problem->poison();
    const double seconds = seconds_of([&] {
      for (std::uint64_t b = 0; b < batch; ++b) problem->evaluate(kernel, what.shape);
    });
    return seconds / double(batch);
  };
  std::vector<double> steps, forces, overheads;
  for (double spent = 0; spent < options.budget_seconds || steps.size() < 5;) {
    // Which goes first changes from turn to turn, lest a scheduler's slice always end in the same one.
    const bool forces_first = steps.size() % 2 == 0;
    if (forces_first) forces.push_back(time_forces());
    steps.push_back(time_steps());
    if (!forces_first) forces.push_back(time_forces());
    sound_forces(what, *problem);
    overheads.push_back(steps.back() / forces.back() - 1);
    spent += (steps.back() + forces.back()) * double(batch);
  }
  if (!engine->finite()) throw NumericalError("no figure: a position or velocity is not finite");
  const StepRow row{std::string(kernel.name), threads, summarise(steps), summarise(forces),
                    summarise(overheads)};
  const double pairs = double(bodies.size()) * double(bodies.size());
  possible_limit(what, bodies.size(), pairs / std::min(row.step.median, row.force.median));
  return row;
}

}  // namespace

Report step_overhead(const StepOptions& options, const Progress& progress) {
  const auto machine = this_machine();
  auto threads = options.threads;
  if (threads.empty()) threads = machine.cores > 1 ? std::vector{1, machine.cores} : std::vector{1};
  Report report;
  report.table.columns = {{"kernel", "kernel"},
                          {"device", ""},
                          {"precision", "precision"},
                          {"n", "N"},
                          {"threads", "threads"},
                          {"step_us", "step us", "{:.2f}", 1},
                          {"force_us", "force us", "{:.2f}", 1},
                          {"steps_per_second", "steps/s", "{:.5g}"},
                          {"overhead", "overhead %", "{:.2f}", 100},
                          {"overhead_low_quartile", "from", "{:.2f}", 100},
                          {"overhead_high_quartile", "to", "{:.2f}", 100},
                          {"commit", ""},
                          {"simd_target", ""}};
  for (const auto n : options.sizes) {
    if (n < 2) throw UsageError(fmt::format("N = {} must be at least 2", n));
    const std::string settings[] = {fmt::format("n={}", n)};
    const auto bodies = make_model("plummer", settings, 1).bodies;
    for (const auto precision : options.precisions)
      for (const int t : threads) {
        if (t < 1 || t > machine.cores)
          throw UsageError(fmt::format("threads = {} must be from 1 to {}", t, machine.cores));
        progress(fmt::format("step {} N = {} threads {}", name_of(precision), n, t));
        const auto row = measure_step(bodies, precision, t, options);
        report.table.rows.push_back(
            {row.kernel, machine.device, std::string(name_of(precision)), std::int64_t(n), std::int64_t{t},
             1e6 * row.step.median, 1e6 * row.force.median, 1 / row.step.median, row.overhead.median,
             row.overhead.low_quartile, row.overhead.high_quartile, machine.commit, machine.simd_target});
      }
  }
  report.heading = {fmt::format("{}, {}; Pleiad {}", machine.device, machine.simd_target, machine.commit),
                    "leapfrog steps through the engine against bare force evaluations, batches in turn; "
                    "overhead: median and quartiles"};
  return report;
}

}  // namespace pleiad::bench
