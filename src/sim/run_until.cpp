/// Runs a simulation to a time, with observers and cancellation.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "sim/batches.hpp"

#include <pleiad/error.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace pleiad {

/// Number of fixed steps in an interval of an observer; 0: steps are adaptive.
std::uint64_t Simulation::steps_in(double interval) const {
  if (method_.adaptive) return 0;
  const std::uint64_t steps = whole_steps(clock_.time, method_.dt, clock_.time + interval);
  if (steps == 0)
    throw UsageError(fmt::format("every {}: it is shorter than a step of {}", interval, method_.dt));
  return steps;
}

void Simulation::every(double interval, std::function<void(const Snapshot&)> observer) {
  if (!(interval > 0 && std::isfinite(interval)))
    throw UsageError(fmt::format("every {}: an interval must be finite and > 0", interval));
  observers_.push_back({.start = clock_.time,
                        .interval = interval,
                        .steps = steps_in(interval),
                        .next = {.time = clock_.time, .step = method_.adaptive ? 0 : clock_.step},
                        .observer = std::move(observer)});
}

void Simulation::continue_from(const Simulation& earlier) {
  auto observers = earlier.observers_;
  for (auto& o : observers) try {
      o.steps = steps_in(o.interval);
      if (const double past = (clock_.time - o.next.time) / o.interval; past > 1e-9) {
        o.told += static_cast<std::uint64_t>(std::ceil(past - 1e-9));
        o.next.time = time_of_step(o.start, o.interval, o.told);
      }
      const auto next = moment_at(std::max(o.next.time, clock_.time));
      o.next.step = method_.adaptive ? 0 : earlier.clock_.step + next.step;
    } catch (const UsageError& e) {
      throw UsageError(
          fmt::format("what is called every {} could not be any more: {}", o.interval, e.what()));
    }
  observers_ = std::move(observers);
  clock_.step = clock_.start_step = earlier.clock_.step;
}

void Simulation::tell_due() {
  for (auto& o : observers_) {
    if (!has_reached(o.next)) continue;
    o.observer(snapshot());
    ++o.told;
    o.next.time = time_of_step(o.start, o.interval, o.told);
    o.next.step += o.steps;
  }
}

bool Simulation::run_in_batches(double time, const NextBatch& next_batch) {
  // Before the number of steps: half a step leaves room for the rounding of times.
  if (time < clock_.time - (method_.adaptive ? 0 : method_.dt / 2))
    throw UsageError(fmt::format("time {} lies before the simulation's {}", time, clock_.time));
  const Moment end = moment_at(time);
  need_ahead(clock_, method_, end);
  const auto before = [&](const Moment& a, const Moment& b) {
    return method_.adaptive ? a.time < b.time : a.step < b.step;
  };
  for (tell_due(); !has_reached(end); tell_due()) {
    Moment next = end;
    for (const auto& o : observers_)
      if (before(o.next, next)) next = o.next;
    if (!go_to(next, time, next_batch)) return false;
  }
  return true;
}

bool Simulation::run_until(double time, const Watch& watch) {
  if (!watch)
    return run_in_batches(time, [](const RunProgress&) { return std::numeric_limits<std::uint64_t>::max(); });
  Batches batches;
  const bool there = run_in_batches(time, [&](const RunProgress& progress) -> std::uint64_t {
    const double took = batches.took();
    if (batches.begun() && !watch(progress)) return 0;
    return batches.next(progress.step, took);
  });
  if (there && batches.begun()) (void)watch({.time = clock_.time, .end = time, .step = clock_.step});
  return there;
}

void Simulation::make_steps(std::uint64_t steps) {
  (void)run_towards({.time = std::numeric_limits<double>::infinity(), .step = clock_.step + steps}, steps);
}

bool Simulation::go_to(const Moment& moment, double end, const NextBatch& next_batch) {
  while (true) {
    const auto steps = next_batch({.time = clock_.time, .end = end, .step = clock_.step});
    if (steps == 0) return false;
    if (run_towards(moment, steps)) return true;
  }
}

}  // namespace pleiad
