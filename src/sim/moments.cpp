/// Times in steps: where a time is on the clock of a simulation, and which times are refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/error.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

namespace pleiad {
namespace {

/// Rounding error of times between `start` and `time`, in steps.
double rounding_of_times(double start, double dt, double time) {
  return std::numeric_limits<double>::epsilon() * (std::abs(start) + std::abs(time)) / dt;
}

/// `time` in steps of dt from `start`: whole ones and the time beyond them. `exact`: it should have none.
Moment moment_from(double start, double dt, double time, bool exact) {
  if (!(time >= start)) throw UsageError(fmt::format("time {} lies before the start, {}", time, start));
  const double steps = (time - start) / dt, whole = std::nearbyint(steps);
  if (!(whole < 0x1p63))
    throw UsageError(fmt::format("time {} is {:.3g} steps of dt = {} after {}; at most {:.3g} can be counted",
                                 time, steps, dt, start, 0x1p63));
  need_above_rounding(start, dt, time);
  const auto at = [&](double step, bool exactly) {
    const auto count = static_cast<std::uint64_t>(step);
    const double there = time_of_step(start, dt, count);
    return exactly || !(time > there) ? Moment{.time = there, .step = count}
                                      : Moment{.time = time, .step = count, .ahead = time - there};
  };
  // A decimal time and a decimal dt are each rounded, some to nine digits: their quotient misses a whole
  // number by that, and by what the rounding of the two times is in steps.
  const double written = std::min(1e-9 * std::max(1.0, whole), exact ? 0.5 : 1e-3);
  if (std::abs(steps - whole) <= written + rounding_of_times(start, dt, time)) return at(whole, true);
  return at(std::floor(steps), false);
}

/// UsageError with the times of full steps next to one that is between them.
void need_full_step(const Moment& moment, double start, double dt) {
  if (moment.ahead > 0)
    throw UsageError(
        fmt::format("time {} is {:.9g} steps of dt = {} after {}: it must be a whole number; {} and {} are",
                    moment.time, (moment.time - start) / dt, dt, start, time_of_step(start, dt, moment.step),
                    time_of_step(start, dt, moment.step + 1)));
}

/// Whatever Method::exact_steps says.
Moment any_moment_at(const Clock& clock, const Method& method, double time) {
  if (method.adaptive) {
    if (std::isfinite(time)) need_above_rounding(clock.start, method.dt, time);
    return {.time = time, .ahead = method.symmetric_steps ? method.dt : 0};
  }
  Moment moment = moment_from(clock.start, method.dt, time, method.exact_steps);
  moment.step += clock.start_step;
  return moment;
}

void need_allowed(const Clock& clock, const Method& method, const Moment& moment) {
  if (method.exact_steps && !method.adaptive && moment.ahead > 0)
    need_full_step({.time = moment.time, .step = moment.step - clock.start_step, .ahead = moment.ahead},
                   clock.start, method.dt);
}

}  // namespace

void need_above_rounding(double start, double dt, double time) {
  if (const double rounding = rounding_of_times(start, dt, time); rounding > 0.1)
    throw UsageError(
        fmt::format("dt = {} is lost in the rounding of times near {}; dt must be {:.2g} or more there", dt,
                    std::max(std::abs(start), std::abs(time)), 11 * rounding * dt));
}

std::uint64_t whole_steps(double start, double dt, double time) {
  const auto moment = moment_from(start, dt, time, true);
  need_full_step(moment, start, dt);
  return moment.step;
}

Moment moment_at(const Clock& clock, const Method& method, double time) {
  const auto moment = any_moment_at(clock, method, time);
  need_allowed(clock, method, moment);
  return moment;
}

Moment end_at(const Clock& clock, const Method& method, double time) {
  if (time < clock.start) need_ahead(clock, method, {.time = time});
  const auto moment = any_moment_at(clock, method, time);
  need_ahead(clock, method, moment);
  need_allowed(clock, method, moment);
  return moment;
}

bool before(const Method& method, const Moment& one, const Moment& other) {
  if (method.adaptive) return one.time < other.time;
  return one.step != other.step ? one.step < other.step : one.ahead < other.ahead;
}

bool has_reached(const Clock& clock, const Method& method, const Moment& moment) {
  if (!before(method, moment_of(clock), moment)) return true;
  return method.adaptive && moment.ahead == 0 && stands_before(clock, method, moment);
}

bool stands_before(const Clock& clock, const Method& method, const Moment& moment) {
  if (!method.adaptive) return moment.ahead > 0 && clock.ahead == 0 && clock.step == moment.step;
  return method.symmetric_steps && clock.next_dt > 0 && clock.time < moment.time &&
         clock.time + clock.next_dt > moment.time;
}

double symmetric_step(double wanted, double last, double longest) {
  const double ratio = wanted / longest, square = ratio * ratio;
  const double bounded = ratio < 1 ? wanted / std::sqrt(std::sqrt(1 + square * square))
                                   : longest / std::sqrt(std::sqrt(1 + 1 / (square * square)));
  if (!(last > 0)) return bounded;
  const double step = 1 / (2 / bounded - 1 / last);
  // 5 / 6 is where the other one is 5 / 4.
  return step > bounded * (5.0 / 6) && step < 1.25 * bounded ? step : bounded;
}

void need_ahead(const Clock& clock, const Method& method, const Moment& moment) {
  if (before(method, moment, moment_of(clock)))
    throw UsageError(fmt::format("time {} lies before the simulation's {}", moment.time, clock.time));
}

}  // namespace pleiad
