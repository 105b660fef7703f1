#include "bench/experiments/gpu_points.hpp"

#include "bench/machine.hpp"
#include "bench/problems.hpp"
#include "bench/shapes.hpp"

#include <pleiad/error.hpp>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

std::vector<Column> columns(const Column& published) {
  return {{"variant", "variant"},
          {"kernel", "rung"},
          {"shape", "shape"},
          {"n", "N"},
          published,
          {"ms", "ms", "{:.4g}"},
          {"interactions_per_second", "G/s", "{:.4g}", 1e-9},
          {"spread", "+- %", "{:.1f}", 100},
          {"fraction_of_limit", "% limit", "{:.1f}", 100},
          {"error_rms", "error rms", "{:.1e}"},
          {"registers", "regs"},
          {"shared_bytes", "shared"},
          {"blocks", "blocks"},
          {"resident_blocks", "per SM"},
          {"waves", "waves", "{:.2f}"},
          {"tail", "tail %", "{:.0f}", 100},
          {"occupancy", "occ %", "{:.0f}", 100},
          {"error_p99", ""},
          {"error_max", ""},
          {"device", ""},
          {"precision", ""},
          {"gpus", ""},
          {"refused", ""},
          {"commit", ""}};
}

std::vector<Cell> without_figures(const GpuPoint& p, const Cell& published, const std::string& why) {
  std::vector<Cell> cells(24);
  cells[0] = p.variant;
  if (!p.kernel.empty()) cells[1] = p.kernel, cells[2] = name_of(p.shape);
  cells[3] = std::int64_t(p.n);
  cells[4] = published;
  if (!why.empty()) cells[22] = why;
  return cells;
}

std::vector<Cell> figures(const GpuPoint& p, const Cell& published, const Row& row, const std::string& device,
                          const std::string& commit) {
  std::vector<Cell> cells{p.variant,
                          p.kernel,
                          name_of(p.shape),
                          std::int64_t(p.n),
                          published,
                          1e3 * row.timing.median,
                          row.interactions_per_second(),
                          row.timing.spread(),
                          row.fraction_of_limit(),
                          row.error.rms};
  if (const auto& fill = row.fill)
    for (const Cell& cell : {Cell(std::int64_t{fill->registers}), Cell(std::int64_t(fill->shared_bytes)),
                             Cell(std::int64_t{fill->blocks}), Cell(std::int64_t{fill->resident_blocks}),
                             Cell(fill->waves), Cell(fill->tail), Cell(fill->occupancy)})
      cells.push_back(cell);
  cells.resize(17);
  for (const Cell& cell : {Cell(row.error.p99), Cell(row.error.max), Cell(device),
                           Cell(std::string(pleiad::name_of(row.what.precision))),
                           Cell(std::int64_t{row.fill ? 1 : 0}), Cell(), Cell(commit)})
    cells.push_back(cell);
  return cells;
}

}  // namespace

Report measure_points(const GpuPoints& what, const ExperimentOptions& options, const Progress& progress) {
  const Gpu gpu = this_gpu();
  const auto machine = this_machine();
  const auto precision = options.precision.value_or(Precision::f32);
  TimingRules rules{.budget_seconds = 0.25};
  if (options.quick) rules = {.budget_seconds = 0.03, .quiet = 0.01, .least_samples = 3};
  Problems problems;
  Report report{.heading = {heading_of(gpu, machine.commit), problem_in_words()},
                .notes = {},
                .table = {.columns = columns(what.published), .rows = {}},
                .plot = {},
                .refused = {}};
  for (const auto& p : what.points) {
    Cell published;
    if (p.published) published.emplace<double>(*p.published);
    if (p.kernel.empty()) {
      report.table.rows.push_back(without_figures(p, published, ""));
      continue;
    }
    if (options.kernel && *options.kernel != p.kernel) continue;
    progress(fmt::format("{} {} N = {}", p.kernel, name_of(p.shape), p.n));
    const auto& kernel = direct_kernel(p.kernel);
    try {
      const auto row = measure({.kernel = &kernel, .precision = precision, .threads = 1, .shape = p.shape},
                               problems.get(p.n, precision), rules);
      report.table.rows.push_back(figures(
          p, published, row, kernel.device == Device::cpu ? machine.device : gpu.name, machine.commit));
    } catch (const UsageError& error) {
      report.table.rows.push_back(without_figures(p, published, error.what()));
      report.notes.push_back(fmt::format("{} {}: {}", p.kernel, name_of(p.shape), error.what()));
    } catch (const NumericalError& error) {
      report.refused.emplace_back(error.what());
    }
  }
  return report;
}

}  // namespace pleiad::bench
