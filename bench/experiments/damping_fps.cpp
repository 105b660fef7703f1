/// Steps per second of a damped system: a serial loop against the best that Pleiad does on this processor.
///
/// The account: positions and masses as four floats, velocities too, G = 1, kick, velocity times 0.95, drift,
/// 512 steps (fewer when a step is long), N = 256 ... 8192. It leaves masses, extent, softening and step
/// open; here a unit cube at rest of total mass 1, eps = 0.05 and dt = 0.001. Both programs do the same steps
/// and must end in the same state. Single precision carries positions to u = 2^-24 of the cube per step, and
/// forces in another order differ by some sqrt(N) u of themselves, which damping (velocities remember 20
/// steps) turns into 20 dt^2 sqrt(N) u < 0.002 u per step: so after s steps positions may differ by 2 (s +
/// 16) u, and no more.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/experiments.hpp"
#include "bench/machine.hpp"
#include "bench/measure.hpp"
#include "bench/timing.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr double eps = 0.05, dt = 1e-3, damping = 0.95, unit_roundoff = 0x1p-24;
constexpr Gravity gravity{.G = 1, .softening = {.eps = eps}, .boundary = {}, .dimension = 3};

struct Outcome {
  Bodies bodies;
  std::string device, kernel;
  int threads = 1;
  double steps_per_second = 0;
};

StepPlan plan() { return {.integrator = &integrator_named("euler"), .dt = dt, .damping = damping}; }

/// The state after `steps` steps, and the rate: the median of several runs from the start.
Outcome run_steps(const Bodies& start, const EngineOptions& options, std::uint64_t steps, double budget) {
  const auto engine = make_engine(start, gravity, options);
  engine->advance(plan(), 1);  // threads, caches and clock wake up
  const auto one_run = [&] {
    engine->load(start);
    return seconds_of([&] { engine->advance(plan(), steps); });
  };
  const auto timing =
      repeat(one_run, {.budget_seconds = budget, .quiet = 0.005, .least_samples = 3, .sample_seconds = 0});
  const auto what = engine->describe();
  Outcome outcome{start, what.device, what.kernel, what.threads, double(steps) / timing.median};
  engine->copy_to_host(outcome.bodies);
  const double n = double(start.size());
  possible_limit({.kernel = &direct_kernel(what.kernel),
                  .precision = options.precision,
                  .threads = what.threads,
                  .shape = {}},
                 start.size(), n * n * outcome.steps_per_second);
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

/// Steps such that a program takes no more than `seconds`.
std::uint64_t affordable_steps(const Bodies& start, const EngineOptions& options, std::uint64_t wanted,
                               double seconds) {
  const auto engine = make_engine(start, gravity, options);
  const double once = seconds_of([&] { engine->advance(plan(), 1); });
  return std::clamp<std::uint64_t>(std::uint64_t(seconds / once), 2, wanted);
}

Report run(const ExperimentOptions& options, const Progress& progress) {
  const auto machine = this_machine();
  const EngineOptions serial{
      .precision = Precision::f32, .backend = "cpu", .kernel = "cpu/scalar", .threads = 1};
  // Beyond the account's serial runs only the state is compared, with another program on the CPU.
  constexpr std::size_t largest_serial = 8192;
  const EngineOptions threaded{.precision = Precision::f32, .backend = "cpu"};
  const EngineOptions best{.precision = Precision::f32,
                           .backend = "auto",
                           .kernel = options.kernel.value_or("auto"),
                           .threads = options.threads};
  if (options.precision && *options.precision != Precision::f32)
    throw UsageError("damping-fps is an experiment in f32: the account keeps all state in floats");
  auto sizes = options.sizes;
  if (sizes.empty()) sizes = {256, 512, 1024, 2048, 4096, 8192};
  if (options.sizes.empty() && why_no_gpu().empty()) sizes.insert(sizes.end(), {16384, 32768});

  Report report;
  report.table.columns = {{"n", "N"},
                          {"steps", "steps"},
                          {"serial_fps", "serial FPS", "{:.4g}"},
                          {"best_fps", "best FPS", "{:.5g}"},
                          {"speed_up", "speed-up", "{:.1f}"},
                          {"best_interactions_per_second", "best G/s", "{:.4g}", 1e-9},
                          {"difference", "difference", "{:.1e}"},
                          {"kernel", "best rung"},
                          {"threads", "threads"},
                          {"device", "on"},
                          {"serial_device", ""},
                          {"commit", ""},
                          {"simd_target", ""}};
  Series slow{.name = "serial scalar loop", .points = {}, .colour = 0, .dashed = false};
  Series fast{.name = "best rung", .points = {}, .colour = 3, .dashed = false};
  const double budget = options.quick ? 0.1 : 1.5;  // seconds of a serial run
  for (const auto n : sizes) {
    progress(fmt::format("damping-fps N = {}", n));
    const std::string settings[] = {fmt::format("n={}", n), "total_mass=1"};
    const auto start = make_model("uniform-box", settings, 1).bodies;
    const bool with_serial = n <= largest_serial || !options.sizes.empty();
    const auto& other = with_serial ? serial : threaded;
    const auto wanted = options.steps.value_or(512);
    const auto steps = affordable_steps(start, other, wanted, budget);
    const auto a = run_steps(start, other, steps, with_serial ? budget : 0),
               b = run_steps(start, best, steps, 0);
    const double difference = largest_distance(a.bodies, b.bodies),
                 bound = 2 * double(steps + 16) * unit_roundoff;
    if (!(difference <= bound)) {
      report.refused.push_back(
          fmt::format("no figure for damping-fps at N = {}: {} and {} differ by {:.3g} after {} steps, more "
                      "than the {:.3g} of rounding",
                      n, a.kernel, b.kernel, difference, steps, bound));
      continue;
    }
    const double fps =
        run_steps(start, best, affordable_steps(start, best, wanted, budget), budget).steps_per_second;
    if (with_serial) slow.points.push_back({double(n), 1e3 / a.steps_per_second});
    fast.points.push_back({double(n), 1e3 / fps});
    Cell serial_fps, speed_up;
    if (with_serial) {
      serial_fps.emplace<double>(a.steps_per_second);
      speed_up.emplace<double>(fps / a.steps_per_second);
    }
    report.table.rows.push_back({std::int64_t(n), std::int64_t(steps), serial_fps, fps, speed_up,
                                 double(n) * double(n) * fps, difference, b.kernel, std::int64_t{b.threads},
                                 b.device, machine.device, machine.commit, machine.simd_target});
  }
  // The account's own speed-up is of a GPU; without one the best rung is the CPU's.
  report.heading = {fmt::format("{}, {}; Pleiad {}", machine.device, machine.simd_target, machine.commit),
                    "semi-implicit Euler with damping 0.95, single precision; difference: largest distance "
                    "between the two final states"};
  report.plot = Plot{.title = "Damped system: time per step",
                     .x_label = "bodies",
                     .y_label = "milliseconds per step",
                     .panels = {{.title = machine.device, .series = {slow, fast}, .slope = 2}}};
  return report;
}

}  // namespace

extern constinit const Experiment damping_fps;
constinit const Experiment damping_fps{.name = "damping-fps",
                                       .idea =
                                           "steps per second of a damped system, serial loop against the "
                                           "best rung (on the GPU where there is one)",
                                       .published = "GPU over serial CPU 67.8x at N = 8192",
                                       .run = run};

}  // namespace pleiad::bench
