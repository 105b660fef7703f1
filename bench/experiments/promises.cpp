/// What the accuracy setting promises, what it tells, and what is true: a start with a requested accuracy on
/// bodies that are hard to bound, and its errors on all bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/experiments/promises.hpp"

#include "bench/columns.hpp"
#include "bench/experiments.hpp"
#include "control/start.hpp"
#include "core/larger.hpp"
#include "core/threads.hpp"
#include "engine/ranks_sample.hpp"

#include <pleiad/error.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

struct Ask {
  std::optional<Solver> solver;
  double accuracy;
};

/// Of one start; refused: why, and nothing else.
struct Outcome {
  ForceErrors told, everywhere;
  EngineDescription engine;
  double seconds = 0;  ///< of one evaluation
  std::string refused{};
};

Sample everybody(std::size_t n, const Sample& some) {
  Sample all = some;
  all.bodies.resize(n);
  std::iota(all.bodies.begin(), all.bodies.end(), std::size_t{0});
  all.weights.assign(n, 1.0), all.closest = 0;
  return all;
}

/// An evaluation is timed by steps that move nothing.
double seconds_of_a_step(Simulation& simulation) {
  double best = 1e300;
  for (int k = 0; k < 3; ++k) {
    const double start = seconds();
    simulation.make_steps(1);
    (void)simulation.finite();
    best = std::min(best, seconds() - start);
  }
  return best;
}

Outcome outcome_of(const Bodies& bodies, double eps, const Ask& ask, const EngineOptions& options,
                   const std::vector<Vec3<double>>& exact) {
  const Gravity gravity{.softening = {eps}};
  const control::Demand demand{.request = {.accuracy = ask.accuracy, .solver = ask.solver},
                               .tuning = tune::Tuning::off};
  const auto settle = [&](const EngineOptions& some, const Bodies& all, std::optional<MeasuredSample>& drawn,
                          const control::Note& note) {
    tune::TuningContext context;
    context.note = note;
    return control::resolved_engine(some, all, gravity, demand, context, &drawn);
  };
  Snapshot initial;
  initial.bodies = bodies;
  try {
    auto start = control::accurate_start(options, std::move(initial), gravity,
                                         {.integrator = &integrator_named("kdk"), .dt = 1e-30}, demand,
                                         settle, [](const std::string&) {});
    const auto all = everybody(bodies.size(), start.first.sample);
    Outcome outcome{.told = start.first.errors,
                    .everywhere = start.simulation.force_errors(all, exact),
                    .engine = start.simulation.describe()};
    outcome.seconds = seconds_of_a_step(start.simulation);
    return outcome;
  } catch (const Error& e) {
    return {.told = {}, .everywhere = {}, .engine = {}, .refused = e.what()};
  }
}

Table columns() {
  return {.columns = {{"set", "set"},
                      {"n", "N"},
                      {"asked", "asked", "{:.0e}"},
                      {"solver", "solver asked"},
                      {"told_p99", "told p99", "{:.1e}"},
                      {"told_high", "to", "{:.1e}"},
                      {"true_p99", "true p99", "{:.1e}"},
                      {"true_over_asked", "true/asked", "{:.2f}"},
                      {"cancelled", "cancelled"},
                      {"ms", "ms", "{:.3g}"},
                      {"kernel", "kernel"},
                      column("precision"),
                      {"eps", ""},
                      {"refused", ""},
                      column("threads"),
                      column("device"),
                      column("commit")},
          .rows = {}};
}

Report run(const ExperimentOptions& options, const Progress& progress) {
  const auto where = options.backend == pleiad::name_of(Device::cuda) ? Device::cuda : Device::cpu;
  const EngineOptions engine{.precision = options.precision.value_or(Precision::mixed),
                             .backend = std::string(pleiad::name_of(where)),
                             .threads = options.threads};
  set_threads(options.threads);
  const auto place = place_of(where);
  std::vector<std::size_t> sizes = options.sizes;
  if (sizes.empty())
    sizes = options.quick ? std::vector<std::size_t>{300, 3000} : std::vector<std::size_t>{300, 5000, 60'000};
  std::vector<double> asked{1e-2, 1e-3, 1e-4, 1e-5};
  if (options.accuracy) asked = {*options.accuracy};
  Report report;
  report.heading = {heading_of(place)};
  report.table = columns();
  until_stopped(report, [&] {
    for (const auto n : sizes)
      for (const auto& set : hard_sets()) {
        if (!options.model.empty() && set.name != hard_set_named(options.model).name) continue;
        const auto bodies = set.make(n, n);
        std::vector<std::size_t> all(n);
        std::iota(all.begin(), all.end(), std::size_t{0});
        progress(fmt::format("N = {}: {}: direct sums of all bodies", n, set.name));
        const auto exact = exact_on(where, ranks::self(), bodies, {.softening = {set.eps}}, all);
        for (const double accuracy : asked)
          for (const std::optional<Solver> solver :
               {std::optional<Solver>(), std::optional(Solver::fmm), std::optional(Solver::barnes_hut)}) {
            const std::string name = solver ? std::string(pleiad::name_of(*solver)) : "automatic";
            progress(fmt::format("N = {}: {}: {:g} by {}", n, set.name, accuracy, name));
            const auto o = outcome_of(bodies, set.eps, {solver, accuracy}, engine, exact);
            const bool done = o.refused.empty();
            const auto cell = [&](auto value) { return done ? Cell(value) : Cell(); };
            report.table.rows.push_back(
                {std::string(set.name), std::int64_t(n), accuracy, name, cell(o.told.p99),
                 cell(o.told.p99_high), cell(o.everywhere.p99), cell(o.everywhere.p99 / accuracy),
                 cell(std::int64_t(o.everywhere.cancelled)), cell(1e3 * o.seconds),
                 done ? o.engine.kernel() : std::string("refused"), o.engine.precision, set.eps, o.refused,
                 std::int64_t{threads()}, place.device(), place.machine.commit});
          }
      }
  });
  return report;
}

std::vector<std::string> conclude(const Table& table) {
  std::size_t done = 0, kept = 0, held = 0;
  double worst = 0;
  for (const auto& row : table.rows) {
    const double over = number(table, row, "true_over_asked");
    if (!(over >= 0)) continue;
    ++done, kept += over <= 1;
    held += number(table, row, "true_p99") <= number(table, row, "told_high");
    take_larger(worst, over);
  }
  return {
      fmt::format("of {} starts {} were refused; of the others {} kept the accuracy on all bodies, at worst "
                  "{:.2f} of it; the true percentile is below the upper end of the told interval in {}",
                  table.rows.size(), table.rows.size() - done, kept, worst, held)};
}

}  // namespace

extern constinit const Experiment promises;
constinit const Experiment promises{
    .name = "promises",
    .idea = "whether 99 % of all bodies have the accuracy that was asked for, on sets that are hard to bound",
    .published = "none; goal: the true percentile is at most what was asked, everywhere",
    .solvers = true,
    .run = run,
    .columns = columns,
    .conclude = conclude,
    .read_on = "docs/solvers.md"};

}  // namespace pleiad::bench
