/// Block time steps against steps that all bodies share, at equal errors of the energy: on a cuspy galaxy, a
/// small cluster in a halo, and an encounter of two galaxies.
///
/// Both ways run over the same time with steps from long to short. The time of a block run is compared with
/// that of a shared run with its error, between the two shared runs next to it on logarithmic scales. Times
/// are of the processor, of all threads: other work on the machine does not change them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/block_scenes.hpp"
#include "bench/columns.hpp"
#include "bench/experiments.hpp"
#include "core/threads.hpp"

#include <pleiad/error.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

struct Stepped {
  double error = 0, seconds = 0, interactions = 0;
  std::uint64_t evaluations = 0;
  EngineDescription engine;
};

double processor_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

Stepped stepped(const BlockScene& scene, const Snapshot& start, const Method& method,
                const EngineOptions& options) {
  auto engine = options;
  engine.integrator = method.integrator, engine.blocks = method.blocks;
  Simulation run(start, {.G = start.G, .softening = {scene.eps}}, method, engine);
  (void)run.reference_energy();
  Stepped found;
  const std::uint64_t before = run.evaluations();
  std::uint64_t looks = 0;
  constexpr int rows = 4;
  for (int row = 1; row <= rows; ++row) {
    const double from = processor_seconds();
    run.run_until(scene.length * row / rows);
    found.seconds += processor_seconds() - from;
    const auto steps_made = run.evaluations();
    found.error = std::max(found.error, std::abs(run.diagnostics().energy_error));
    looks += run.evaluations() - steps_made;
  }
  found.evaluations = run.evaluations() - before - looks;
  found.engine = run.describe();
  found.interactions = double(found.evaluations) * found.engine.interactions_per_evaluation;
  return found;
}

/// Body steps of a shared step over those of steps of their own, at the start.
double ideal_gain(const BlockScene& scene, const Snapshot& start, double eta, const EngineOptions& options) {
  Simulation run(start, {.G = start.G, .softening = {scene.eps}},
                 {.integrator = &integrator_named("kdk"), .dt = scene.dt}, options);
  const auto now = run.snapshot_with_fields();
  double all = 0, most = 1;
  for (std::size_t i = 0; i < now.bodies.size(); ++i) {
    const double step = std::sqrt(2 * eta * scene.eps / norm(Vec3<double>{now.ax[i], now.ay[i], now.az[i]}));
    const double parts = std::exp2(std::max(0.0, std::ceil(std::log2(scene.dt / step))));
    all += parts, most = std::max(most, parts);
  }
  return double(now.bodies.size()) * most / all;
}

/// The logarithm of the time at which shared steps have this error; NaN outside of what was measured.
double time_at(double error, const std::vector<Stepped>& shared) {
  for (std::size_t k = 1; k < shared.size(); ++k) {
    const auto &one = shared[k - 1], &two = shared[k];
    if (!(one.error >= error && error >= two.error && one.error > two.error)) continue;
    const double part = std::log(one.error / error) / std::log(one.error / two.error);
    return std::exp(std::log(one.seconds) + part * std::log(two.seconds / one.seconds));
  }
  return std::numeric_limits<double>::quiet_NaN();
}

Table columns() {
  return {.columns = {{"scene", "scene"},
                      {"n", "N"},
                      {"steps", "steps"},
                      {"step", "longest dt", "{:.4g}"},
                      {"eta", "eta", "{:.3g}"},
                      {"energy_error", "dE/E", "{:.2e}"},
                      {"processor_seconds", "processor s", "{:.3g}"},
                      {"evaluations", "evaluations"},
                      {"interactions", "interactions", "{:.3g}"},
                      {"gain", "gain", "{:.2f}"},
                      {"bound", "half the ideal", "{:.2f}"},
                      {"kernel", "kernel"},
                      column("precision"),
                      {"eps", ""},
                      {"length", ""},
                      column("threads"),
                      column("device"),
                      column("commit")},
          .rows = {}};
}

Report run(const ExperimentOptions& options, const Progress& progress) {
  if (options.backend != pleiad::name_of(Device::cpu))
    throw UsageError("the experiment block-steps measures CPUs; leave --backend out");
  const auto place = place_of(Device::cpu);
  set_threads(options.threads);
  EngineOptions engine{
      .precision = options.precision.value_or(Precision::f64), .backend = "cpu", .threads = options.threads};
  if (options.kernel) engine.method = force_method_of(*options.kernel);
  auto sizes = options.sizes;
  if (sizes.empty()) sizes = options.quick ? std::vector<std::size_t>{1000} : std::vector<std::size_t>{8000};
  const int halvings = options.quick ? 6 : 9;
  std::vector<double> etas{0.64, 0.16, 0.04, 0.01};
  if (options.quick) etas = {0.16, 0.04};
  Report report;
  report.heading = {heading_of(place)};
  report.table = columns();
  // 0, and what is no number, leave a cell empty.
  const auto cell = [](double value) { return value > 0 ? Cell(value) : Cell(); };
  const auto add = [&](const BlockScene& scene, std::size_t n, const Method& method, const Stepped& s,
                       double gain, double bound) {
    const bool blocks = method.integrator->in_blocks;
    report.table.rows.push_back(
        {std::string(scene.name), std::int64_t(n), std::string(blocks ? "blocks" : "shared"), method.dt,
         cell(blocks ? method.eta : 0), s.error, s.seconds, std::int64_t(s.evaluations), s.interactions,
         cell(gain), cell(bound), s.engine.kernel(), s.engine.precision, scene.eps, scene.length,
         std::int64_t{threads()}, place.device(), place.machine.commit});
  };
  until_stopped(report, [&] {
    for (const auto n : sizes)
      for (const auto& scene : block_scenes) {
        if (!options.model.empty() && scene.name != options.model) continue;
        const auto start = scene.make(n);
        std::vector<Stepped> shared;
        for (int k = 1; k <= halvings; ++k) {
          const Method method{.integrator = &integrator_named("kdk"), .dt = std::ldexp(scene.dt, -k)};
          progress(fmt::format("N = {}: {}: shared steps of {:.3g}", n, scene.name, method.dt));
          shared.push_back(stepped(scene, start, method, engine));
          add(scene, n, method, shared.back(), 0, 0);
        }
        for (const double eta : etas) {
          const Method method{.integrator = &integrator_named("block-kdk"), .dt = scene.dt, .eta = eta};
          progress(fmt::format("N = {}: {}: block steps with eta = {:g}", n, scene.name, eta));
          const auto blocks = stepped(scene, start, method, engine);
          add(scene, n, method, blocks, time_at(blocks.error, shared) / blocks.seconds,
              ideal_gain(scene, start, eta, engine) / 2);
        }
      }
  });
  if (report.table.rows.empty() && report.stopped.empty())
    throw UsageError(fmt::format("no scene '{}': it is one of cusp, cluster, encounter", options.model),
                     Error::Code::unknown_name);
  return report;
}

std::vector<std::string> conclude(const Table& table) {
  std::vector<std::string> lines;
  for (const auto& scene : block_scenes) {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const auto& row : table.rows)
      if (const double gain = number(table, row, "gain"); text(table, row, "scene") == scene.name && gain > 0)
        least = std::min(least, gain), most = std::max(most, gain);
    if (most > 0)
      lines.push_back(
          fmt::format("{}: block steps take {:.2f} to {:.2f} times less processor time than shared "
                      "steps with their errors of the energy",
                      scene.name, least, most));
  }
  return lines;
}

}  // namespace

extern constinit const Experiment block_steps;
constinit const Experiment block_steps{
    .name = "block-steps",
    .idea = "block time steps against shared steps, at equal errors of the energy",
    .published =
        "3 to 5 times on GPUs with the classic form (GOTHIC, arXiv:1610.07279); with trees and kept "
        "momentum at most half the ideal gain",
    .solvers = true,
    .run = run,
    .columns = columns,
    .conclude = conclude,
    .read_on = "docs/time.md"};

}  // namespace pleiad::bench
