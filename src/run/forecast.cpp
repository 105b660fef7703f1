/// A forecast: memory and time of a run, before it starts.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/clock.hpp"
#include "core/part.hpp"
#include "run/kernel.hpp"
#include "run/memory.hpp"
#include "run/session.hpp"
#include "run/start.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

/// Seconds of one force evaluation and of one evaluation of the energies, and the bytes of a tree.
struct Costs {
  double evaluation = 1e300, diagnostic = 1e300;
  double tree_bytes = 0;
};
void row_after_a_step(Engine& engine, const StepPlan& plan) {
  engine.expect_potentials();
  engine.advance(plan, 1);
  (void)engine.totals();
}

/// Measured whole when they are short, else on a part of the bodies and scaled: with N^2, or for a tree with
/// N.
Costs costs_of(const Bodies& bodies, const Options& o, const EngineOptions& options) {
  const bool tree = options.method && options.method->tree;
  const std::size_t part = tree ? 1 << 20 : 16384;
  const std::size_t n = std::min(bodies.size(), part);
  const auto engine = n < bodies.size() ? make_engine(first_of(bodies, n), gravity_of(o), options)
                                        : make_engine(bodies, gravity_of(o), options);
  // A tiny dt: the bodies stay in place, yet forces are evaluated.
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = 1e-9 * o.time.dt, .damping = 1};
  const std::size_t bytes = engine->describe().bytes;
  engine->advance(plan, 1);
  (void)engine->totals();
  Costs costs{.tree_bytes = double(engine->describe().bytes - bytes)};
  for (int repeat = 0; repeat < 3 && (repeat == 0 || costs.evaluation < 0.5); ++repeat) {
    // Some kernels make many steps in one launch.
    std::uint64_t steps = 1;
    double seconds = 0;
    for (; steps <= 1024 && seconds < 0.01; steps *= 2) {
      seconds = seconds_of([&] { engine->advance(plan, steps); });
      costs.evaluation = std::min(costs.evaluation, seconds / double(steps));
    }
    const double row = tree ? seconds_of([&] { row_after_a_step(*engine, plan); }) - costs.evaluation
                            : seconds_of([&] { (void)engine->totals(); });
    costs.diagnostic = std::min(costs.diagnostic, std::max(row, 0.0));
  }
  const double more = double(bodies.size()) / double(n), work = tree ? more : more * more;
  costs.evaluation *= work, costs.diagnostic *= work, costs.tree_bytes *= more;
  return costs;
}

}  // namespace

std::variant<Forecast, EnsembleForecast> Session::foresee() {
  const Options& o = options_;
  auto& simulation = *simulation_;
  const auto& method = simulation.method();
  const auto costs = costs_of(simulation.snapshot().bodies, o, engine_);
  Forecast f{.bodies = simulation.size(),
             .bytes = run_bytes(simulation.size(), engine_) + std::size_t(costs.tree_bytes),
             .available_bytes = available_memory(),
             .snapshots = outputs_->schedules().snapshots.to_come(simulation_->clock()),
             .rows = outputs_->schedules().rows.to_come(simulation_->clock()),
             .pictures = outputs_->schedules().pictures_to_come(simulation_->clock()),
             .engine = simulation.describe(),
             .tree = simulation.describe().method.tree.has_value(),
             .at_least = method.adaptive,
             .evaluation_seconds = costs.evaluation,
             .diagnostic_seconds = costs.diagnostic};
  f.steps = method.adaptive ? std::ceil((o.time.t_end - simulation.time()) / method.dt)
                            : double(end_.step - simulation.step());
  f.evaluations = f.steps * method.integrator->evaluations;
  f.disk_bytes = double(f.snapshots) * double(f.bodies) * 96;
  return f;
}

Forecast foresee(const Request& request) {
  if (request.options.ensemble.active())
    throw UsageError("this is a forecast of one system, not of an ensemble");
  return std::get<Forecast>(make_run(request, std::nullopt, false)->foresee());
}

}  // namespace pleiad::run
