/// A forecast for an ensemble: the systems are made and their first steps timed; nothing is written.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/json_text.hpp"
#include "core/print.hpp"
#include "run/ensemble/session.hpp"
#include "run/memory.hpp"
#include "run/progress.hpp"
#include "run/start.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

/// Seconds of one step of every system, at best of three.
double step_seconds(Ensemble& ensemble, double t_end) {
  using Time = std::chrono::steady_clock;
  ensemble.run_towards(t_end, 1);
  double best = 1e300;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const auto before = Time::now();
    ensemble.run_towards(t_end, 1);
    best = std::min(best, std::chrono::duration<double>(Time::now() - before).count());
  }
  return best;
}

}  // namespace

void forecast_ensemble(const Request& request, std::optional<Resumed> resumed) {
  const bool is_new = !resumed;
  EnsembleSession session(request, std::move(resumed));
  const Options& o = session.options();
  if (is_new) RunDirectory::need_claimable(o.output.directory, request.overwrite, session.inputs());
  const Scan& scan = session.scan();
  Ensemble& ensemble = session.ensemble();
  const Method method = ensemble.method(0);
  const Clock clock = ensemble.clock(0);
  const std::size_t n = ensemble.snapshot(0).bodies.size(), looks = session.outputs().looks_to_come(clock),
                    bytes = ensemble_bytes(scan.size(), n, engine_of(o));
  const Moment end = moment_at(clock, method, o.time.t_end);
  const bool adaptive = method.adaptive, going = !has_reached(clock, method, end);
  const double steps =
      adaptive ? std::ceil((end.time - clock.time) / method.dt) : double(end.step - clock.step);
  const auto d = ensemble.describe();
  const double each = going ? step_seconds(ensemble, o.time.t_end) : 0;
  if (request.json) {
    const nlohmann::ordered_json j{{"systems", scan.size()},
                                   {"points", scan.points()},
                                   {"bodies_of_the_first", n},
                                   {"steps", steps},
                                   {"steps_at_least", adaptive},
                                   {"memory_bytes", bytes},
                                   {"available_bytes", available_memory()},
                                   {"step_seconds", each},
                                   {"seconds", each * steps},
                                   {"looks", looks},
                                   {"device", d.device},
                                   {"kernel", d.kernel()},
                                   {"precision", d.precision}};
    print_out("{}\n", json_text(j));
    return;
  }
  print_out("systems    {} at {} point{} of the scan, the first of {} bodies\n", scan.size(), scan.points(),
            scan.points() == 1 ? "" : "s", n);
  print_out("device     {}, {} thread{}, kernel {} ({}), precision {}\n", d.device, d.threads,
            d.threads == 1 ? "" : "s", d.kernel(), d.why, d.precision);
  print_out("memory     {:.4g} MiB of {:.4g} MiB available\n", double(bytes) / 0x1p20,
            double(available_memory()) / 0x1p20);
  print_out("steps      {:g}{}, {:.3g} s for one of every system ({}interactions/s)\n", steps,
            adaptive ? " or more (adaptive)" : "", each,
            metric(d.interactions_per_evaluation * method.integrator->evaluations / std::max(each, 1e-9)));
  print_out("time       about {}{}; {} looks at all systems\n", adaptive ? "or above " : "",
            duration(each * steps), looks);
}

}  // namespace pleiad::run
