/// A forecast: what a run would need and take, before it is started.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/json_text.hpp"
#include "core/part.hpp"
#include "core/print.hpp"
#include "run/ensemble/session.hpp"
#include "run/kernel.hpp"
#include "run/memory.hpp"
#include "run/progress.hpp"
#include "run/run.hpp"
#include "run/session.hpp"
#include "run/start.hpp"

#include <pleiad/config.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

using Time = std::chrono::steady_clock;

double seconds_since(Time::time_point start) {
  return std::chrono::duration<double>(Time::now() - start).count();
}

/// Seconds of one force evaluation and of one look at the energies, and the bytes of a tree.
struct Costs {
  double evaluation = 1e300, look = 1e300;
  double tree_bytes = 0;
};
/// Measured whole when they are short, else on a part of the bodies and scaled: with N^2, or for a tree with
/// N.
Costs costs_of(const Bodies& bodies, const Options& o, const EngineOptions& options) {
  const bool tree = options.method && options.method->tree;
  const std::size_t part = tree ? 1 << 20 : 16384;
  const std::size_t n = std::min(bodies.size(), part);
  const auto engine = n < bodies.size() ? make_engine(first_of(bodies, n), gravity_of(o), options)
                                        : make_engine(bodies, gravity_of(o), options);
  // Hardly longer than none, so that nothing happens to the bodies; none would ask for no forces.
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
      const auto before = Time::now();
      engine->advance(plan, steps);
      seconds = seconds_since(before);
      costs.evaluation = std::min(costs.evaluation, seconds / double(steps));
    }
    const auto before = Time::now();
    (void)engine->totals();
    costs.look = std::min(costs.look, seconds_since(before));
  }
  const double more = double(bodies.size()) / double(n), work = tree ? more : more * more;
  costs.evaluation *= work, costs.look *= work, costs.tree_bytes *= more;
  return costs;
}

Forecast foresee(Session& session) {
  const Options& o = session.options();
  auto& simulation = session.simulation();
  const auto& method = simulation.method();
  const auto costs = costs_of(simulation.snapshot().bodies, o, session.engine());
  Forecast f{.bodies = simulation.size(),
             .bytes = run_bytes(simulation.size(), session.engine()) + std::size_t(costs.tree_bytes),
             .available_bytes = available_memory(),
             .snapshots = session.outputs().snapshots_to_come(),
             .rows = session.outputs().rows_to_come(),
             .pictures = session.outputs().pictures_to_come(),
             .engine = simulation.describe(),
             .at_least = method.adaptive,
             .evaluation_seconds = costs.evaluation,
             .look_seconds = costs.look};
  f.steps = method.adaptive ? std::ceil((o.time.t_end - simulation.time()) / method.dt)
                            : double(session.end().step - simulation.step());
  f.evaluations = f.steps * method.integrator->evaluations;
  f.disk_bytes = double(f.snapshots) * double(f.bodies) * 96;
  return f;
}

}  // namespace

Forecast foresee(const Request& request) {
  if (request.options.ensemble.active())
    throw UsageError("this is a forecast of one system, not of an ensemble");
  Session session(request, std::nullopt, false);
  return foresee(session);
}

void forecast(const Request& request) {
  auto resumed = resumed_of(request);
  const bool ensemble = (resumed ? resumed->options : request.options).ensemble.active();
  const bool is_new = !resumed;
  if (ensemble) return forecast_ensemble(request, std::move(resumed));
  Session session(request, std::move(resumed), false);
  if (is_new)
    RunDirectory::need_claimable(session.options().output.directory, request.overwrite, session.inputs());
  const auto f = foresee(session);
  const auto& d = f.engine;
  if (request.json) {
    const nlohmann::ordered_json j{{"bodies", f.bodies},
                                   {"steps", f.steps},
                                   {"steps_at_least", f.at_least},
                                   {"memory_bytes", f.bytes},
                                   {"available_bytes", f.available_bytes},
                                   {"evaluation_seconds", f.evaluation_seconds},
                                   {"look_seconds", f.look_seconds},
                                   {"seconds", f.seconds()},
                                   {"snapshots", f.snapshots},
                                   {"rows", f.rows},
                                   {"pictures", f.pictures},
                                   {"disk_bytes", f.disk_bytes},
                                   {"device", d.device},
                                   {"kernel", d.kernel()},
                                   {"precision", d.precision}};
    print_out("{}\n", json_text(j));
    return;
  }
  print_out("bodies     {}\n", f.bodies);
  print_out("device     {}, {} thread{}, kernel {} ({}), precision {}\n", d.device, d.threads,
            d.threads == 1 ? "" : "s", d.kernel(), d.why, d.precision);
  print_out("memory     {:.4g} MiB of {:.4g} MiB available\n", double(f.bytes) / 0x1p20,
            double(f.available_bytes) / 0x1p20);
  const double n = double(f.bodies);
  const bool tree = d.method.tree.has_value();
  print_out("steps      {:g}{}, {:.3g} s per force evaluation ({}{}/s)\n", f.steps,
            f.at_least ? " or more (adaptive)" : "", f.evaluation_seconds,
            metric((tree ? n : n * n) / f.evaluation_seconds), tree ? "bodies" : "interactions");
  print_out("time       about {}{}\n", f.at_least ? "or above " : "", duration(f.seconds()));
  print_out("snapshots  {}, about {:.4g} MiB on disk; diagnostics rows {}, pictures {}\n", f.snapshots,
            f.disk_bytes / 0x1p20, f.rows, f.pictures);
}

}  // namespace pleiad::run
