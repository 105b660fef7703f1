/// Individual steps of stars: Plummer spheres in Henon's units without softening over one unit of time, with
/// the error of the energy beside the time, and steps that all stars share for the smallest of them.
///
/// Times are those of one run after the start, on the clock and of the processor. The reference of rates is
/// one core, which has some 1e9 pulls with jerks a second with four doubles in a vector.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/columns.hpp"
#include "bench/experiments.hpp"
#include "core/clock.hpp"
#include "core/threads.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

/// More stars take too long with shared steps.
constexpr std::size_t most_shared = 300;
constexpr double longest_step = 1.0 / 16;

struct Followed {
  double error = 0, seconds = 0, processor_seconds = 0, pairs = 0;
  std::uint64_t evaluations = 0;
  EngineDescription engine;
};

Followed followed(const Snapshot& start, const Method& method, double length, const EngineOptions& options) {
  auto engine = options;
  engine.integrator = method.integrator;
  Simulation run(start, {.G = start.G}, method, engine);
  (void)run.reference_energy();
  Followed found;
  const auto before = run.evaluations();
  const double from = seconds(), processor_from = double(std::clock()) / CLOCKS_PER_SEC;
  run.run_until(length);
  found.seconds = seconds() - from;
  found.processor_seconds = double(std::clock()) / CLOCKS_PER_SEC - processor_from;
  found.evaluations = run.evaluations() - before;
  found.engine = run.describe();
  found.pairs = double(found.evaluations) * found.engine.interactions_per_evaluation;
  found.error = std::abs(run.diagnostics().energy_error);
  return found;
}

Table columns() {
  return {.columns = {{"n", "N"},
                      {"steps", "steps"},
                      {"eta", "eta", "{:.3g}"},
                      {"energy_error", "dE/E", "{:.2e}"},
                      {"seconds", "s", "{:.3g}"},
                      {"processor_seconds", "processor s", "{:.3g}"},
                      {"evaluations", "evaluations"},
                      {"active", "active", "{:.4g}"},
                      {"pairs", "pairs", "{:.3g}"},
                      {"pairs_per_s", "pairs / s", "{:.3g}"},
                      {"length", ""},
                      column("precision"),
                      column("threads"),
                      column("device"),
                      column("commit")},
          .rows = {}};
}

Report run(const ExperimentOptions& options, const Progress& progress) {
  if (options.backend != pleiad::name_of(Device::cpu))
    throw UsageError("the experiment individual-steps measures CPUs; leave --backend out");
  const auto place = place_of(Device::cpu);
  set_threads(options.threads);
  const EngineOptions engine{.precision = Precision::f64, .backend = "cpu", .threads = options.threads};
  auto sizes = options.sizes;
  if (sizes.empty())
    sizes = options.quick ? std::vector<std::size_t>{100} : std::vector<std::size_t>{100, 1000, 4096};
  const double length = options.quick ? longest_step : 1;
  Report report;
  report.heading = {heading_of(place)};
  report.table = columns();
  until_stopped(report, [&] {
    for (const auto n : sizes)
      for (const double eta : {0.02, 0.005})
        for (const char* steps : {"individual", "neighbours", "shared"}) {
          const std::string_view kind = steps;
          const bool shared = kind == "shared";
          if (shared && n > most_shared) continue;
          progress(fmt::format("N = {}: {} steps with eta = {:g}", n, steps, eta));
          const auto found =
              followed(model("plummer", {{"n", double(n)}}),
                       {.integrator = &integrator_named(shared ? "hermite4" : "hermite4-block"),
                        .dt = longest_step,
                        .adaptive = shared,
                        .eta = eta,
                        .blocks = {.neighbours = kind == "neighbours" ? Neighbours::on : Neighbours::off}},
                       length, engine);
          report.table.rows.push_back({std::int64_t(n), std::string(steps), eta, found.error, found.seconds,
                                       found.processor_seconds, std::int64_t(found.evaluations),
                                       found.engine.interactions_per_evaluation / double(n), found.pairs,
                                       found.pairs / found.seconds, length, found.engine.precision,
                                       std::int64_t{threads()}, place.device(), place.machine.commit});
        }
  });
  return report;
}

}  // namespace

extern constinit const Experiment individual_steps;
constinit const Experiment individual_steps{
    .name = "individual-steps",
    .idea = "individual steps of stars: times beside energy errors of Plummer spheres",
    .published = "PeTar (arXiv:2006.16560) loses some 2e-6 of the energy of 10,000 single stars by t = 0.25",
    .solvers = true,
    .run = run,
    .columns = columns,
    .read_on = "docs/time.md"};

}  // namespace pleiad::bench
