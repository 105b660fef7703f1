/// Trees: from how many bodies on they beat direct sums, on smooth and on clustered bodies, at a stated
/// error.
///
/// Each row is the fastest settings of one solver that meet an accuracy (the 99th percentile of |da| / |a|)
/// on these bodies, as the planner finds them, with its parts: the build of the tree, the moments, the
/// forces. Direct sums in the same precision stand beside it; above 16384 bodies their time is that of 16384,
/// scaled.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/columns.hpp"
#include "bench/experiments.hpp"
#include "core/threads.hpp"
#include "tree/cpu/methods.hpp"
#include "tune/planner.hpp"

#include <pleiad/choice.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

Bodies of_model(std::string_view name, std::size_t n, std::uint64_t seed = 1) {
  const std::array settings{fmt::format("n={}", n)};
  return make_model(name, settings, seed).bodies;
}

/// Half of the bodies are a King cluster, a twentieth as wide as the NFW halo that it is in.
Bodies cluster_in_halo(std::size_t n) {
  const std::array king{fmt::format("n={}", n / 2), std::string("W0=9")};
  const auto cluster = make_model("king", king, 3).bodies;
  Bodies all;
  const auto halo = of_model("nfw", n - n / 2, 4);
  for (std::size_t i = 0; i < halo.size(); ++i) all.add(halo.mass[i], halo.position(i) * 10.0, {0, 0, 0});
  for (std::size_t i = 0; i < cluster.size(); ++i)
    all.add(0.02 * cluster.mass[i], cluster.position(i) * 0.05 + Vec3<double>{3, 0, 0}, {0, 0, 0});
  return all;
}

struct Scene {
  std::string_view name;
  double eps;
  Bodies (*make)(std::size_t n);
};
constexpr std::array scenes{Scene{"plummer", 1e-3, [](std::size_t n) { return of_model("plummer", n); }},
                            Scene{"galaxy", 0.1, [](std::size_t n) { return of_model("galaxy", n); }},
                            Scene{"merger", 0.1, [](std::size_t n) { return of_model("encounter", n); }},
                            Scene{"cluster in halo", 1e-3, cluster_in_halo}};

std::vector<Solver> solvers() {
  std::vector<Solver> all;
  for (const auto* method : tree::methods())
    if (std::find(all.begin(), all.end(), method->solver) == all.end()) all.push_back(method->solver);
  return all;
}

Table columns() {
  return {.columns = {{"model", "model"},
                      {"n", "N"},
                      {"accuracy", "asked", "{:g}"},
                      {"solver", "solver"},
                      {"ms", "ms", "{:.4g}"},
                      {"direct_ms", "direct ms", "{:.4g}"},
                      {"speedup", "faster", "{:.3g}"},
                      {"build_ms", "build", "{:.3g}"},
                      {"moments_ms", "moments", "{:.3g}"},
                      {"forces_ms", "forces", "{:.4g}"},
                      {"error_p50", "error p50", "{:.1e}"},
                      {"error_p99", "p99", "{:.1e}"},
                      {"error_max", "max", "{:.1e}"},
                      {"pairs_per_body", "pairs/body", "{:.0f}"},
                      {"cells_per_body", "cells/body", "{:.2f}"},
                      {"bytes_per_body", "bytes/body", "{:.0f}"},
                      {"kernel", "kernel"},
                      column("precision"),
                      column("threads"),
                      column("device"),
                      column("commit")},
          .rows = {}};
}

std::vector<Cell> cells_of(const Scene& scene, std::size_t n, double accuracy, Precision precision,
                           const tune::Tried& t, double direct, const Place& place) {
  const auto& w = t.work;
  const double each = 1 / double(n);
  return {std::string(scene.name),
          std::int64_t(n),
          accuracy,
          std::string(pleiad::name_of(tree_settings_of(t.kernel).solver)),
          1e3 * t.seconds,
          1e3 * direct,
          direct / t.seconds,
          1e3 * w.build,
          1e3 * w.moments,
          1e3 * w.forces,
          t.errors.median,
          t.errors.p99,
          t.errors.largest,
          w.pairs * each,
          w.cell_pairs * each,
          double(w.bytes) * each,
          t.kernel,
          std::string(pleiad::name_of(precision)),
          std::int64_t{threads()},
          place.device(),
          place.machine.commit};
}

std::optional<Plot> draw(const Table& table) {
  Plot plot{.title = "Trees and direct sums", .x_label = "bodies", .y_label = "ms", .panels = {}};
  for (const auto& row : table.rows) {
    const auto model = text(table, row, "model");
    auto panel = std::find_if(plot.panels.begin(), plot.panels.end(),
                              [&](const Panel& p) { return p.title == model; });
    if (panel == plot.panels.end()) panel = plot.panels.insert(panel, {.title = model});
    const double n = number(table, row, "n");
    const bool there = !panel->series.empty() && panel->series[0].points.back()[0] == n;
    if (!there) panel->add("direct", n, number(table, row, "direct_ms"));
    panel->add(fmt::format("{}, {:g}", text(table, row, "solver"), number(table, row, "accuracy")), n,
               number(table, row, "ms"));
  }
  if (plot.panels.empty()) return {};
  return plot;
}

Report run(const ExperimentOptions& options, const Progress& progress) {
  auto sizes = options.sizes;
  if (sizes.empty())
    sizes = options.quick ? std::vector<std::size_t>{1000, 8000}
                          : std::vector<std::size_t>{1000, 4000, 16000, 64000, 256000, 1000000};
  const auto precision = options.precision.value_or(Precision::mixed);
  set_threads(options.threads);
  const auto place = place_of(Device::cpu);
  Report report;
  report.heading = {heading_of(place)};
  report.table = columns();
  const EngineOptions on_cpu{.precision = precision, .backend = "cpu", .threads = options.threads};
  for (const auto& scene : scenes)
    for (const auto n : sizes) {
      const auto bodies = scene.make(n);
      const Gravity gravity{.softening = {scene.eps}};
      progress(fmt::format("{} N = {}: direct sums", scene.name, n));
      const double direct = tune::time_direct_sums(bodies, gravity, on_cpu, make_engine).seconds;
      for (const auto solver : solvers())
        for (const double accuracy : {1e-3, 1e-4}) {
          const auto told = [&](const std::string& text) {
            progress(fmt::format("{} N = {}, {:g}: {}", scene.name, n, accuracy, text));
          };
          try {
            const auto plan = tune::plan(bodies, gravity, on_cpu, {.accuracy = accuracy, .solver = solver},
                                         make_engine, told);
            const auto found = std::find_if(plan.tried.begin(), plan.tried.end(), [&](const tune::Tried& t) {
              return t.kernel == plan.kernel && t.meets;
            });
            report.table.rows.push_back(cells_of(scene, n, accuracy, precision, *found, direct, place));
          } catch (const UsageError& error) {
            report.notes.push_back(fmt::format("{} N = {}: {}", scene.name, n, error.what()));
          }
        }
    }
  return report;
}

}  // namespace

extern constinit const Experiment trees;
constinit const Experiment trees{
    .name = "trees",
    .idea =
        "trees against direct sums, smooth and clustered, at errors of 1e-3 and 1e-4, to a million bodies",
    .published = "none; direct sums on the same machine stand beside each row",
    .run = run,
    .draw = draw};

}  // namespace pleiad::bench
