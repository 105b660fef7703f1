/// The trajectory of one body of 4096 in a periodic square: velocities, then positions, then the wrap, a
/// record after every step.
///
/// The account: unit square with minimum image, uniform random positions, at rest, unit masses, G = 1, no
/// softening, dt = 1e-4, 1000 steps, six floats per body. The elapsed time includes the records.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/experiments.hpp"
#include "bench/machine.hpp"
#include "bench/measure.hpp"
#include "bench/timing.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr double dt = 1e-4;

Report run(const ExperimentOptions& options, const Progress& progress) {
  const auto machine = this_machine();
  if (options.sizes.size() > 1) throw UsageError("periodic-2d is one run: give one number of bodies");
  const std::size_t n = options.sizes.empty() ? 4096 : options.sizes.front();
  const std::uint64_t steps = options.steps.value_or(options.quick ? 10 : 1000);
  const auto precision = options.precision.value_or(Precision::f32);
  const std::string settings[] = {fmt::format("n={}", n), "dimension=2"};
  const auto start = make_model("uniform-box", settings, 1);
  const Gravity gravity{.G = 1, .softening = {}, .boundary = start.boundary, .dimension = 2};
  const auto engine = make_engine(start.bodies, gravity,
                                  {.precision = precision,
                                   .backend = "auto",
                                   .kernel = options.kernel.value_or("auto"),
                                   .threads = options.threads});
  const StepPlan plan{.integrator = &integrator_named("euler"), .dt = dt, .damping = 1};

  Report report;
  report.table.columns = {{"time", "time", "{:.4f}"}, {"x", "x", "{:.9f}"}, {"y", "y", "{:.9f}"}};
  Bodies bodies = start.bodies;
  const double seconds = seconds_of([&] {
    for (std::uint64_t s = 1; s <= steps; ++s) {
      if (s % 16 == 1) progress(fmt::format("periodic-2d step {} of {}", s, steps));
      engine->advance(plan, 1);
      engine->copy_to_host(bodies);
      report.table.rows.push_back({double(s) * dt, bodies.x[0], bodies.y[0]});
    }
  });
  if (!engine->finite())
    throw NumericalError(
        fmt::format("periodic-2d: a position or velocity is not finite after {} steps", steps));
  const auto what = engine->describe();
  const double rate = double(n) * double(n) * double(steps) / seconds;
  possible_limit(case_of(what, precision), n, rate);

  report.heading = {fmt::format("{}; {} {}, {} thread{}; Pleiad {}", what.device, what.kernel, what.precision,
                                what.threads, what.threads == 1 ? "" : "s", machine.commit),
                    fmt::format("body 0 of {} in the periodic unit square, dt = {}", n, dt)};
  report.notes = {fmt::format("elapsed: {:.3f} s for {} steps ({:.4g} ms a step, {:.4g} G interactions/s)",
                              seconds, steps, 1e3 * seconds / double(steps), 1e-9 * rate)};
  return report;
}

}  // namespace

extern constinit const Experiment periodic_2d;
constinit const Experiment periodic_2d{
    .name = "periodic-2d",
    .idea = "4096 bodies in a periodic square, 1000 steps, the trajectory of body 0 and the elapsed time",
    .published = "CPU 235 s, GPU 3.43 s for 1000 steps (hardware unknown)",
    .run = run};

}  // namespace pleiad::bench
