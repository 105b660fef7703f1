/// Runs a simulation to a time, with observers and cancellation.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/error.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace pleiad {

void Simulation::every(double interval, std::function<void(const Snapshot&)> observer) {
  if (!(interval > 0 && std::isfinite(interval)))
    throw UsageError(fmt::format("every {}: an interval must be finite and > 0", interval));
  const std::uint64_t steps =
      method_.adaptive ? 0 : whole_steps(clock_.time, method_.dt, clock_.time + interval);
  if (!method_.adaptive && steps == 0)
    throw UsageError(fmt::format("every {}: it is shorter than a step of {}", interval, method_.dt));
  observers_.push_back({.start = clock_.time,
                        .interval = interval,
                        .steps = steps,
                        .next = {.time = clock_.time, .step = method_.adaptive ? 0 : clock_.step},
                        .observer = std::move(observer)});
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

bool Simulation::run_until(double time, const Watch& watch) {
  const Moment end = moment_at(time);
  need_ahead(clock_, method_, end);
  const auto before = [&](const Moment& a, const Moment& b) {
    return method_.adaptive ? a.time < b.time : a.step < b.step;
  };
  for (tell_due(); !has_reached(end); tell_due()) {
    Moment next = end;
    for (const auto& o : observers_)
      if (before(o.next, next)) next = o.next;
    if (!go_to(next, time, watch)) return false;
  }
  return true;
}

void Simulation::make_steps(std::uint64_t steps) {
  (void)run_towards({.time = std::numeric_limits<double>::infinity(), .step = clock_.step + steps}, steps);
}

bool Simulation::go_to(const Moment& moment, double end, const Watch& watch) {
  constexpr auto endless = std::numeric_limits<std::uint64_t>::max();
  if (!watch) return run_towards(moment, endless);
  using Time = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds often{100};
  // Batches of any length have the same bits.
  for (std::uint64_t batch = 1;;) {
    const auto start = Time::now();
    const bool there = run_towards(moment, batch);
    if (!watch({.time = clock_.time, .end = end, .step = clock_.step}) && !(there && clock_.time >= end))
      return false;
    if (there) return true;
    const auto took = Time::now() - start;
    batch = took < often / 2 ? 2 * batch : took > often ? std::max<std::uint64_t>(1, batch / 2) : batch;
  }
}

}  // namespace pleiad
