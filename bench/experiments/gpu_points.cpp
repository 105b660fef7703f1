/// The accounts of GPU kernels as lists of points.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/experiments/gpu_points.hpp"

#include "bench/columns.hpp"
#include "bench/problems.hpp"
#include "bench/shapes.hpp"

#include <pleiad/error.hpp>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr std::string_view measured_keys[] = {"ms",
                                              "interactions_per_second",
                                              "spread",
                                              "fraction_of_limit",
                                              "error_rms",
                                              "registers",
                                              "shared_bytes",
                                              "blocks",
                                              "resident_blocks",
                                              "waves",
                                              "tail",
                                              "occupancy",
                                              "error_p99",
                                              "error_max",
                                              "device",
                                              "precision",
                                              "gpus",
                                              "commit"};

/// In a row: the point, what was published, what was measured, and why there is nothing.
Table points_table(const Column& published) {
  Table table{
      .columns = {{"variant", "variant"}, {"kernel", "rung"}, column("shape"), column("n"), published},
      .rows = {}};
  for (const auto key : measured_keys) table.columns.push_back(column(key));
  table.columns.push_back(column("refused"));
  return table;
}

std::vector<Cell> cells_of_point(const GpuPoint& p) {
  Cell published;
  if (p.published) published.emplace<double>(*p.published);
  if (p.kernel.empty()) return {p.variant, Cell(), Cell(), std::int64_t(p.n), published};
  return {p.variant, p.kernel, name_of(p.shape), std::int64_t(p.n), published};
}

}  // namespace

Report measure_points(const GpuPoints& what, const ExperimentOptions& options, const Progress& progress) {
  const Place gpu = place_of(Device::cuda), cpu = place_of(Device::cpu);
  const auto precision = options.precision.value_or(Precision::f32);
  TimingRules rules{.budget_seconds = 0.25};
  if (options.quick) rules = {.budget_seconds = 0.03, .quiet = 0.01, .least_samples = 3};
  Problems problems;
  Report report{.heading = {heading_of(gpu), problem_in_words()},
                .notes = {},
                .table = points_table(what.published),
                .plot = {},
                .refused = {}};
  const auto add = [&](std::vector<Cell> cells) {
    cells.resize(report.table.columns.size());
    report.table.rows.push_back(std::move(cells));
  };
  for (const auto& p : what.points) {
    auto cells = cells_of_point(p);
    if (p.kernel.empty()) {
      add(std::move(cells));
      continue;
    }
    if (options.kernel && *options.kernel != p.kernel) continue;
    progress(fmt::format("{} {} N = {}", p.kernel, name_of(p.shape), p.n));
    const auto& kernel = direct_kernel(p.kernel);
    try {
      const auto row = measure({.kernel = &kernel, .precision = precision, .threads = 1, .shape = p.shape},
                               problems.get(p.n, precision), rules);
      const auto figures = cells_of(row, kernel.device == Device::cpu ? cpu : gpu, measured_keys);
      cells.insert(cells.end(), figures.begin(), figures.end());
      add(std::move(cells));
    } catch (const UsageError& error) {
      cells.resize(report.table.columns.size());
      cells.back() = std::string(error.what());
      add(std::move(cells));
      report.notes.push_back(fmt::format("{} {}: {}", p.kernel, name_of(p.shape), error.what()));
    } catch (const NumericalError& error) {
      report.refused.emplace_back(error.what());
    }
  }
  return report;
}

}  // namespace pleiad::bench
