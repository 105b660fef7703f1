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

#include <utility>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr double dt = 1e-4;

struct Elapsed {
  EngineDescription what;
  double seconds = 0, rate = 0;
};

/// All steps from the start, the place of body 0 told after each of them.
template <class Record>
Elapsed run_steps(const Snapshot& start, const EngineOptions& options, std::uint64_t steps, Record record) {
  const Gravity gravity{.G = 1, .softening = {}, .boundary = start.boundary, .dimension = 2};
  const auto engine = make_engine(start.bodies, gravity, options);
  const StepPlan plan{.integrator = &integrator_named("euler"), .dt = dt, .damping = 1};
  Bodies bodies = start.bodies;
  const double seconds = seconds_of([&] {
    for (std::uint64_t s = 1; s <= steps; ++s) {
      engine->advance(plan, 1);
      engine->copy_to_host(bodies);
      record(s, bodies);
    }
  });
  if (!engine->finite())
    throw NumericalError(
        fmt::format("periodic-2d: a position or velocity is not finite after {} steps", steps));
  const double n = double(start.bodies.size()), rate = n * n * double(steps) / seconds;
  possible_limit(case_of(engine->describe(), options.precision), start.bodies.size(), rate);
  return {engine->describe(), seconds, rate};
}

std::string in_words(const Elapsed& e, std::uint64_t steps) {
  return fmt::format(
      "elapsed: {:.3f} s for {} steps ({:.4g} ms a step, {:.4g} G interactions/s) with {} on {}", e.seconds,
      steps, 1e3 * e.seconds / double(steps), 1e-9 * e.rate, e.what.kernel, e.what.device);
}

Report run(const ExperimentOptions& options, const Progress& progress) {
  if (options.sizes.size() > 1) throw UsageError("periodic-2d is one run: give one number of bodies");
  const std::size_t n = options.sizes.empty() ? 4096 : options.sizes.front();
  const std::uint64_t steps = options.steps.value_or(options.quick ? 10 : 1000);
  const std::string settings[] = {fmt::format("n={}", n), "dimension=2"};
  const auto start = make_model("uniform-box", settings, 1);
  const EngineOptions engine{.precision = options.precision.value_or(Precision::f32),
                             .kernel = options.kernel.value_or("auto"),
                             .threads = options.threads};
  Report report;
  report.table.columns = {{"time", "time", "{:.4f}"}, {"x", "x", "{:.9f}"}, {"y", "y", "{:.9f}"}};
  const auto main = run_steps(start, engine, steps, [&](std::uint64_t s, const Bodies& bodies) {
    if (s % 16 == 1) progress(fmt::format("periodic-2d step {} of {}", s, steps));
    report.table.rows.push_back({double(s) * dt, bodies.x[0], bodies.y[0]});
  });
  report.heading = {fmt::format("{}; {} {}, {} thread{}; Pleiad {}", main.what.device, main.what.kernel,
                                main.what.precision, main.what.threads, main.what.threads == 1 ? "" : "s",
                                this_machine().commit),
                    fmt::format("body 0 of {} in the periodic unit square, dt = {}", n, dt)};
  report.notes = {in_words(main, steps)};
  // The account compares a GPU, by the kernel of the rung that bears its name, with a processor.
  if (case_of(main.what, engine.precision).device() == Device::cuda && !options.kernel)
    for (const auto& [backend, kernel] : {std::pair{"cuda", "cuda/periodic-2d"}, {"cpu", "auto"}}) {
      progress(fmt::format("periodic-2d on {}", backend));
      auto other = engine;
      other.backend = backend, other.kernel = kernel;
      report.notes.push_back(
          in_words(run_steps(start, other, steps, [](std::uint64_t, const Bodies&) {}), steps));
    }
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
