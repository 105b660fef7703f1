/// One engine at a time: its errors, its bits, its time.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/multi_gpu.hpp"

#include "bench/state_hash.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

/// Long beside the host's clock and the start of a launch.
constexpr double batch_seconds = 5e-3;
/// By then every launch has been recorded that will be replayed.
constexpr std::uint64_t warm_steps = 8;

StepPlan plan(std::string_view integrator, double dt) {
  return {.integrator = &integrator_named(integrator), .dt = dt};
}

/// Of the state that was loaded: a kick of unit length from rest leaves them in the velocities, unrounded.
ForceError errors_in_steps(const Stepper& stepper, const Case& what, const Bodies& bodies,
                           ForceProblem& problem) {
  Bodies at_rest = bodies;
  for (auto* velocities : {&at_rest.vx, &at_rest.vy, &at_rest.vz})
    std::fill(velocities->begin(), velocities->end(), 0.0);
  stepper.load(at_rest);
  stepper.advance(plan("euler", 1), 1);
  stepper.copy_to_host(at_rest);
  std::vector<Vec3<double>> pulls;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    pulls.push_back({at_rest.vx[i], at_rest.vy[i], at_rest.vz[i]});
  problem.poison();
  problem.take(pulls);
  return sound_forces(what, problem);
}

/// Of one of what `work` does so often as it is told, in batches; `batch` becomes their size.
Timing timed(const std::function<void(std::uint64_t)>& work, double budget, std::uint64_t& batch) {
  const auto seconds = [&](std::uint64_t count) { return seconds_of([&] { work(count); }) / double(count); };
  const double first = seconds(1);
  const double once = first < batch_seconds ? (seconds(warm_steps), seconds(warm_steps)) : first;
  batch = std::uint64_t(std::clamp(std::ceil(batch_seconds / std::max(once, 1e-9)), 1.0, 20000.0));
  std::vector<double> samples;
  for (double spent = 0; spent < budget || samples.size() < 3;) {
    samples.push_back(seconds(batch));
    spent += samples.back() * double(batch);
  }
  return summarise(samples);
}

}  // namespace

Stepper host_stepper_of(Engine& engine) {
  return {.load = [&](const Bodies& b) { engine.load(b); },
          .advance = [&](const StepPlan& plan, std::uint64_t steps) { engine.advance(plan, steps); },
          .copy_to_host = [&](Bodies& b) { engine.copy_to_host(b); },
          .finite = [&] { return engine.finite(); }};
}

Timing time_forces(const Stepper& stepper, double budget) {
  std::uint64_t batch = 0;
  return timed(stepper.evaluate, budget, batch);
}

MultiGpuRow measure_multi_gpu(const Stepper& stepper, const Case& what, int gpus, const Bodies& bodies,
                              ForceProblem& problem, double budget, const PeakMeter& peak) {
  const auto steps = plan("kdk", 1e-4);
  MultiGpuRow row;
  row.error = errors_in_steps(stepper, what, bodies, problem);
  row.hashed_steps = bodies.size() <= 16384 ? 16 : 2;
  stepper.load(bodies);
  stepper.advance(steps, row.hashed_steps);
  Bodies state = bodies;
  stepper.copy_to_host(state);
  row.hash = hash_of([&](auto add) { add(state); });

  row.step = timed([&](std::uint64_t count) { stepper.advance(steps, count); }, budget, row.batch);
  if (!stepper.finite()) throw NumericalError("no figure: a position or velocity is not finite");
  row.rate = double(bodies.size()) * double(bodies.size()) / row.step.median;
  row.limit = gpus * possible_limit(what, bodies.size(), row.rate / gpus, peak);
  return row;
}

}  // namespace pleiad::bench
