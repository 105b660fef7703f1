/// A forecast: memory and time of a run, before it starts.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/forecast.hpp"

#include "core/clock.hpp"
#include "ranks/place.hpp"
#include "ranks/self.hpp"
#include "run/kernel.hpp"
#include "run/memory.hpp"
#include "run/session.hpp"
#include "run/start.hpp"
#include "tune/agreed.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

void row_after_a_step(Engine& engine, const StepPlan& plan) {
  engine.expect_potentials();
  engine.advance(plan, 1);
  (void)engine.totals();
}

}  // namespace

/// Measured whole when they are short, else on a part of the bodies and scaled: with N^2, or for a tree with
/// N.
Costs costs_of(const Bodies& own, double time, const Options& o, const EngineOptions& options) {
  auto& ranks = ranks::or_self(options.ranks);
  const bool tree = options.method && options.method->tree;
  const std::size_t all = tune::on_all_ranks(ranks, own.size()), several = std::size_t(ranks.ranks()),
                    part = tree ? several << 20 : 16384, n = std::min(all, part);
  const auto engine = n < all ? make_engine(tune::some_of(own, n, ranks), gravity_of(o), options)
                              : make_engine(own, gravity_of(o), options);
  const auto took = [&](const auto& work) { return tune::slowest(ranks, seconds_of(work)); };
  // A tiny dt: the bodies stay in place, yet forces are evaluated.
  const StepPlan plan{
      .integrator = &integrator_named("kdk"), .dt = 1e-9 * o.time.dt, .time = time, .end = time};
  const std::size_t bytes = engine->describe().bytes;
  engine->advance(plan, 1);
  (void)engine->totals();
  Costs costs{.tree_bytes = double(engine->describe().bytes - bytes)};
  for (int repeat = 0; repeat < 3 && (repeat == 0 || costs.evaluation < 0.5); ++repeat) {
    // Some kernels make many steps in one launch.
    std::uint64_t steps = 1;
    double seconds = 0;
    for (; steps <= 1024 && seconds < 0.01; steps *= 2) {
      seconds = took([&] { engine->advance(plan, steps); });
      costs.evaluation = std::min(costs.evaluation, seconds / double(steps));
    }
    const double row = tree ? took([&] { row_after_a_step(*engine, plan); }) - costs.evaluation
                            : took([&] { (void)engine->totals(); });
    costs.diagnostic = std::min(costs.diagnostic, std::max(row, 0.0));
  }
  const double more = double(all) / double(n), work = tree ? more : more * more;
  costs.evaluation *= work, costs.diagnostic *= work, costs.tree_bytes *= more;
  return costs;
}

Forecast forecast_of(const Simulation& simulation, const Outputs& outputs, const Options& o,
                     const Moment& end, std::size_t bodies, const Costs& costs) {
  const auto& method = simulation.method();
  Forecast f{.bodies = bodies,
             .snapshots = outputs.to_come("snapshots"),
             .rows = outputs.to_come("diagnostics"),
             .pictures = outputs.to_come("pictures"),
             .engine = simulation.describe(),
             .tree = simulation.describe().method.tree.has_value(),
             .at_least = method.adaptive,
             .in_blocks = method.integrator->in_blocks,
             .evaluation_seconds = costs.evaluation,
             .diagnostic_seconds = costs.diagnostic};
  f.steps = method.adaptive ? std::ceil((o.time.t_end - simulation.time()) / method.dt)
                            : double(end.step - simulation.step()) + (end.ahead > 0 ? 1 : 0);
  f.evaluations = f.steps * method.integrator->evaluations;
  f.disk_bytes = double(f.snapshots) * double(f.bodies) * 96;
  return f;
}

std::variant<Forecast, EnsembleForecast> Session::estimate() {
  auto& ranks = context_.ranks;
  const auto costs = costs_of(simulation_->snapshot().bodies, simulation_->time(), options_, engine_);
  auto f = forecast_of(*simulation_, *outputs_, options_, end_, context_.division.bodies, costs);
  f.engine = describe(), f.ranks = std::size_t(ranks.ranks());
  const double bytes = double(run_bytes(simulation_->size(), engine_)) + costs.tree_bytes,
               available = double(available_memory()) / ranks::ranks_on_host(ranks);
  f.bytes = std::size_t(ranks::max(ranks, bytes));
  f.available_bytes = std::size_t(-ranks::max(ranks, -available));
  f.why_precision = context_.why_precision;
  return f;
}

Forecast estimate(const Request& request) {
  if (request.options.ensemble.active())
    throw UsageError("this is a forecast of one system, not of an ensemble");
  return std::get<Forecast>(make_run(request, std::nullopt, ranks::self(), false)->estimate());
}

}  // namespace pleiad::run
