/// Steps per second of a damped system: a serial loop, one thread per body, shared tiles, and the best that
/// Pleiad does here; on a GPU also block sizes, fast math and kinds of loads.
///
/// The account: positions and masses as four floats, velocities too, G = 1, kick, velocity times 0.95, drift,
/// 512 steps (fewer when a step is long), N = 256 ... 8192 on the processor and to 32768 on the GPU, blocks
/// of 8
/// ... 1024 at N = 16384. It leaves masses, extent, softening and step open; here a unit cube at rest of
/// total mass 1, eps = 0.05 and dt = 0.001. All programs do the same steps and must end in the same state.
/// Single precision carries positions to u = 2^-24 of the cube per step, and forces in another order differ
/// by some sqrt(N) u of themselves, which damping (velocities remember 20 steps) turns into 20 dt^2 sqrt(N) u
/// < 0.002 u per step: so after s steps positions may differ by 2 (s + 16) u, and no more.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/columns.hpp"
#include "bench/experiments.hpp"
#include "bench/shapes.hpp"
#include "bench/timing.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr double eps = 0.05, dt = 1e-3, damping = 0.95, unit_roundoff = 0x1p-24;
constexpr Gravity gravity{.G = 1, .softening = {.eps = eps}, .boundary = {}, .dimension = 3};
constexpr std::size_t largest_serial = 8192, block_scan = 16384;
constexpr std::string_view on_the_stack = "state on the stack";

StepPlan plan() { return {.integrator = &integrator_named("euler"), .dt = dt, .damping = damping}; }

/// One program of the account, or of Pleiad, as the text of a choice.
struct Program {
  std::string variant, kernel;
  int threads = 0;
};
const Program serial{"serial loop", "cpu/scalar", 1};

/// The state after `steps` steps, and the median time of some runs from the start.
struct Outcome {
  Bodies bodies;
  Case what;
  double seconds = 0;  ///< per step
};

Outcome run_steps(const Bodies& start, const Program& program, std::uint64_t steps, double budget) {
  const auto engine = make_engine(
      start, gravity, {.precision = Precision::f32, .kernel = program.kernel, .threads = program.threads});
  engine->advance(plan(), 1);  // threads, caches and clock wake up
  const auto one_run = [&] {
    engine->load(start);
    return seconds_of([&] { engine->advance(plan(), steps); });
  };
  const auto timing =
      repeat(one_run, {.budget_seconds = budget, .quiet = 0.005, .least_samples = 3, .sample_seconds = 0});
  Outcome outcome{start, case_of(engine->describe(), Precision::f32), timing.median / double(steps)};
  engine->copy_to_host(outcome.bodies);
  return outcome;
}

/// The serial loop again, with all its state in arrays on the stack, as the account's variant has it.
Outcome run_on_the_stack(const Bodies& start, std::uint64_t steps, double budget) {
  std::array<Mass<float>, largest_serial> x;
  std::array<Vec4<float>, largest_serial> v, sums;
  const auto& kernel = direct_kernel("cpu/scalar");
  const std::size_t n = start.size();
  const auto one_run = [&] {
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = {float(start.x[i]), float(start.y[i]), float(start.z[i]), float(start.mass[i])};
      v[i] = {float(start.vx[i]), float(start.vy[i]), float(start.vz[i]), 0};
    }
    const std::span<const Mass<float>> bodies(x.data(), n);
    return seconds_of([&] {
      for (std::uint64_t s = 0; s < steps; ++s) {
        kernel.f32({.targets = bodies,
                    .sources = bodies,
                    .sums = std::span(sums.data(), n),
                    .softening = gravity.softening},
                   {});
        for (std::size_t i = 0; i < n; ++i) {
          v[i].x = (v[i].x + float(dt) * sums[i].x) * float(damping), x[i].x += float(dt) * v[i].x;
          v[i].y = (v[i].y + float(dt) * sums[i].y) * float(damping), x[i].y += float(dt) * v[i].y;
          v[i].z = (v[i].z + float(dt) * sums[i].z) * float(damping), x[i].z += float(dt) * v[i].z;
        }
      }
    });
  };
  const auto timing =
      repeat(one_run, {.budget_seconds = budget, .quiet = 0.005, .least_samples = 3, .sample_seconds = 0});
  Outcome outcome{
      start, {.kernel = &kernel, .precision = Precision::f32, .threads = 1}, timing.median / double(steps)};
  for (std::size_t i = 0; i < n; ++i)
    outcome.bodies.x[i] = x[i].x, outcome.bodies.y[i] = x[i].y, outcome.bodies.z[i] = x[i].z;
  return outcome;
}

/// The largest distance between two states, in units of the cube.
double largest_distance(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = norm(a.position(i) - b.position(i));
    if (!(d <= largest)) largest = d;  // NaN stays
  }
  return largest;
}

/// The programs for one number of bodies, compared with the serial loop, or with the best program on the
/// processor where that would take minutes.
class Comparison {
 public:
  Comparison(const ExperimentOptions& options, const Progress& progress, Report& report)
      : wanted_(options.steps.value_or(512)),
        budget_(options.quick ? 0.1 : 0.5),
        progress_(progress),
        report_(report) {
    with_serial_beyond_ = !options.sizes.empty();
  }

  void of(std::size_t n, std::string_view part, const std::vector<Program>& programs) {
    progress_(fmt::format("damping-fps N = {}: serial", n));
    const std::string settings[] = {fmt::format("n={}", n), "total_mass=1"};
    const auto start = make_model("uniform-box", settings, 1).bodies;
    const bool with_serial = n <= largest_serial || with_serial_beyond_;
    const auto steps = affordable_steps(start, with_serial ? serial : Program{"", "cpu/symmetric", 0});
    const auto oracle =
        run_steps(start, with_serial ? serial : Program{"", "cpu/symmetric", 0}, steps, budget_);
    const double serial_seconds = with_serial ? oracle.seconds : 0;
    if (with_serial) add(part, serial, oracle, steps, 0, serial_seconds);
    for (const auto& program : programs) {
      progress_(fmt::format("damping-fps N = {}: {}", n, program.variant));
      const bool stack = program.variant == on_the_stack;
      if (stack && n > largest_serial) continue;
      try {
        auto outcome = stack ? run_on_the_stack(start, steps, budget_) : run_steps(start, program, steps, 0);
        const auto distance = difference(program, outcome, oracle, steps);
        if (!distance) continue;
        // Timed over as many steps as this program can afford, not over the serial loop's few.
        if (!stack)
          outcome.seconds = run_steps(start, program, affordable_steps(start, program), budget_).seconds;
        add(part, program, outcome, steps, *distance, serial_seconds);
      } catch (const UsageError& error) {  // a shape that cannot be launched
        report_.notes.push_back(fmt::format("{}: {}", program.kernel, error.what()));
      }
    }
  }

 private:
  /// Steps such that a program takes no more than the budget.
  std::uint64_t affordable_steps(const Bodies& start, const Program& program) const {
    const auto engine = make_engine(
        start, gravity, {.precision = Precision::f32, .kernel = program.kernel, .threads = program.threads});
    engine->advance(plan(), 1);
    const double once = seconds_of([&] { engine->advance(plan(), 1); });
    return std::clamp<std::uint64_t>(std::uint64_t(budget_ / once), 2, wanted_);
  }

  /// The distance of the two final states; nothing, and a refusal, when it is more than rounding.
  std::optional<double> difference(const Program& program, const Outcome& outcome, const Outcome& oracle,
                                   std::uint64_t steps) {
    const double distance = largest_distance(outcome.bodies, oracle.bodies),
                 bound = 2 * double(steps + 16) * unit_roundoff;
    if (distance <= bound) return distance;
    report_.refused.push_back(
        fmt::format("no figure for damping-fps at N = {}: {} and the serial loop differ by {:.3g} after {} "
                    "steps, more than the "
                    "{:.3g} of rounding",
                    outcome.bodies.size(), program.kernel, distance, steps, bound));
    return {};
  }

  void add(std::string_view part, const Program& program, const Outcome& outcome, std::uint64_t steps,
           double difference, double serial_seconds) {
    const double n = double(outcome.bodies.size());
    const auto& what = outcome.what;
    const double limit = possible_limit(what, outcome.bodies.size(), n * n / outcome.seconds);
    auto& place = places_[what.device()];
    if (!place) place = place_of(what.device());
    report_.table.rows.push_back(
        {std::string(part), program.variant, std::string(what.name()), name_of(what.shape),
         std::int64_t(outcome.bodies.size()), 1 / outcome.seconds, 1e3 * outcome.seconds,
         serial_seconds > 0 ? Cell(serial_seconds / outcome.seconds) : Cell(), n * n / outcome.seconds,
         n * n / outcome.seconds / limit, difference, std::int64_t(steps),
         place->gpu ? Cell() : Cell(std::int64_t{what.threads}), place->device(), std::string("f32"),
         std::int64_t{place->gpu ? 1 : 0}, place->machine.commit});
  }

  std::uint64_t wanted_;
  double budget_;
  bool with_serial_beyond_ = false;
  const Progress& progress_;
  Report& report_;
  std::map<Device, std::optional<Place>> places_;
};

Table empty_table() {
  Table table{.columns = {{"part", "scan"},
                          {"variant", "variant"},
                          column("kernel"),
                          column("shape"),
                          column("n"),
                          {"steps_per_second", "FPS", "{:.5g}"},
                          column("ms"),
                          {"speed_up", "speed-up", "{:.1f}"},
                          column("interactions_per_second"),
                          column("fraction_of_limit"),
                          {"difference", "difference", "{:.1e}"},
                          {"steps_compared", ""}},
              .rows = {}};
  for (const auto* key : {"threads", "device", "precision", "gpus", "commit"})
    table.columns.push_back(column(key));
  return table;
}

Report run(const ExperimentOptions& options, const Progress& progress) {
  if (options.precision && *options.precision != Precision::f32)
    throw UsageError("damping-fps is an experiment in f32: the account keeps all state in floats");
  const bool gpu = why_no_gpu().empty();
  Report report;
  report.table = empty_table();
  Comparison comparison(options, progress, report);
  std::vector<Program> programs{{std::string(on_the_stack), "cpu/scalar", 1}};
  if (gpu && !options.kernel)
    programs.insert(programs.end(), {{"one thread per body", "cuda/naive"}, {"shared tiles", "cuda/tile"}});
  programs.push_back(
      {options.kernel ? "asked for" : "Pleiad's choice", options.kernel.value_or("auto"), options.threads});
  auto sizes = options.sizes;
  if (sizes.empty()) sizes = {256, 512, 1024, 2048, 4096, 8192};
  if (options.sizes.empty() && gpu) sizes.insert(sizes.end(), {16384, 32768});
  const auto measure = [&] {
    for (const auto n : sizes) comparison.of(n, "bodies", programs);

    if (!(gpu && options.sizes.empty() && !options.kernel)) return;
    std::vector<Program> blocks;
    for (const auto& [variant, kernel] :
         {std::pair{"one thread per body", "cuda/naive"}, {"shared tiles", "cuda/tile"}})
      for (int block = 8; block <= 1024; block *= 2)
        blocks.push_back({variant, fmt::format("{} block={}", kernel, block)});
    comparison.of(block_scan, "block", blocks);
    comparison.of(block_scan, "variant",
                  {{"fast math off", "cuda/exact-root"},
                   {"fast math on", "cuda/fast-math"},
                   {"const __restrict__", "cuda/naive"},
                   {"no promise", "cuda/plain-loads"},
                   {"read-only loads", "cuda/read-only"}});
  };
  until_stopped(report, measure);
  report.heading = {
      heading_of(place_of(Device::cpu)),
      "semi-implicit Euler with damping 0.95, single precision; speed-up over the serial loop; difference: "
      "largest distance from its final state (beyond N = 8192 from that of cpu/symmetric)"};
  if (gpu) report.heading.insert(report.heading.begin(), heading_of(place_of(Device::cuda)));
  return report;
}

/// Time per step against N, with the slope of N^2, and against the block.
std::optional<Plot> draw(const Table& table) {
  Plot plot{.title = "Damped system: time per step",
            .x_label = "",
            .y_label = "milliseconds per step",
            .panels = {{.title = "", .slope = 2, .x_label = "bodies"},
                       {.title = "N = 16384", .x_label = "threads per block"}}};
  for (const auto& row : table.rows) {
    const auto part = text(table, row, "part"), variant = text(table, row, "variant");
    const double ms = number(table, row, "ms");
    if (part == "bodies") plot.panels[0].add(variant, number(table, row, "n"), ms);
    else if (part == "block")
      plot.panels[1].add(variant, shape_named(text(table, row, "shape")).threads_per_block, ms);
  }
  std::erase_if(plot.panels, [](const Panel& panel) { return panel.series.empty(); });
  return plot.panels.empty() ? std::nullopt : std::optional(plot);
}

}  // namespace

extern constinit const Experiment damping_fps;
constinit const Experiment damping_fps{
    .name = "damping-fps",
    .idea =
        "steps per second of a damped system: serial loop, one thread per body, shared tiles, the best here; "
        "block sizes, fast math and loads on a GPU",
    .published = "GPU over serial CPU 67.8x at N = 8192",
    .run = run,
    .draw = draw,
    .columns = empty_table,
    .read_on = "docs/accounts.md, S3"};

}  // namespace pleiad::bench
