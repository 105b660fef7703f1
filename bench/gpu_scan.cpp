/// The scan on a GPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu_scan.hpp"

#include "bench/machine.hpp"
#include "bench/problems.hpp"
#include "bench/shapes.hpp"

#include <pleiad/error.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr std::size_t default_sizes[] = {4096, 16384, 65536, 262144};

/// Rate against N: a panel per precision, a colour per kernel and shape.
Plot plot_of(const std::vector<Row>& rows, const std::string& device) {
  Plot plot{.title = "Direct sums on " + device,
            .x_label = "bodies",
            .y_label = "10^9 interactions per second",
            .panels = {}};
  for (const auto precision : {Precision::f32, Precision::mixed, Precision::f64}) {
    Panel panel{.title = std::string(pleiad::name_of(precision)), .series = {}, .slope = {}};
    for (const auto& row : rows) {
      if (row.what.precision != precision) continue;
      const auto name = row.what.shape == LaunchShape{}
                            ? std::string(row.what.kernel->name)
                            : fmt::format("{} {}", row.what.kernel->name, name_of(row.what.shape));
      auto series = std::find_if(panel.series.begin(), panel.series.end(),
                                 [&](const Series& s) { return s.name == name; });
      if (series == panel.series.end())
        series =
            panel.series.insert(series, {.name = name, .points = {}, .colour = int(panel.series.size())});
      series->points.push_back({double(row.n), 1e-9 * row.interactions_per_second()});
    }
    if (!panel.series.empty()) plot.panels.push_back(std::move(panel));
  }
  return plot;
}

}  // namespace

Table gpu_table() {
  return {.columns = {{"kernel", "kernel"},
                      {"device", ""},
                      {"precision", "precision"},
                      {"n", "N"},
                      {"gpus", ""},
                      {"shape", "shape"},
                      {"ms", "ms", "{:.4g}"},
                      {"spread", "+- %", "{:.1f}", 100},
                      {"interactions_per_second", "G/s", "{:.4g}", 1e-9},
                      {"steps_per_second", "steps/s", "{:.5g}"},
                      {"gflops", "GFLOP/s", "{:.5g}"},
                      {"fraction_of_limit", "% limit", "{:.1f}", 100},
                      {"error_rms", "error rms", "{:.1e}"},
                      {"error_p99", "p99", "{:.1e}"},
                      {"error_max", "max", "{:.1e}"},
                      {"registers", "regs"},
                      {"shared_bytes", "shared"},
                      {"local_bytes", ""},
                      {"blocks", "blocks"},
                      {"threads_per_block", ""},
                      {"resident_blocks", "per SM"},
                      {"waves", "waves", "{:.2f}"},
                      {"tail", "tail %", "{:.0f}", 100},
                      {"occupancy", "occ %", "{:.0f}", 100},
                      {"samples", ""},
                      {"limit_interactions_per_second", ""},
                      {"commit", ""},
                      {"driver", ""},
                      {"runtime", ""}},
          .rows = {}};
}

std::vector<Cell> gpu_cells(const Row& row, const Gpu& gpu, const std::string& commit) {
  const auto fill = row.fill.value_or(GpuFill{});
  return {std::string(row.what.kernel->name),
          gpu.name,
          std::string(pleiad::name_of(row.what.precision)),
          std::int64_t(row.n),
          std::int64_t{1},
          name_of(row.what.shape),
          1e3 * row.timing.median,
          row.timing.spread(),
          row.interactions_per_second(),
          row.evaluations_per_second(),
          row.gflops(),
          row.fraction_of_limit(),
          row.error.rms,
          row.error.p99,
          row.error.max,
          std::int64_t{fill.registers},
          std::int64_t(fill.shared_bytes),
          std::int64_t(fill.local_bytes),
          std::int64_t{fill.blocks},
          std::int64_t{fill.threads},
          std::int64_t{fill.resident_blocks},
          fill.waves,
          fill.tail,
          fill.occupancy,
          std::int64_t(row.timing.samples),
          row.limit,
          commit,
          gpu.driver,
          gpu.runtime};
}

std::string heading_of(const Gpu& gpu, const std::string& commit) {
  return fmt::format("{}, {} multiprocessors at {:.0f} MHz under load, CUDA {} (driver {}); Pleiad {}",
                     gpu.name, gpu.multiprocessors, 1e-6 * gpu.clock, gpu.runtime, gpu.driver, commit);
}

Report gpu_scan(const GpuScanOptions& options, const Progress& progress) {
  const Gpu gpu = this_gpu();
  const auto commit = this_machine().commit;
  auto sizes = options.sizes;
  if (sizes.empty()) sizes.assign(std::begin(default_sizes), std::end(default_sizes));
  std::sort(sizes.begin(), sizes.end());
  auto precisions = options.precisions;
  if (precisions.empty()) precisions = {Precision::f32, Precision::mixed, Precision::f64};

  Report report{.heading = {}, .notes = {}, .table = gpu_table(), .plot = {}, .refused = {}};
  Problems problems;
  std::vector<Row> rows;
  // By size, so that the bodies and the reference of one size serve all kernels and can then go.
  for (const auto* kernel : options.kernels)
    for (const auto precision : precisions) {
      if (!kernel->has(precision)) continue;
      auto shapes = options.shapes;
      if (options.all_shapes) shapes.assign(kernel->shapes.begin(), kernel->shapes.end());
      if (shapes.empty()) shapes = {LaunchShape{}};
      for (const auto& shape : shapes)
        for (const auto n : sizes) {
          progress(
              fmt::format("{} {} {} N = {}", kernel->name, pleiad::name_of(precision), name_of(shape), n));
          try {
            rows.push_back(measure({.kernel = kernel, .precision = precision, .threads = 1, .shape = shape},
                                   problems.get(n, precision), options.rules));
          } catch (const NumericalError& error) {
            report.refused.emplace_back(error.what());
          }
        }
    }
  if (rows.empty() && report.refused.empty())
    throw UsageError(
        "nothing to measure: no kernel asked for has the precision asked for (see pleiad bench --list)");
  for (const auto& row : rows) report.table.rows.push_back(gpu_cells(row, gpu, commit));
  report.heading = {heading_of(gpu, commit), problem_in_words()};
  report.notes.push_back(
      "limit: multiprocessors x lanes x the clock measured beside each row, over the instruction slots of "
      "the "
      "kernel's formulation; evaluations longer than 0.1 ms start with a cold L2 cache");
  if (!rows.empty()) report.plot = plot_of(rows, gpu.name);
  return report;
}

}  // namespace pleiad::bench
