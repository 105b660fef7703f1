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

std::vector<Cell> cells_of_point(const GpuPoint& p) {
  Cell published;
  if (p.published) published.emplace<double>(*p.published);
  const auto on = p.published ? Cell(p.published_on) : Cell();
  if (p.kernel.empty()) return {p.variant, Cell(), Cell(), std::int64_t(p.n), published, on};
  return {p.variant, p.kernel, name_of(p.shape), std::int64_t(p.n), published, on};
}

/// Of the columns above, what whole steps have.
Cell cell_of(std::string_view key, const SeveralRow& row, Precision precision, int gpus, const Place& place) {
  if (key == "ms") return 1e3 * row.step.median;
  if (key == "interactions_per_second") return row.rate;
  if (key == "spread") return row.step.spread();
  if (key == "fraction_of_limit") return row.rate / row.limit;
  if (key == "error_rms") return row.error.rms;
  if (key == "error_p99") return row.error.p99;
  if (key == "error_max") return row.error.max;
  if (key == "device") return place.device();
  if (key == "precision") return std::string(name_of(precision));
  if (key == "gpus") return std::int64_t{gpus};
  if (key == "commit") return place.machine.commit;
  return {};
}

bool on_cpu(const GpuPoint& p) { return p.kernel.starts_with("cpu/"); }

/// Why it cannot be measured on the GPUs that there are, or "".
std::string why_not(const GpuPoint& p) {
  if (p.gpus > gpu_count())
    return fmt::format("it takes {} GPUs; there {} {}", p.gpus, gpu_count() == 1 ? "is" : "are", gpu_count());
  return p.exchange && p.gpus > 1 ? why_no_exchange(p.gpus, *p.exchange) : "";
}

class Points {
 public:
  Points(const GpuPoints& what, const ExperimentOptions& options, const Progress& progress)
      : progress_(progress),
        gpu_(why_no_gpu().empty() ? std::optional(place_of(Device::cuda)) : std::nullopt),
        cpu_(place_of(Device::cpu)),
        precision_(options.precision.value_or(Precision::f32)) {
    if (!gpu_ && options.kernel) (void)direct_kernel(*options.kernel);
    if (options.quick) rules_ = {.budget_seconds = 0.03, .quiet = 0.01, .least_samples = 3};
    report.heading = {heading_of(gpu_ ? *gpu_ : cpu_), problem_in_words()};
    report.table = points_table(what.published);
  }

  /// `point` of `points`: for those who wait.
  void measure(const GpuPoint& p, std::size_t point, std::size_t points) {
    at_ = fmt::format("{} of {}: ", point, points);
    auto cells = cells_of_point(p);
    try {
      if (!p.kernel.empty() && !gpu_ && !on_cpu(p)) return add(std::move(cells), why_no_gpu());
      if (p.gpus > 0) measure_steps(p, cells);
      else if (!p.kernel.empty()) measure_forces(p, cells);
      add(std::move(cells));
    } catch (const UsageError& error) {
      add(std::move(cells), error.what());
    } catch (const NumericalError& error) {
      report.refused.emplace_back(error.what());
    }
  }
  Report report;

 private:
  void add(std::vector<Cell> cells, const std::string& refused = "") {
    cells.resize(report.table.columns.size());
    if (!refused.empty()) cells.back() = refused;
    report.table.rows.push_back(std::move(cells));
  }

  void measure_forces(const GpuPoint& p, std::vector<Cell>& cells) {
    progress_(fmt::format("{}{} {} N = {}", at_, p.kernel, name_of(p.shape), p.n));
    const auto& kernel = direct_kernel(p.kernel);
    const auto row =
        bench::measure({.kernel = &kernel, .precision = precision_, .threads = 1, .shape = p.shape},
                       problems_.get(p.n, precision_), rules_);
    const auto figures = cells_of(row, kernel.device == Device::cpu ? cpu_ : *gpu_, measured_keys);
    cells.insert(cells.end(), figures.begin(), figures.end());
  }

  void measure_steps(const GpuPoint& p, std::vector<Cell>& cells) {
    if (const auto why = why_not(p); !why.empty()) throw UsageError(why);
    progress_(fmt::format("{}{} N = {}", at_, p.variant, p.n));
    const auto& bodies = problems_.bodies(p.n);
    const auto engine =
        p.kernel == "auto"
            ? make_engine(bodies, problem_gravity,
                          {.precision = precision_, .backend = "cuda", .gpus = p.gpus})
            : make_engine_on_gpus(
                  bodies, problem_gravity,
                  {.kernel = &direct_kernel(p.kernel), .shape = p.shape, .gpus = p.gpus, .why = "asked for"},
                  precision_, p.exchange);
    const auto described = engine->describe();
    const auto what = case_of(described, precision_);
    cells[1] = std::string(what.name()), cells[2] = name_of(what.shape);
    const auto row = measure_several(stepper_of(*engine), what, described.gpus, bodies, problems_.get(p.n, precision_),
                                     rules_.budget_seconds);
    for (const auto key : measured_keys)
      cells.push_back(cell_of(key, row, precision_, described.gpus, *gpu_));
  }

  const Progress& progress_;
  std::optional<Place> gpu_;
  Place cpu_;
  Precision precision_;
  TimingRules rules_{.budget_seconds = 0.25};
  Problems problems_;
  std::string at_;
};

}  // namespace

// In a row: the point, what was published and on what, what was measured, and why there is nothing.
Table points_table(const Column& published) {
  Table table{.columns = {{"variant", "variant"},
                          {"kernel", "rung"},
                          column("shape"),
                          column("n"),
                          published,
                          {"published_on", ""}},
              .rows = {}};
  for (const auto key : measured_keys) table.columns.push_back(column(key));
  table.columns.push_back({"refused", ""});
  return table;
}

Report measure_points(const GpuPoints& what, const ExperimentOptions& options, const Progress& progress) {
  std::vector<const GpuPoint*> asked;
  for (const auto& p : what.points)
    if (p.kernel.empty() || !options.kernel || *options.kernel == p.kernel) asked.push_back(&p);
  Points points(what, options, progress);
  until_stopped(points.report, [&] {
    for (std::size_t k = 0; k < asked.size(); ++k) points.measure(*asked[k], k + 1, asked.size());
  });
  return std::move(points.report);
}

}  // namespace pleiad::bench
