/// The published benchmarks of GPU kernels as lists of points.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/experiments/gpu_points.hpp"

#include "bench/columns.hpp"
#include "bench/problems.hpp"
#include "bench/shapes.hpp"
#include "direct/why_not.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <utility>

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
  if (p.kernel.empty()) return {p.variant, Cell(), Cell(), std::int64_t(p.n), published, on, {}, {}, {}};
  return {p.variant, p.kernel, name_of(p.shape), std::int64_t(p.n), published, on, {}, {}, {}};
}

/// Of steps, beside the columns above, which are of forces.
std::vector<Column> columns_of_steps() {
  auto ms = column("ms"), spread = column("spread"), rate = column("interactions_per_second");
  ms.key = "step_ms", ms.heading = "step ms";
  spread.key = "step_spread";
  rate.key = "step_interactions_per_second", rate.heading = "step G/s";
  return {ms, spread, rate};
}

/// Of the columns above, what forces have that several GPUs find, or a kernel of fused steps.
Cell cell_of(std::string_view key, const MultiGpuRow& row, const Timing& forces, double rate, double limit) {
  if (key == "ms") return 1e3 * forces.median;
  if (key == "interactions_per_second") return rate;
  if (key == "spread") return forces.spread();
  if (key == "fraction_of_limit") return rate / limit;
  if (key == "error_rms") return row.error.rms;
  if (key == "error_p99") return row.error.p99;
  if (key == "error_max") return row.error.max;
  return {};
}

bool on_cpu(const GpuPoint& p) { return !p.kernel.empty() && p.kernel != "auto" && !of_gpu(p.kernel); }

/// Why it cannot be measured on the GPUs that there are, or "".
std::string why_not(const GpuPoint& p) {
  if (p.gpus > gpu_count())
    return fmt::format("it takes {} GPUs; there {} {}", p.gpus, gpu_count() == 1 ? "is" : "are", gpu_count());
  const bool reach = (p.exchange || p.increments) && p.gpus > 1;
  return reach ? why_no_exchange(p.gpus, p.exchange.value_or(cuda::Exchange::direct)) : "";
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
      if (!p.kernel.empty() && p.kernel != "auto")
        need_able({.kernel = &direct_kernel(p.kernel)},
                  {.n = p.n, .gravity = problem_gravity, .precision = precision_});
      if (p.gpus > 0) measure_both(p, cells);
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
    forces({.kernel = &kernel, .precision = precision_, .threads = 1, .shape = p.shape},
           kernel.device == Device::cpu ? cpu_ : *gpu_, problems_.get(p.n, precision_), cells);
  }
  void forces(const Case& what, const Place& place, ForceProblem& problem, std::vector<Cell>& cells) {
    cells[1] = std::string(what.name()), cells[2] = name_of(what.shape);
    const auto figures = cells_of(bench::measure(what, problem, rules_), place, measured_keys);
    cells.insert(cells.end(), figures.begin(), figures.end());
  }

  /// What makes the steps of the point, and what makes their forces.
  std::pair<Stepper, Case> stepper(const GpuPoint& p) {
    const auto& bodies = problems_.bodies(p.n);
    if (p.increments) {
      if (precision_ != Precision::f32)
        throw UsageError("velocity increments by peer access are in single precision alone");
      return {make_increment_stepper(problem_gravity, p.gpus),
              {.kernel = &direct_kernel(p.kernel), .precision = precision_, .shape = p.shape}};
    }
    if (on_cpu(p))
      engine_ = make_engine(bodies, problem_gravity,
                            {.precision = precision_,
                             .backend = "cpu",
                             .method = force_method_of(p.kernel),
                             .threads = 1,
                             .gpus = 0});
    else if (p.kernel == "auto")
      engine_ =
          make_engine(bodies, problem_gravity, {.precision = precision_, .backend = "cuda", .gpus = p.gpus});
    else
      engine_ = make_engine_on_gpus(bodies, problem_gravity,
                                    {.method = {.kernel = &direct_kernel(p.kernel), .shape = p.shape},
                                     .gpus = p.gpus,
                                     .why = "asked for"},
                                    precision_, p.exchange);
    return {stepper_of(*engine_), case_of(engine_->describe(), precision_)};
  }

  void measure_both(const GpuPoint& p, std::vector<Cell>& cells) {
    if (const auto why = on_cpu(p) ? "" : why_not(p); !why.empty()) throw UsageError(why);
    progress_(fmt::format("{}{} N = {}", at_, p.variant, p.n));
    const auto [stepper, what] = this->stepper(p);
    const int gpus = p.kernel == "auto" ? engine_->describe().gpus : p.gpus;
    auto& problem = problems_.get(p.n, precision_);
    const auto row =
        measure_multi_gpu(stepper, what, gpus, problems_.bodies(p.n), problem, rules_.budget_seconds);
    const std::vector<Cell> of_step{1e3 * row.step.median, row.step.spread(), row.rate};
    std::copy(of_step.begin(), of_step.end(), cells.end() - 3);
    if (gpus == 1 && what.steps == nullptr && !p.increments)
      return forces(what, on_cpu(p) ? cpu_ : *gpu_, problem, cells);
    cells[1] = std::string(what.name()), cells[2] = name_of(what.shape);
    const auto timing = time_forces(stepper, rules_.budget_seconds);
    const double rate = double(p.n) * double(p.n) / timing.median;
    const double limit = gpus * possible_limit(what, p.n, rate / gpus);
    for (const auto key : measured_keys) {
      auto cell = cell_of(key, row, timing, rate, limit);
      if (key == "device") cell = gpu_->device();
      if (key == "precision") cell = std::string(name_of(precision_));
      if (key == "gpus") cell = std::int64_t{gpus};
      if (key == "commit") cell = gpu_->machine.commit;
      cells.push_back(std::move(cell));
    }
  }

  const Progress& progress_;
  std::optional<Place> gpu_;
  Place cpu_;
  Precision precision_;
  TimingRules rules_{.budget_seconds = 0.25};
  Problems problems_;
  std::string at_;
  std::unique_ptr<Engine> engine_;  ///< of the stepper in use
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
  for (auto& each : columns_of_steps()) table.columns.push_back(std::move(each));
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
