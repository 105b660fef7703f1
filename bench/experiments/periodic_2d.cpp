/// The trajectory of one body of 4096 in a periodic square: velocities, then positions, then the wrap, a
/// record after every step.
///
/// The publication: unit square with minimum image, uniform random positions, at rest, unit masses, G = 1, no
/// softening, dt = 1e-4, 1000 steps, six floats per body. The elapsed time includes the records.
///
/// Without softening nothing resolves the closest pairs: their accelerations times dt^2 are far more than
/// their distance, a passage throws both out at any speed, and the energy is lost in the first steps. So the
/// orbit depends on every rounding, and its figures say nothing but that two programs round alike. Beside it
/// stands the same problem softened by a twentieth of the square, whose forces the same steps do resolve;
/// both are computed in single and in double precision, and how long these agree is told.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/columns.hpp"
#include "bench/experiments.hpp"
#include "bench/published.hpp"
#include "bench/timing.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr double dt = 1e-4, soft = 0.05, apart = 1e-3;
constexpr std::size_t published_n = 4096;
constexpr std::uint64_t published_steps = 1000, energy_samples = 10;
constexpr std::string_view of_runs = "runs", of_body = "trajectory of body 0";

/// A program that makes all steps.
struct Program {
  std::string variant, backend = "auto", kernel = "auto";
  Precision precision = Precision::f32;
  double eps = 0;
  int threads = 0;
  std::uint64_t steps = 0;
  std::string_view source{};  ///< the kernel of the publication whose time it is compared with
};

struct Run {
  Program program;
  EngineDescription what;
  double seconds = 0, limit = 0, energy_error = 0;
  std::vector<Vec3<double>> places;  ///< of body 0 after each step
};

Table columns() {
  return {.columns = {{"section", ""},
                      {"variant", "variant"},
                      {"kernel", "kernel"},
                      {"precision", "precision"},
                      {"eps", "eps", "{:g}"},
                      {"threads", "threads"},
                      {"steps", "steps"},
                      {"elapsed_s", "elapsed s", "{:.3f}"},
                      {"seconds_per_1000", "s per 1000", "{:.4g}"},
                      {"published_s", "published s", "{:g}"},
                      {"published_on", ""},
                      {"interactions_per_second", "G/s", "{:.4g}", 1e-9},
                      {"fraction_of_limit", "% limit", "{:.1f}", 100},
                      {"energy_error", "energy error", "{:.1e}"},
                      {"device", "device"},
                      {"gpus", ""},
                      {"n", ""},
                      {"commit", ""},
                      {"time", "time", "{:.4f}"},
                      {"x", "x", "{:.9f}"},
                      {"y", "y", "{:.9f}"},
                      {"x_f64", "x in f64", "{:.9f}"},
                      {"y_f64", "y in f64", "{:.9f}"},
                      {"x_soft", "x softened", "{:.9f}"},
                      {"y_soft", "y softened", "{:.9f}"},
                      {"x_soft_f64", "x softened, f64", "{:.9f}"},
                      {"y_soft_f64", "y softened, f64", "{:.9f}"}},
          .rows = {}};
}

/// The distance of two places in the unit square by its nearest image.
double distance(const Vec3<double>& a, const Vec3<double>& b) {
  const auto d = a - b;
  return std::hypot(d.x - std::round(d.x), d.y - std::round(d.y));
}

/// The programs, the first of them the one whose track is recorded.
std::vector<Program> programs(const ExperimentOptions& options, std::uint64_t steps) {
  const auto precision = options.precision.value_or(Precision::f32);
  const auto other = precision == Precision::f64 ? Precision::f32 : Precision::f64;
  const auto kernel = options.kernel.value_or("auto");
  const auto with = [&](std::string variant, Precision p, double eps) {
    return Program{.variant = std::move(variant),
                   .kernel = kernel,
                   .precision = p,
                   .eps = eps,
                   .threads = options.threads,
                   .steps = steps};
  };
  std::vector<Program> all{with(options.kernel ? "asked for" : "Pleiad's choice", precision, 0),
                           with("in the other precision", other, 0),
                           with("softened, resolved", precision, soft),
                           with("softened, in the other precision", other, soft)};
  if (options.kernel) return all;
  // The publication's programs: on a GPU the rung that bears its name, on a processor one thread and no
  // vectors, in fewer steps, since each is like the others.
  if (why_no_gpu().empty()) {
    all.push_back({"the account's kernel", "cuda", "cuda/periodic-2d", precision, 0, 0, steps,
                   "GPU, sources staged 1024 at a time, 16 x 16 threads"});
    all.push_back({"tiles, in three dimensions", "cuda", "cuda/tile", precision, 0, 0, steps});
    all.push_back(
        {"all cores", "cpu", "auto", precision, 0, options.threads, std::min<std::uint64_t>(steps, 200)});
  }
  all.push_back({"serial loop", "cpu", "cpu/scalar", precision, 0, 1,
                 std::min<std::uint64_t>(steps, options.quick ? 2 : 50), "CPU"});
  return all;
}

class Trajectory {
 public:
  Trajectory(const ExperimentOptions& options, const Progress& progress)
      : n_(options.sizes.empty() ? published_n : options.sizes.front()), progress_(progress) {
    const std::string settings[] = {fmt::format("n={}", n_), "dimension=2"};
    start_ = make_model("uniform-box", settings, 1);
  }

  void add(const Program& program) {
    runs_.push_back({.program = program, .what = {}, .places = {}});
    auto& run = runs_.back();
    try {
      measure(run);
    } catch (const Stopped&) {
      if (run.places.empty()) runs_.pop_back();
      throw;
    }
  }

  void fill(Report& report) const {
    for (std::size_t s = 0; !runs_.empty() && s < runs_[0].places.size(); ++s) {
      std::vector<Cell> cells(report.table.columns.size());
      cells[0] = std::string(of_body);
      const std::size_t first = cells.size() - 9;
      cells[first] = double(s + 1) * dt;
      for (std::size_t r = 0; r < std::min<std::size_t>(runs_.size(), 4); ++r)
        if (s < runs_[r].places.size())
          cells[first + 1 + 2 * r] = runs_[r].places[s].x, cells[first + 2 + 2 * r] = runs_[r].places[s].y;
      report.table.rows.push_back(std::move(cells));
    }
    for (const auto& run : runs_) report.table.rows.push_back(cells_of(run, report.table.columns.size()));
    report.heading.push_back(fmt::format("body 0 of {} in the periodic unit square, dt = {}; Pleiad {}", n_,
                                         dt, this_machine().commit));
  }

 private:
  void measure(Run& run) {
    const auto& p = run.program;
    const Gravity gravity{.G = 1, .softening = {.eps = p.eps}, .boundary = start_.boundary, .dimension = 2};
    progress_(fmt::format("periodic-2d, {}", p.variant));
    const auto engine = make_engine(start_.bodies, gravity,
                                    {.precision = p.precision,
                                     .backend = p.backend,
                                     .method = force_method_of(p.kernel),
                                     .threads = p.threads});
    run.what = engine->describe();
    const StepPlan plan{.integrator = &integrator_named("euler"), .dt = dt, .damping = 1};
    const double energy = direct_energies(start_.bodies, gravity).total();
    const auto each = std::max<std::uint64_t>(p.steps / energy_samples, 1);
    Bodies bodies = start_.bodies;
    engine->advance(plan, 1), engine->load(start_.bodies);  // threads, caches and clock wake up
    for (std::uint64_t s = 1; s <= p.steps; ++s) {
      if (s % 16 == 1) progress_(fmt::format("periodic-2d, {}: step {} of {}", p.variant, s, p.steps));
      run.seconds += seconds_of([&] {
        engine->advance(plan, 1);
        engine->copy_to_host(bodies);
      });
      run.places.push_back(bodies.position(0));
      if (s % each != 0 && s != p.steps) continue;
      const double error = std::abs((direct_energies(bodies, gravity).total() - energy) / energy);
      if (!(error <= run.energy_error)) run.energy_error = error;
    }
    if (!engine->finite())
      throw NumericalError(
          fmt::format("periodic-2d: a position or velocity is not finite after {} steps", p.steps));
    auto what = case_of(run.what, p.precision);
    // Only that rung's slots are counted for nearest images in a plane: others have no limit of their own.
    if (what.name() == "cuda/periodic-2d") what.space = Space::periodic_plane;
    run.limit = possible_limit(what, n_, rate(run));
    if (what.space == Space::open) run.limit = std::numeric_limits<double>::quiet_NaN();
  }

  double rate(const Run& run) const {
    return double(n_) * double(n_) * double(run.places.size()) / run.seconds;
  }

  std::vector<Cell> cells_of(const Run& run, std::size_t width) const {
    const auto& p = run.program;
    const auto done = double(run.places.size());
    const auto* told = n_ == published_n && !p.source.empty()
                           ? one_published({.source = "S5", .kernel = p.source})
                           : nullptr;
    const bool gpu = place_of(run.what.method) == Device::cuda;
    std::vector<Cell> cells{std::string(of_runs),
                            p.variant,
                            run.what.kernel(),
                            std::string(pleiad::name_of(p.precision)),
                            p.eps,
                            gpu ? Cell() : Cell(std::int64_t{run.what.threads}),
                            std::int64_t(run.places.size()),
                            run.seconds,
                            1000 * run.seconds / done,
                            told == nullptr ? Cell() : Cell(told->value),
                            told == nullptr ? Cell() : Cell(told->hardware),
                            rate(run),
                            run.limit > 0 ? Cell(rate(run) / run.limit) : Cell(),
                            run.energy_error,
                            gpu ? run.what.device : this_machine().device,
                            std::int64_t{gpu ? run.what.gpus : 0},
                            std::int64_t(n_),
                            this_machine().commit};
    cells.resize(width);
    return cells;
  }

  std::size_t n_;
  const Progress& progress_;
  Snapshot start_;
  std::vector<Run> runs_;
};

Report run(const ExperimentOptions& options, const Progress& progress) {
  if (options.sizes.size() > 1) throw UsageError("periodic-2d is one run: give one number of bodies");
  const std::uint64_t steps = options.steps.value_or(options.quick ? 100 : published_steps);
  Report report;
  report.table = columns();
  Trajectory trajectory(options, progress);
  until_stopped(report, [&] {
    for (const auto& program : programs(options, steps)) trajectory.add(program);
  });
  trajectory.fill(report);
  return report;
}

/// What the tracks say: how long two precisions agree, without and with softening.
std::vector<std::string> conclusions(const Table& table) {
  std::vector<std::string> lines;
  const auto together = [&](const char* x, const char* y, const char* x2, const char* y2) {
    std::size_t steps = 0;
    for (const auto& row : table.rows) {
      if (text(table, row, "section") != of_body || std::isnan(number(table, row, x2))) continue;
      const Vec3<double> a{number(table, row, x), number(table, row, y), 0},
          b{number(table, row, x2), number(table, row, y2), 0};
      if (!(distance(a, b) <= apart)) return fmt::format("{} steps", steps);
      ++steps;
    }
    return fmt::format("all {} steps", steps);
  };
  const auto error = [&](const char* variant) {
    for (const auto& row : table.rows)
      if (text(table, row, "variant") == variant) return number(table, row, "energy_error");
    return std::numeric_limits<double>::quiet_NaN();
  };
  const double hard = table.rows.empty() ? 0 : error("Pleiad's choice");
  if (std::isfinite(hard))
    lines.push_back(fmt::format(
        "the publication's orbit is chaotic and not resolved: single and double precision place body "
        "0 within {:g} "
        "of each other for {}, and the relative energy error is {:.1e}",
        apart, together("x", "y", "x_f64", "y_f64"), hard));
  if (const double gentle = error("softened, resolved"); std::isfinite(gentle))
    lines.push_back(fmt::format(
        "with softening {:g} the same steps conserve energy to {:.1e}, and both precisions agree for {}",
        soft, gentle, together("x_soft", "y_soft", "x_soft_f64", "y_soft_f64")));
  return lines;
}

/// The track of body 0, broken where it leaves the square on one side and comes back on the other.
std::optional<Plot> draw(const Table& table) {
  Plot plot{
      .title = "Body 0 in the periodic square",
      .x_label = "x",
      .y_label = "y",
      .panels = {{.title = "as published: no softening"}, {.title = fmt::format("softened by {:g}", soft)}},
      .linear = true};
  const auto track = [&](Panel& panel, const char* name, const char* x, const char* y) {
    Vec3<double> last{std::numeric_limits<double>::quiet_NaN(), 0, 0};
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    for (const auto& row : table.rows) {
      const Vec3<double> at{number(table, row, x), number(table, row, y), 0};
      if (std::isnan(at.x)) continue;
      if (std::abs(at.x - last.x) > 0.5 || std::abs(at.y - last.y) > 0.5) panel.add(name, nan, nan);
      panel.add(name, at.x, at.y);
      last = at;
    }
    if (!panel.series.empty()) panel.series.back().dashed = panel.series.size() > 1;
  };
  track(plot.panels[0], "f32", "x", "y"), track(plot.panels[0], "f64", "x_f64", "y_f64");
  track(plot.panels[1], "f32", "x_soft", "y_soft"), track(plot.panels[1], "f64", "x_soft_f64", "y_soft_f64");
  std::erase_if(plot.panels, [](const Panel& panel) { return panel.series.empty(); });
  return plot.panels.empty() ? std::nullopt : std::optional(plot);
}

}  // namespace

extern constinit const Experiment periodic_2d;
constinit const Experiment periodic_2d{
    .name = "periodic-2d",
    .idea =
        "4096 bodies in a periodic square, 1000 steps, the trajectory of body 0 and the elapsed time; the "
        "same softened, so that steps resolve it",
    .published = "CPU 235 s, GPU 3.43 s for 1000 steps (hardware not named)",
    .run = run,
    .draw = draw,
    .columns = columns,
    .conclude = conclusions,
    .read_on = "docs/published-benchmarks.md, S5"};

}  // namespace pleiad::bench
