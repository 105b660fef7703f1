/// Full steps through the engine: time, rate, errors, and the hash of the state.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/steps.hpp"

#include "bench/columns.hpp"
#include "bench/problems.hpp"
#include "bench/shapes.hpp"
#include "bench/state_hash.hpp"
#include "bench/stop.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>
#include <pleiad/kernel/choice.hpp>

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr std::size_t steps_sizes[] = {64, 256, 1024, 4096, 16384, 65536, 262144, 1048576};
/// On a processor much shorter than a scheduler's slice, so few batches are interrupted; on a GPU long beside
/// the host's clock and the start of a launch.
constexpr double cpu_batch_seconds = 3e-4, gpu_batch_seconds = 5e-3;

StepPlan plan() { return {.integrator = &integrator_named("kdk"), .dt = 1e-4, .damping = 1}; }

/// What is measured in a row.
struct StepsPoint {
  std::string kernel;
  Precision precision = Precision::mixed;
  std::size_t n = 0;
  int threads = 1;
};

struct StepRow {
  Case what;
  Timing step;
  std::optional<Timing> force, overhead;  ///< overhead: of step over force - 1, batch by batch
  ForceError error;
  double limit = 0, rate = 0;
  std::string hash;
  std::uint64_t hashed_steps = 0, batch = 0;
};

std::string state_hash(Engine& engine, Bodies bodies) {
  engine.copy_to_host(bodies);
  return hash_of([&](auto add) { add(bodies); });
}

/// Seconds per step, and the hash, after a first few steps, which are the same in one batch and one by one.
double first_steps(Engine& engine, const Bodies& bodies, StepRow& row) {
  row.hashed_steps = bodies.size() <= 16384 ? 16 : 2;
  engine.load(bodies);
  for (std::uint64_t s = 0; s < row.hashed_steps; ++s) engine.advance(plan(), 1);
  const auto one_by_one = state_hash(engine, bodies);
  engine.load(bodies);
  const double seconds = seconds_of([&] { engine.advance(plan(), row.hashed_steps); });
  row.hash = state_hash(engine, bodies);
  if (row.hash != one_by_one && (row.what.steps != nullptr || row.what.kernel->traits.reproducible))
    throw NumericalError(
        fmt::format("no figure for {}: {} steps give other bits in one batch than one by one",
                    name_of(row.what, bodies.size()), row.hashed_steps));
  return seconds / double(row.hashed_steps);
}

/// Batches of steps, and of bare evaluations where the steps are made of them, in turn until the budget is
/// spent.
void time_in_turn(Engine& engine, ForceProblem& problem, double budget, StepRow& row) {
  const bool with_forces = row.what.steps == nullptr;
  const auto time_steps = [&] {
    const auto before = engine.evaluations();
    const double seconds = seconds_of([&] { engine.advance(plan(), row.batch); });
    if (engine.evaluations() - before != row.batch)
      throw NumericalError(fmt::format("no figure: {} leapfrog steps took {} force evaluations", row.batch,
                                       engine.evaluations() - before));
    return seconds / double(row.batch);
  };
  const auto time_forces = [&] {
    return problem.seconds(*row.what.kernel, row.what.shape, int(row.batch), false) / double(row.batch);
  };
  problem.poison();
  if (with_forces) (void)time_forces();
  else problem.evaluate(*row.what.steps, row.what.shape);
  row.error = sound_forces(row.what, problem);

  std::vector<double> steps, forces, overheads;
  for (double spent = 0; spent < budget || steps.size() < 3;) {
    // Which goes first changes from turn to turn, lest a scheduler's slice always end in the same one.
    const bool forces_first = steps.size() % 2 == 0;
    if (with_forces && forces_first) forces.push_back(time_forces());
    steps.push_back(time_steps());
    if (with_forces && !forces_first) forces.push_back(time_forces());
    if (with_forces) overheads.push_back(steps.back() / forces.back() - 1);
    spent += (steps.back() + (with_forces ? forces.back() : 0)) * double(row.batch);
  }
  if (!engine.finite()) throw NumericalError("no figure: a position or velocity is not finite");
  row.step = summarise(steps);
  if (with_forces) row.force = summarise(forces), row.overhead = summarise(overheads);
}

StepRow measure_row(Engine& engine, const StepsPoint& point, const Bodies& bodies, ForceProblem& problem,
                    const StepsOptions& options) {
  StepRow row;
  row.what = case_of(engine.describe(), point.precision);
  const double once = first_steps(engine, bodies, row);
  const double batch = row.what.device() == Device::cuda ? gpu_batch_seconds : cpu_batch_seconds;
  row.batch = std::uint64_t(std::clamp(std::ceil(batch / std::max(once, 1e-9)), 1.0, 20000.0));
  time_in_turn(engine, problem, options.budget_seconds, row);
  const double pairs = double(point.n) * double(point.n);
  row.rate = pairs / row.step.median;
  row.limit = possible_limit(
      row.what, point.n, pairs / std::min(row.step.median, row.force ? row.force->median : row.step.median));
  return row;
}

std::vector<Cell> cells_of_steps(const StepRow& r, const StepsPoint& point, bool chosen, const Place& place) {
  const auto optional = [](const std::optional<Timing>& t, double Timing::*part, double scale) {
    return t ? Cell(scale * ((*t).*part)) : Cell();
  };
  const auto& [machine, gpu] = place;
  return {std::string(r.what.name()),
          place.device(),
          std::string(name_of(point.precision)),
          std::int64_t(point.n),
          std::int64_t{gpu ? 1 : 0},
          gpu ? Cell() : Cell(std::int64_t{point.threads}),
          name_of(r.what.shape),
          chosen ? Cell(std::string("yes")) : Cell(),
          1e3 * r.step.median,
          r.step.spread(),
          r.rate,
          1 / r.step.median,
          r.rate / r.limit,
          optional(r.force, &Timing::median, 1e3),
          optional(r.overhead, &Timing::median, 1),
          optional(r.overhead, &Timing::low_quartile, 1),
          optional(r.overhead, &Timing::high_quartile, 1),
          r.error.rms,
          r.error.p99,
          r.error.max,
          r.hash,
          std::int64_t(r.hashed_steps),
          std::int64_t(r.batch),
          std::int64_t{1},
          std::int64_t(r.step.samples),
          r.limit,
          machine.commit,
          gpu ? Cell() : Cell(machine.simd_target),
          gpu ? Cell() : Cell(machine.compiler),
          gpu ? Cell(gpu->driver) : Cell(),
          gpu ? Cell(gpu->runtime) : Cell()};
}

/// The rows of one precision and number of bodies, each choice once however often it is named.
class Steps {
 public:
  Steps(const StepsOptions& options, const Progress& progress) : options_(options), progress_(progress) {
    with_gpu_ = why_no_gpu().empty();
    if (options_.sizes.empty()) options_.sizes.assign(std::begin(steps_sizes), std::end(steps_sizes));
    if (options_.precisions.empty()) options_.precisions = {Precision::f32, Precision::mixed, Precision::f64};
    if (options_.kernels.empty()) {
      options_.kernels = {"auto"};
      if (with_gpu_) options_.kernels.emplace_back("cuda/tile");
      for (const auto* kernel : step_kernels())
        if (with_gpu_) options_.kernels.emplace_back(kernel->name);
    }
    asked_for_ = !options.kernels.empty();
    sizes_asked_for_ = !options.sizes.empty();
    std::sort(options_.sizes.begin(), options_.sizes.end());
    report_.table = table_of_steps();
  }

  Report all() {
    const auto cores = this_machine().cores;
    if (options_.threads.empty()) options_.threads = cores > 1 ? std::vector{1, cores} : std::vector{1};
    for (const int t : options_.threads)
      if (t < 1 || t > cores)
        throw UsageError(
            fmt::format("threads = {} must be from 1 to {}, what this machine offers", t, cores));
    until_stopped(report_, [&] {
      for (const auto precision : options_.precisions)
        for (const auto& kernel : options_.kernels)
          for (const int threads : options_.threads) {
            if (threads != options_.threads.front() && runs_on_gpu(kernel)) continue;
            sizes_of({.kernel = kernel, .precision = precision, .n = 0, .threads = threads});
          }
    });
    finish();
    return std::move(report_);
  }

 private:
  bool runs_on_gpu(const std::string& kernel) const {
    return of_gpu(kernel) || (kernel == "auto" && with_gpu_);
  }

  void sizes_of(StepsPoint point) {
    double seconds = 0;  // forecast from the size before
    for (const auto n : options_.sizes) {
      const double forecast = seconds * double(n) * double(n);
      if (!sizes_asked_for_ && forecast > options_.longest_seconds) {
        report_.notes.push_back(
            fmt::format("{} {} left out from N = {}: {:.1f} s per step (set -n to measure it)", point.kernel,
                        name_of(point.precision), n, forecast));
        return;
      }
      point.n = n;
      if (const double step = row_of(point); step > 0) seconds = step / (double(n) * double(n));
    }
  }

  /// Seconds a step, or 0 when there is no row.
  double row_of(const StepsPoint& point) {
    progress_(fmt::format("steps: {} {} N = {}", point.kernel, name_of(point.precision), point.n));
    try {
      const auto& bodies = problems_.bodies(point.n);
      const auto engine = make_engine(
          bodies, problem_gravity,
          {.precision = point.precision, .method = force_method_of(point.kernel), .threads = point.threads});
      const auto text = fmt::format("{} {} {} {}", engine->describe().kernel(), name_of(point.precision),
                                    point.n, runs_on_gpu(point.kernel) ? 0 : point.threads);
      if (!done_.insert(text).second) return 0;
      const auto row = measure_row(*engine, point, bodies, problems_.get(point.n, point.precision), options_);
      report_.table.rows.push_back(
          cells_of_steps(row, point, point.kernel == "auto", place_for(row.what.device())));
      return row.step.median;
    } catch (const NumericalError& error) {
      report_.refused.emplace_back(error.what());
    } catch (const UsageError& error) {  // too many bodies for it, or not in this precision
      if (asked_for_)
        report_.notes.push_back(fmt::format("no row for {} {} N = {}: {}", point.kernel,
                                            name_of(point.precision), point.n, error.what()));
      why_not_ = error.what();
    }
    return 0;
  }

  const Place& place_for(Device device) {
    auto& place = places_[device == Device::cuda ? 1 : 0];
    if (!place) place = place_of(device);
    return *place;
  }

  void finish() {
    if (report_.table.rows.empty() && report_.refused.empty() && report_.stopped.empty())
      throw UsageError(why_not_);
    for (const auto& place : places_)
      if (place) report_.heading.push_back(heading_of(*place));
    report_.heading.push_back("leapfrog steps of the engine; " + problem_in_words());
    report_.notes.push_back(
        "overhead: time of a step over that of an evaluation alone, in alternating batches; state: hash "
        "after "
        "the "
        "first steps (16, 2 beyond 16384 bodies), equal for one batch and for single steps");
    report_.plot = plot_of_evaluations(report_.table);
    if (report_.plot)
      report_.plot->title = "Full steps on " + text(report_.table, report_.table.rows[0], "device");
  }

  StepsOptions options_;
  const Progress& progress_;
  bool with_gpu_ = false, asked_for_ = false, sizes_asked_for_ = false;
  Problems problems_;
  std::set<std::string> done_;
  std::optional<Place> places_[2];
  std::string why_not_;
  Report report_;
};

}  // namespace

Table table_of_steps() {
  Table table;
  for (const auto* key : {"kernel", "device", "precision", "n", "gpus", "threads", "shape"})
    table.columns.push_back(column(key));
  table.columns.push_back({"chosen", "by auto"});
  for (const auto* key : {"ms", "spread", "interactions_per_second", "steps_per_second", "fraction_of_limit"})
    table.columns.push_back(column(key));
  table.columns.insert(table.columns.end(), {{"force_ms", "force ms", "{:.4g}"},
                                             {"overhead", "overhead %", "{:.2f}", 100},
                                             {"overhead_low_quartile", ""},
                                             {"overhead_high_quartile", ""}});
  for (const auto* key : {"error_rms", "error_p99", "error_max"}) table.columns.push_back(column(key));
  table.columns.insert(
      table.columns.end(),
      {{"state_hash", "state"}, {"hashed_steps", ""}, {"steps_per_batch", "batch"}, {"systems", ""}});
  for (const auto* key :
       {"samples", "limit_interactions_per_second", "commit", "simd_target", "compiler", "driver", "runtime"})
    table.columns.push_back(column(key));
  return table;
}

Report measure_steps(const StepsOptions& options, const Progress& progress) {
  return Steps(options, progress).all();
}

}  // namespace pleiad::bench
