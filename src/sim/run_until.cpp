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
  if (!(time_of_step(clock_.time, interval, 1) > clock_.time))
    throw UsageError(
        fmt::format("every {}: it is lost in the rounding of times near {}", interval, clock_.time));
  Observer added{
      .start = clock_.time, .interval = interval, .first = clock_.step, .observer = std::move(observer)};
  if (!method_.adaptive) {
    const Clock from_here{.start = clock_.time, .time = clock_.time};
    const auto moment = pleiad::moment_at(from_here, method_, clock_.time + interval);
    if (moment.ahead == 0) added.steps = moment.step;
    if (method_.exact_steps && added.steps == 0)
      throw UsageError(fmt::format("every {}: it is shorter than a step of {}", interval, method_.dt));
  }
  observers_.push_back(std::move(added));
}

void Simulation::continue_from(const Simulation& earlier) {
  auto observers = earlier.observers_;
  for (auto& o : observers) {
    const double past = (clock_.time - time_of_step(o.start, o.interval, o.told)) / o.interval;
    if (past > 1e-9) o.told += static_cast<std::uint64_t>(std::ceil(past - 1e-9));
    o.first = o.steps = 0;  // the steps may have another length
    try {
      for (const std::uint64_t call : {o.told, o.told + 1})  // the first may be now
        (void)moment_at(std::max(time_of_step(o.start, o.interval, call), clock_.time));
    } catch (const UsageError& e) {
      throw UsageError(
          fmt::format("what is called every {} could not be any more: {}", o.interval, e.what()));
    }
  }
  observers_ = std::move(observers);
  clock_.step = clock_.start_step = earlier.clock_.step;
  engine_->set_work(earlier.work());
  if (auto settings = earlier.watched_encounters()) {
    std::erase_if(settings->radii, [&](const auto& own) {
      return std::ranges::find(now_.bodies.id, own.first) == now_.bodies.id.end();
    });
    if (!settings->collisions()) settings->on_collision = Reaction::record;
    watch_encounters(*settings);
    found_ = earlier.found_, tell_encounter_ = earlier.tell_encounter_;
  }
}

/// Whole steps are counted from the start of the observer, while the simulation counts the same.
Moment Simulation::next_of(const Observer& o) const {
  const double time = time_of_step(o.start, o.interval, o.told);
  if (method_.adaptive) return {.time = time, .ahead = method_.symmetric_steps ? method_.dt : 0};
  if (o.steps > 0 && clock_.start_step <= o.first) return {.time = time, .step = o.first + o.told * o.steps};
  return time > clock_.time ? moment_at(time) : moment_of(clock_);
}

/// An observer that steps have passed by (make_steps) is called once.
void Simulation::tell_due() {
  for (auto& o : observers_) {
    if (!has_reached(next_of(o))) continue;
    o.observer(snapshot());
    do ++o.told;
    while (has_reached(next_of(o)) && time_of_step(o.start, o.interval, o.told) < clock_.time);
  }
}

bool Simulation::run_in_batches(double time, const NextBatch& next_batch) {
  const Moment end = end_at(time);
  stopped_by_.clear();
  const auto before = [&](const Moment& a, const Moment& b) { return pleiad::before(method_, a, b); };
  for (tell_due(); !has_reached(end); tell_due()) {
    Moment next = end;
    for (const auto& o : observers_)
      if (const auto other = next_of(o); before(other, next)) next = other;
    const Moment full{.time = next.time, .step = next.step};
    const bool copied = next.ahead > 0 && before(next, end);
    if (!go_to(copied ? full : next, time, next_batch)) {
      if (stopped_by_.empty()) return false;
      tell_due();
      return has_reached(end);
    }
    if (copied && stands_before(next)) at_moment(next, [&] { tell_due(); });
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
    const bool there = run_towards(moment, steps);
    if (!stopped_by_.empty()) return false;
    if (there) return true;
  }
}

}  // namespace pleiad
