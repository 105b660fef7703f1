/// A forecast: what a run would need and take, before it is started.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/ensemble/session.hpp"
#include "run/memory.hpp"
#include "run/progress.hpp"
#include "run/run.hpp"
#include "run/schedule.hpp"
#include "run/start.hpp"

#include <pleiad/config.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

/// Seconds of one force evaluation: measured whole when it is short, else on a part of the bodies and scaled
/// with N^2.
double evaluation_seconds(const Snapshot& initial, const Options& o) {
  constexpr std::size_t part = 16384;
  Snapshot sample = initial;
  const std::size_t n = std::min(initial.bodies.size(), part);
  if (n < initial.bodies.size()) sample.bodies.resize(n);
  auto engine = make_engine(sample.bodies, gravity_of(o), engine_of(o));
  StepPlan plan{.integrator = &integrator_named("kdk"), .dt = 0, .damping = 1};
  engine->advance(plan, 1);
  using Clock = std::chrono::steady_clock;
  double best = 1e300;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const auto before = Clock::now();
    engine->advance(plan, 1);
    best = std::min(best, std::chrono::duration<double>(Clock::now() - before).count());
  }
  const double scale = double(initial.bodies.size()) / double(n);
  return best * scale * scale;
}

}  // namespace

void forecast(const Request& request) {
  Options o = request.options;
  check(o);
  if (o.ensemble.active()) return forecast_ensemble(request);
  auto start = prepare(o);
  const std::size_t n = start.initial.bodies.size(), bytes = engine_bytes(n, engine_of(o));
  const auto method = method_of(o);
  const double each = evaluation_seconds(start.initial, o);
  const double start_time = start.initial.time;
  Simulation simulation(std::move(start.initial), gravity_of(o), method, engine_of(o));
  const auto d = simulation.describe();
  const Schedule snapshots("output.snapshot_interval", simulation, o.output.snapshot_interval,
                           o.output.snapshot_times, o.time.t_end);
  const Schedule rows("output.diagnostics_interval", simulation, o.output.diagnostics_interval, {},
                      o.time.t_end);
  const double steps = method.adaptive ? std::ceil((o.time.t_end - start_time) / method.dt)
                                       : double(simulation.step_at(o.time.t_end));
  const double evaluations =
      steps * method.integrator->evaluations + 1.3 * double(rows.size()) + double(snapshots.size());
  const double disk = double(snapshots.size()) * double(n) * 96;
  if (request.json) {
    const nlohmann::ordered_json j{{"bodies", n},
                                   {"steps", steps},
                                   {"steps_at_least", method.adaptive},
                                   {"memory_bytes", bytes},
                                   {"available_bytes", available_memory()},
                                   {"evaluation_seconds", each},
                                   {"seconds", each * evaluations},
                                   {"snapshots", snapshots.size()},
                                   {"disk_bytes", disk},
                                   {"device", d.device},
                                   {"kernel", d.kernel},
                                   {"precision", d.precision}};
    fmt::print("{}\n", j.dump(2));
    return;
  }
  fmt::print("bodies     {}\n", n);
  fmt::print("device     {}, {} thread{}, kernel {} ({}), precision {}\n", d.device, d.threads,
             d.threads == 1 ? "" : "s", d.kernel, d.why, d.precision);
  fmt::print("memory     {:.4g} MiB of {:.4g} MiB available\n", double(bytes) / 0x1p20,
             double(available_memory()) / 0x1p20);
  fmt::print("steps      {:g}{}, {:.3g} s per force evaluation ({}interactions/s)\n", steps,
             method.adaptive ? " or more (adaptive)" : "", each, metric(double(n) * double(n) / each));
  fmt::print("time       about {}{}\n", method.adaptive ? "or above " : "", duration(each * evaluations));
  fmt::print("snapshots  {}, about {:.4g} MiB on disk; diagnostics rows {}\n", snapshots.size(),
             disk / 0x1p20, rows.size());
}

}  // namespace pleiad::run
