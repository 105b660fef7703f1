/// Time: fixed steps that are counted, adaptive steps that meet the requested times.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/error.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace pleiad {

Simulation::Simulation(const Snapshot& initial, const Gravity& gravity, const Method& method,
                       const EngineOptions& engine)
    : Simulation(Snapshot(initial), Clock{.start = initial.time, .time = initial.time}, gravity, method,
                 engine) {}

Simulation::Simulation(Snapshot saved, const Clock& clock, const Gravity& gravity, const Method& method,
                       const EngineOptions& engine)
    : gravity_(gravity), method_(method), clock_(clock), now_(std::move(saved)) {
  check(method_, gravity_);
  now_.G = gravity.G;
  now_.boundary = gravity.boundary;
  if (!method_.integrator->hermite) now_.bodies.low.clear();
  EngineOptions options = engine;
  options.jerks = method_.integrator->hermite;
  engine_ = make_engine(now_.bodies, gravity_, options);
}

void check(const Method& m, const Gravity& gravity) {
  if (m.integrator == nullptr) throw UsageError("a simulation needs an integrator");
  if (!(m.dt > 0 && std::isfinite(m.dt)))
    throw UsageError(fmt::format("dt = {} must be finite and > 0", m.dt));
  if (m.adaptive && !(m.eta > 0 && m.eta <= 1))
    throw UsageError(fmt::format("eta = {} must be in (0, 1]", m.eta));
  if (m.adaptive && !m.integrator->hermite && gravity.softening.eps == 0)
    throw UsageError(
        "the adaptive step eta sqrt(eps/|a|) needs softening > 0; set one, or use integrator hermite4");
  if (m.damping != 1 && m.integrator->name != "euler")
    throw UsageError(
        fmt::format("damping = {} needs integrator euler, not {}", m.damping, m.integrator->name));
  if (!(m.damping > 0 && m.damping <= 1))
    throw UsageError(fmt::format("damping = {} must be in (0, 1]", m.damping));
}

std::uint64_t whole_steps(double start, double dt, double time) {
  const double steps = (time - start) / dt;
  const double whole = std::nearbyint(steps);
  // A decimal time and a decimal dt are each rounded to half an ulp: their quotient misses a whole number by
  // at most a few ulps.
  if (!(whole >= 0 && whole < 0x1p63 && std::abs(steps - whole) <= 1e-9 * std::max(1.0, whole)))
    throw UsageError(fmt::format(
        "time {} is {:.9g} steps of dt = {} after {}: it must be a whole number; dt = {:.17g} would be right",
        time, steps, dt, start, (time - start) / std::max(1.0, std::ceil(steps))));
  return static_cast<std::uint64_t>(whole);
}

void Simulation::run_until(double time) {
  while (!run_towards(time, std::numeric_limits<std::uint64_t>::max())) {
  }
}

bool Simulation::run_towards(double time, std::uint64_t limit) {
  if (time < clock_.time)
    throw UsageError(fmt::format("time {} lies before the simulation's {}", time, clock_.time));
  StepPlan plan{.integrator = method_.integrator, .dt = method_.dt, .damping = method_.damping};
  if (!method_.adaptive) {
    const std::uint64_t last = step_at(time);
    const std::uint64_t steps = std::min(limit, last - std::min(last, clock_.step));
    if (steps > 0) {
      engine_->advance(plan, steps);
      current_ = false;
      clock_.step += steps;
      clock_.time = clock_.start + static_cast<double>(clock_.step) * method_.dt;
    }
    return clock_.step >= last;
  }
  for (; limit > 0 && clock_.time < time; --limit) {
    if (clock_.next_dt == 0) clock_.next_dt = engine_->suggest_dt(*method_.integrator, method_.eta);
    const double left = time - clock_.time, wanted = std::min(clock_.next_dt, method_.dt);
    if (!(wanted > 0) || clock_.time + wanted == clock_.time)
      throw NumericalError(fmt::format(
          "the adaptive step has shrunk to {:g} at time {}: two bodies are too close; use softening", wanted,
          clock_.time));
    // The last two steps before a requested time share what is left, so that none of them is tiny.
    // A step is the difference of two doubles, so that the time is what the steps add up to.
    double next = left <= wanted ? time : clock_.time + (left < 2 * wanted ? left / 2 : wanted);
    if (!(next > clock_.time)) next = time;
    plan.dt = next - clock_.time;
    engine_->advance(plan, 1);
    current_ = false;
    ++clock_.step;
    clock_.time = next;
    clock_.next_dt = engine_->suggest_dt(*method_.integrator, method_.eta);
  }
  return clock_.time >= time;
}

const Snapshot& Simulation::snapshot() {
  if (!current_) engine_->copy_to_host(now_.bodies);
  current_ = true;
  now_.time = clock_.time;
  now_.step = clock_.step;
  return now_;
}

Snapshot Simulation::snapshot_with_fields() {
  Snapshot full = snapshot();
  engine_->fields(full);
  return full;
}

ForceErrors Simulation::force_errors() { return engine_->force_errors(); }

std::function<Snapshot()> Simulation::snapshot_meanwhile(bool fields) {
  auto finish = engine_->begin_copy(fields);
  if (!finish)
    return [kept = fields ? snapshot_with_fields() : snapshot()]() mutable { return std::move(kept); };
  // What never changes is copied later too, by whoever finishes.
  return [this, finish = std::move(finish), time = clock_.time, step = clock_.step] {
    Snapshot s;
    s.time = time, s.step = step, s.units = now_.units, s.G = now_.G, s.boundary = now_.boundary;
    const auto& b = now_.bodies;
    s.bodies.mass = b.mass, s.bodies.id = b.id, s.bodies.type = b.type;
    for (auto* each : {&s.bodies.x, &s.bodies.y, &s.bodies.z, &s.bodies.vx, &s.bodies.vy, &s.bodies.vz})
      each->resize(b.mass.size());
    finish(s);
    return s;
  };
}

Diagnostics Simulation::diagnostics(double reference_energy) {
  auto d = diagnose(totals(), clock_.time, clock_.step, reference_energy);
  add_radii(d, snapshot().bodies);
  return d;
}

void Simulation::reverse_velocities() {
  engine_->reverse_velocities();
  current_ = false;
}

}  // namespace pleiad
