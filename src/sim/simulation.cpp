/// A simulation: its steps, and what is asked of its state. Adaptive steps meet the requested times.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/law.hpp"
#include "core/room.hpp"
#include "core/validate.hpp"
#include "direct/why_not.hpp"
#include "engine/rounding.hpp"
#include "engine/softenings.hpp"
#include "integrate/equal_steps.hpp"
#include "integrate/step_watch.hpp"
#include "potentials/host_field.hpp"
#include "sim/encounter_watch.hpp"
#include "sim/lattice.hpp"
#include "sim/lost_body.hpp"

#include <pleiad/error.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace pleiad {
namespace {

/// Steps of one length in a time that is left, each at most dt. What rounding adds to that is no step.
double steps_in_rest(double left, double dt) { return std::max(1.0, std::ceil(left / dt * (1 - 1e-9))); }

}  // namespace

Simulation::Simulation(Snapshot initial, const Gravity& gravity, const Method& method,
                       const EngineOptions& engine)
    : gravity_(gravity),
      method_(method),
      clock_{.start = initial.time, .time = initial.time},
      now_(std::move(initial)) {
  begin(engine);
}

Simulation::Simulation(Snapshot saved, const Clock& clock, const Gravity& gravity, const Method& method,
                       const EngineOptions& engine)
    : gravity_(gravity), method_(method), clock_(clock), now_(std::move(saved)) {
  begin(engine);
}

void Simulation::begin(const EngineOptions& engine) {
  gravity_.softening = softening_of(now_.bodies, gravity_.softening, ranks::or_self(engine.ranks));
  if (gravity_.softening.of == SofteningOf::all) now_.bodies.softening.clear();
  check(method_, gravity_);
  now_.G = gravity_.G;
  now_.boundary = gravity_.boundary;
  if (!method_.integrator->needs_doubles) {
    if (!method_.lattice) now_.bodies.low.clear();
    now_.bodies.series.clear();
  }
  EngineOptions options = engine;
  if (method_.lattice) {
    auto facts = lattice_facts_of(method_, gravity_);
    facts.single = engine.precision == Precision::f32;
    if (engine.method && engine.method->kernel != nullptr && !engine.method->kernel->traits.reproducible)
      facts.unordered_kernel = engine.method->kernel->name;
    if (const auto why = why_not(facts)) throw UsageError(*why, Error::Code::unsupported);
    auto& ranks = ranks::or_self(engine.ranks);
    if (!method_.lattice->chosen()) method_.lattice = lattice_for(now_.bodies, gravity_, method_.dt, ranks);
    put_on(*method_.lattice, now_.bodies, ranks);
  }
  options.integrator = method_.integrator;
  options.particles_limit_step = method_.particles_limit_step;
  options.symmetric_steps = method_.symmetric_steps;
  options.blocks = method_.blocks;
  engine_options_ = engine;
  engine_ = make_engine(now_.bodies, gravity_, options);
  engine_->set_time(clock_.time);
  if (user_force_) engine_->set_user_force(user_force_, clock_.time);
}

void Simulation::add_force(UserForce force) {
  ProblemFacts facts;
  facts.gpus = engine_->describe().gpus, facts.integrator = method_.integrator;
  facts.user_force = true;
  need_able({}, facts);
  if (method_.lattice) {
    auto of_lattice = lattice_facts_of(method_, gravity_);
    of_lattice.user_force = true;
    throw UsageError(*why_not(of_lattice), Error::Code::unsupported);
  }
  engine_->set_user_force(force, clock_.time);
  user_force_ = std::move(force);
  clock_.next_dt = 0;
}

void check(const Method& m, const Gravity& gravity) {
  check_law(gravity);
  if (m.integrator == nullptr) throw UsageError("a simulation needs an integrator");
  if (!(m.dt > 0 && std::isfinite(m.dt)))
    throw UsageError(fmt::format("dt = {} must be finite and > 0", m.dt));
  if ((m.adaptive || m.integrator->in_blocks) && !(m.eta > 0 && m.eta <= 1))
    throw UsageError(fmt::format("eta = {} must be in (0, 1]", m.eta));
  const SteppingFacts steps{.integrator = m.integrator->name,
                            .adapts_by_softening = m.integrator->adapts_by_softening,
                            .takes_damping = m.integrator->takes_damping,
                            .on_orbits = m.integrator->on_orbits,
                            .in_blocks = m.integrator->in_blocks,
                            .takes_corrector = m.integrator->takes_corrector,
                            .adaptive = m.adaptive && !m.equal_steps,
                            .particles_limit_step = m.particles_limit_step,
                            .reads_backwards = reads_backwards(*m.integrator),
                            .symmetric_steps = m.symmetric_steps,
                            .corrector = m.corrector,
                            .damping = m.damping,
                            .softening = gravity.softening.eps,
                            .blocks = m.blocks};
  if (const auto why = why_not(steps)) throw UsageError(*why, Error::Code::unsupported);
  if (m.lattice) {
    if (m.lattice->chosen()) check(*m.lattice);
    if (const auto why = why_not(lattice_facts_of(m, gravity)))
      throw UsageError(*why, Error::Code::unsupported);
  }
  if (m.blocks.levels < 1 || m.blocks.levels > 31)
    throw UsageError(fmt::format("block_levels = {} must be 1 to 31", m.blocks.levels));
  if (m.equal_steps && (!m.adaptive || !makes_equal_steps(*m.integrator)))
    throw UsageError("equal steps between requested times need adaptive steps of a splitting or block-kdk");
  if (!(m.damping > 0 && m.damping <= 1))
    throw UsageError(fmt::format("damping = {} must be in (0, 1]", m.damping));
}

bool Simulation::run_towards(const Moment& moment, std::uint64_t limit, bool potentials) {
  need_ahead(clock_, method_, moment);
  stopped_by_.clear();
  if (!encounters_) return run_controlled(moment, limit, potentials);
  for (; limit > 0 && !has_reached(moment) && stopped_by_.empty(); --limit) {
    const auto before = clock_.step;
    run_controlled(moment, 1, potentials);
    if (clock_.step > before) look_for_encounters();
  }
  return has_reached(moment);
}

bool Simulation::run_controlled(const Moment& moment, std::uint64_t limit, bool potentials) {
  if (!controller_) return step_towards(moment, limit, potentials);
  while (limit > 0 && !has_reached(moment)) {
    const auto before = clock_.step;
    step_towards(moment, std::min(limit, controller_->steps_to_check(*this)), potentials);
    limit -= clock_.step - before;
    controller_->check(*this);
  }
  return has_reached(moment);
}

bool Simulation::step_towards(const Moment& moment, std::uint64_t limit, bool potentials) {
  StepPlan plan{.integrator = method_.integrator,
                .dt = method_.dt,
                .damping = method_.damping,
                .time = clock_.time,
                .lattice = method_.lattice.value_or(LatticeUnits{}),
                .blocks = method_.blocks,
                .symmetric_steps = method_.symmetric_steps,
                .corrector = method_.corrector,
                .watch = step_watch_};
  if (method_.space) plan.factors = method_.space.get();
  if (method_.integrator->in_blocks) plan.eta = method_.eta;
  if (!method_.adaptive) {
    const std::uint64_t steps = std::min(limit, moment.step - std::min(moment.step, clock_.step));
    if (steps > 0) {
      if (potentials && clock_.step + steps == moment.step && moment.ahead == 0) engine_->expect_potentials();
      plan.count = {.start = clock_.start, .done = clock_.step - clock_.start_step};
      engine_->advance(plan, steps);
      current_ = false;
      clock_.step += steps;
      clock_.time = time_of_step(clock_.start, method_.dt, clock_.step - clock_.start_step);
    }
    if (stands_before(moment) && limit > steps) meet(moment, potentials);
    return has_reached(moment);
  }
  const bool symmetric = method_.symmetric_steps;
  for (const double time = moment.time; limit > 0 && clock_.time < time; --limit) {
    plan.time = clock_.time;
    if (clock_.next_dt == 0 && !method_.equal_steps) clock_.next_dt = next_step(0);
    const double left = time - clock_.time;
    double wanted = symmetric ? clock_.next_dt : std::min(clock_.next_dt, method_.dt);
    if (method_.equal_steps) wanted = left / steps_in_rest(left, method_.dt);
    if (!(wanted > 0) || clock_.time + wanted == clock_.time)
      throw NumericalError(
          lost_at_this_time(wanted)
              ? fmt::format("the adaptive step {:g} is lost in the rounding of times near {}", wanted,
                            clock_.time)
              : fmt::format("the adaptive step has shrunk to {:g} at time {}: two bodies are too close; use "
                            "softening",
                            wanted, clock_.time),
          Error::Code::step_too_small);
    if (stands_before(moment)) {
      if (moment.ahead > 0) meet(moment, potentials);
      break;
    }
    // The last two steps before a requested time share the remaining time, so that neither is tiny. A step is
    // the difference of two doubles, so that the steps add up to the time.
    const bool halves = !method_.equal_steps && !symmetric && left < 2 * wanted;
    double next = left <= wanted ? time : clock_.time + (halves ? left / 2 : wanted);
    if (!(next > clock_.time)) next = time;
    plan.dt = next - clock_.time, plan.eta = method_.eta;
    plan.end = next;
    if (potentials && next == time) engine_->expect_potentials();
    engine_->advance(plan, 1);
    current_ = false;
    ++clock_.step;
    clock_.time = next;
    if (!method_.equal_steps) clock_.next_dt = next_step(wanted);
  }
  return has_reached(moment);
}

/// After a step of the length `last`; 0: there was none.
double Simulation::next_step(double last) {
  const double wanted = suggested_dt();
  return method_.symmetric_steps ? symmetric_step(wanted, last, method_.dt) : wanted;
}

/// Goes to a moment between two full steps, from where the next ones begin.
void Simulation::meet(const Moment& moment, bool potentials) {
  make_shortened_step(moment, potentials);
  ++clock_.step;
  clock_.ahead = 0;
  if (method_.adaptive) clock_.next_dt = 0;
  else clock_.start = clock_.time, clock_.start_step = clock_.step;
}

/// By the criterion of the integrator.
double Simulation::suggested_dt() {
  return engine_->suggest_dt(*method_.integrator,
                             method_.space ? method_.space->eta_at(clock_.time, method_.eta) : method_.eta);
}

/// From a full step.
void Simulation::make_shortened_step(const Moment& moment, bool potentials) {
  if (potentials) engine_->expect_potentials();
  const double ahead = method_.adaptive ? moment.time - clock_.time : moment.ahead;
  engine_->advance({.integrator = method_.integrator,
                    .dt = ahead,
                    .damping = std::pow(method_.damping, ahead / method_.dt),
                    .time = clock_.time,
                    .factors = method_.space ? method_.space.get() : &static_space(),
                    .end = moment.time,
                    .eta = method_.integrator->in_blocks ? method_.eta : 0,
                    .lattice = method_.lattice.value_or(LatticeUnits{}),
                    .blocks = method_.blocks,
                    .symmetric_steps = method_.symmetric_steps,
                    .corrector = method_.corrector,
                    .watch = step_watch_},
                   1);
  current_ = false;
  clock_.time = moment.time, clock_.ahead = ahead;
}

double Simulation::energy_lost_inside() const {
  return step_watch_ != nullptr && clock_.ahead > 0 ? step_watch_->energy_lost() : 0;
}

void Simulation::at_moment(const Moment& moment, const std::function<void()>& work, bool potentials) {
  const Clock full = clock_;
  const auto put_back = engine_->keep_state();
  const auto watch_as_before =
      step_watch_ != nullptr ? step_watch_->keep_state() : std::function<void()>([] {});
  const auto go_back = [&] {
    put_back();
    watch_as_before();
    clock_ = full;
    current_ = false;
  };
  try {
    make_shortened_step(moment, potentials);
    work();
  } catch (...) {
    go_back();
    throw;
  }
  go_back();
}

/// Not because it is short, but because the run began late.
bool Simulation::lost_at_this_time(double dt) const {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  return dt <= eps * std::abs(clock_.time) && dt > eps * (clock_.time - clock_.start);
}

void Simulation::need_first_step() {
  if (!method_.adaptive || clock_.next_dt > 0) return;
  const double dt = method_.equal_steps ? method_.dt : std::min(next_step(0), method_.dt);
  if (dt > 0 && lost_at_this_time(dt)) need_above_rounding(clock_.time, dt, clock_.time);
}

const Snapshot& Simulation::snapshot() {
  if (!current_) engine_->copy_to_host(now_.bodies);
  current_ = true, changed_ = false;
  now_.time = clock_.time;
  now_.step = step();
  return now_;
}

void Simulation::go_on_with(const EngineOptions& engine) {
  (void)snapshot();
  const auto work = engine_->work();
  engine_.reset();
  begin(engine);
  engine_->set_work(work);
}

Snapshot Simulation::take() && {
  (void)snapshot();
  engine_.reset();
  return std::move(now_);
}

Snapshot Simulation::snapshot_with_fields() {
  Snapshot full = snapshot();
  engine_->fields(full);
  potentials::add_to_fields(gravity_.potentials, full);
  return full;
}

std::vector<Vec3<double>> Simulation::exact_accelerations(const Sample& sample) {
  if (engine_->describe().precision == name_of(Precision::f32))
    return engine_->exact_accelerations_of(unrounded(snapshot().bodies), sample.bodies);
  return engine_->exact_accelerations(sample.bodies);
}

ForceErrors Simulation::force_errors(const Sample& sample) {
  return force_errors(sample, exact_accelerations(sample));
}

ForceErrors Simulation::force_errors(const Sample& sample, std::vector<Vec3<double>> exact) {
  auto accelerations = engine_->computed_accelerations(sample.bodies);
  accelerations.exact = std::move(exact);
  const auto bodies = [this]() -> const Bodies& { return snapshot().bodies; };
  accelerations.rounding = engine_->rounding_of_exact(bodies, sample, accelerations.exact);
  auto errors = errors_of(accelerations, sample, gravity_.G);
  if (!sample.particles.empty()) {
    const auto particles = errors_of(engine_->sampled_accelerations(sample.particles), {}, gravity_.G);
    errors.particles = particles.sample;
    errors.particles_p99 = particles.p99, errors.particles_largest = particles.largest;
  }
  const auto d = engine_->describe();
  const bool own_reference =
      !d.method.tree &&
      (gravity_.boundary.all_images()
           ? d.precision == name_of(Precision::f64)
           : !gravity_.softening.plain() && (d.gpus == 0 ? d.precision != name_of(Precision::f32)
                                                         : d.precision == name_of(Precision::f64)));
  errors.measured = !own_reference;
  return errors;
}

Sample Simulation::sample() {
  const auto d = engine_->describe();
  return engine_->sample(snapshot().bodies, sample_size(size_on_all_ranks(), d.gpus > 0 && d.method.tree));
}

std::function<void(Snapshot&)> Simulation::snapshot_meanwhile(bool fields) {
  if (changed_) (void)snapshot();
  // Data that never change are copied later too, by the returned function.
  return
      [this, fields, finish = engine_->begin_copy(fields), time = clock_.time, step = step()](Snapshot& s) {
        s.time = time, s.step = step, s.units = now_.units, s.G = now_.G, s.boundary = now_.boundary;
        const auto& b = now_.bodies;
        s.bodies.resize(b.size());
        copy_at_once<double>(b.mass, s.bodies.mass.data());
        copy_at_once<std::uint64_t>(b.id, s.bodies.id.data());
        copy_at_once<Type>(b.type, s.bodies.type.data());
        s.bodies.softening = b.softening;
        s.bodies.low.clear(), s.bodies.series.clear();
        finish(s);
        if (fields) potentials::add_to_fields(gravity_.potentials, s);
      };
}

bool Simulation::counts_work() const { return pleiad::counts_work(gravity_); }

std::optional<double> Simulation::kept_pattern_speed() const {
  return counts_work() ? balanced_pattern_speed_of(gravity_) : pattern_speed_of(gravity_);
}

Diagnostics Simulation::diagnostics(double reference_energy) { return diagnostics(reference_energy, {}); }

Diagnostics Simulation::diagnostics(double reference_energy, std::optional<double> scale) {
  const auto now = totals();
  const double omega = kept_pattern_speed().value_or(0), work = engine_->work()[0];
  auto d = diagnose(now, clock_.time, step(), reference_energy, omega, scale);
  if (work != 0)
    d.energy_error = energy_error(conserved_energy(now, omega) - work - reference_energy,
                                  scale ? *scale : pleiad::energy_scale(reference_energy, now.energies));
  d.lagrangian_radii = radii().lagrangian;
  return d;
}

double Simulation::reference_energy() {
  if (!reference_energy_) {
    const auto now = totals();
    reference_energy_ = conserved_energy(now, kept_pattern_speed().value_or(0)) - engine_->work()[0];
    energy_scale_ = pleiad::energy_scale(*reference_energy_, now.energies);
  }
  return *reference_energy_;
}

double Simulation::energy_scale() {
  const double energy = reference_energy();
  if (!energy_scale_) energy_scale_ = pleiad::energy_scale(energy, energies());
  return *energy_scale_;
}

Diagnostics Simulation::diagnostics() {
  const double reference = reference_energy() - energy_lost_inside();
  return diagnostics(reference, energy_scale());
}

void Simulation::reverse_velocities() {
  // The step that led here leads back.
  if (method_.symmetric_steps && clock_.next_dt > 0) clock_.next_dt = next_step(clock_.next_dt);
  engine_->reverse_velocities();
  current_ = false;
  if (encounters_) encounters_->take_bodies(*this);
}

void Simulation::move_bodies(Bodies moved) {
  if (moved.size() != size())
    throw UsageError(fmt::format("there are {} bodies, not {}", size(), moved.size()));
  if (gravity_.softening.of == SofteningOf::all) moved.softening.clear();
  else if (moved.softening.empty()) moved.softening = now_.bodies.softening;
  need_valid(moved, gravity_, "the bodies");
  if (gravity_.dimension == 2) need_flat(moved, "the bodies");
  if (!method_.integrator->needs_doubles && !method_.lattice) moved.low.clear();
  moved.series.clear();
  if (method_.lattice) put_on(*method_.lattice, moved, ranks::or_self(engine_options_.ranks));
  now_.bodies = std::move(moved);
  engine_->load(now_.bodies);
  current_ = true, changed_ = false;
  clock_.next_dt = 0;
  if (encounters_) encounters_->take_bodies(*this);
}

std::optional<DeviceState> Simulation::device_state() {
  auto state = engine_->device_state();
  if (state) state->owner = engine_;
  return state;
}

void Simulation::state_changed() {
  engine_->state_changed();
  current_ = false, changed_ = true;
  if (method_.lattice) {  // what was written are doubles, anywhere between the numbers of the lattice
    engine_->copy_to_host(now_.bodies);
    now_.bodies.low.clear();
    put_on(*method_.lattice, now_.bodies, ranks::or_self(engine_options_.ranks));
    engine_->load(now_.bodies);
  }
  clock_.next_dt = 0;
  if (encounters_) encounters_->take_bodies(*this);
}

void Simulation::need_finite() {
  if (finite()) return;
  const auto& b = snapshot().bodies;
  const auto lost = first_lost(b);
  throw lost_body(lost, lost < b.size() ? b.id[lost] : 0, step(), clock_.time);
}

}  // namespace pleiad
