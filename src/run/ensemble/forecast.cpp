/// A forecast for an ensemble: it makes the systems and times their first steps, and writes nothing.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/clock.hpp"
#include "run/ensemble/session.hpp"
#include "run/memory.hpp"
#include "run/start.hpp"

#include <algorithm>
#include <cmath>

namespace pleiad::run {
namespace {

/// Seconds of one step of every system, at best of three.
double step_seconds(Ensemble& ensemble, double t_end) {
  ensemble.run_towards(t_end, 1);
  double best = 1e300;
  for (int repeat = 0; repeat < 3; ++repeat)
    best = std::min(best, seconds_of([&] { ensemble.run_towards(t_end, 1); }));
  return best;
}

}  // namespace

std::variant<Forecast, EnsembleForecast> EnsembleSession::estimate() {
  const Options& o = options_;
  Ensemble& ensemble = *ensemble_;
  const Method method = ensemble.method(0);
  const Clock clock = ensemble.clock(0);
  const Moment end = moment_at(clock, method, o.time.t_end);
  EnsembleForecast f{.systems = scan_->size(),
                     .points = scan_->points(),
                     .bodies = ensemble.snapshot(0).bodies.size(),
                     .available_bytes = available_memory(),
                     .diagnosed = outputs_->diagnostics_to_come(clock),
                     .engine = ensemble.describe(),
                     .why_precision = context_.why_precision,
                     .at_least = method.adaptive};
  f.bytes = ensemble_bytes(f.systems, f.bodies, engine_of(o));
  f.steps = method.adaptive ? std::ceil((end.time - clock.time) / method.dt) : double(end.step - clock.step);
  if (!has_reached(clock, method, end)) f.step_seconds = step_seconds(ensemble, o.time.t_end);
  f.interactions_per_second =
      f.engine.interactions_per_evaluation * method.integrator->evaluations / std::max(f.step_seconds, 1e-9);
  return f;
}

}  // namespace pleiad::run
