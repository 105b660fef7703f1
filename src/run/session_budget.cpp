/// The run of one system whose energy error is asked for: the choice of the integration, and its watch.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "capabilities/capabilities.hpp"
#include "control/engine.hpp"
#include "control/position_choice.hpp"
#include "control/time_choice.hpp"
#include "integrate/individual.hpp"
#include "io/config/block_steps.hpp"
#include "ranks/agree.hpp"
#include "ranks/gather.hpp"
#include "run/energy_watch.hpp"
#include "run/force_share.hpp"
#include "run/observer.hpp"
#include "run/session.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

double budget_of(const Options::Time& t, double length) {
  return t.energy_error > 0 ? t.energy_error : t.energy_error_rate * length;
}

/// What is said of neighbours. `inside`: approaches or collisions are found inside steps.
std::string note_of_neighbours(const BlockSteps& blocks, std::size_t stars, bool on_host, bool inside) {
  if (on_host && !inside && sums_neighbours(blocks, stars))
    return fmt::format(
        "neighbours: the pulls of some {} near stars on each have its steps, all others longer ones",
        std::min(wanted_neighbours(stars), stars > 0 ? stars - 1 : 0));
  const auto why = !on_host ? std::string("on a GPU")
                   : inside ? std::string("with approaches and collisions inside them")
                   : blocks.groups != CloseGroups::off
                       ? std::string("with groups")
                       : fmt::format("which is faster for fewer than {} stars", least_for_neighbours);
  return fmt::format("neighbours: all pulls on a star have its steps, {}", why);
}

/// What is said of block time steps that were not chosen.
std::string words_of(const control::BlockForecast& f) {
  return f.gain() >= control::least_gain
             ? fmt::format(
                   "; block steps, forecast {:.2g} times cheaper than shared ones, cost more for this "
                   "error",
                   f.gain())
             : fmt::format("; block steps were not tried, forecast {:.2g} times as fast", f.gain());
}

std::string words_of(const control::TimeChoice& c, double budget) {
  const bool blocks = c.integrator->in_blocks;
  std::string steps = fmt::format("dt {:.3g}", c.dt);
  if (c.adaptive) steps = fmt::format("adaptive, eta {:.3g}", c.eta);
  else if (blocks) steps += fmt::format(", eta {:.3g}, {}", c.eta, c.forecast->text());
  return fmt::format(
      "energy error {:g} asked: {}, {} (trial over {:.3g}, {:.3g} shortest pair times; predicted {:.1e}; "
      "{:.3g} "
      "evaluations{}; the trials cost {:.3g}{})",
      budget, c.integrator->name, steps, c.trial, c.trial / c.pairs.shortest, c.predicted, c.evaluations,
      c.integrator->needs_jerks ? " with jerks" : "", c.spent,
      c.forecast && !blocks ? words_of(*c.forecast) : "");
}

/// What else than the step an error may come from.
std::string forces_hint(const Options& o) {
  if (!(o.solver.accuracy > 0)) return {};
  return fmt::format("; errors of the forces are part of it: they are computed to {:g} (--accuracy)",
                     o.solver.accuracy);
}

}  // namespace

/// UsageError where the law keeps no energy that could have an error.
void Session::need_kept_energy() const {
  const auto& gravity = simulation_->gravity();
  if (const auto why = why_not(BudgetFacts{.keeps_energy = pattern_speed_of(gravity).has_value(),
                                           .periodic = gravity.boundary.periodic}))
    throw UsageError(*why, Error::Code::unsupported);
}

/// The accuracy of the forces of many bodies, where nothing is stated of them. The trials and the watch see
/// the sum of both errors.
void Session::settle_force_share(double start) {
  auto& o = context_.options;
  const auto accuracy = force_share(o, budget_of(o.time, o.time.t_end - start), context_.division.bodies);
  if (!accuracy) return;
  o.solver.accuracy = *accuracy;
  context_.notes.push_back(
      fmt::format("forces to {:.2g} for 99 % of the bodies, whose part of the energy error is an eighth "
                  "(--accuracy sets another; 0: direct sums)",
                  o.solver.accuracy));
}

/// Options with the choice; the simulation starts anew with it.
void Session::choose_integration() {
  const auto& t = options_.time;
  const auto& gravity = simulation_->gravity();
  const double length = t.t_end - simulation_->time();
  if (!(length > 0)) return;
  const auto& initial = simulation_->snapshot();
  const double budget = budget_of(t, length);
  auto engine = engine_;
  engine.method = simulation_->describe().method;
  const control::TimeDemand demand{.budget = budget,
                                   .length = length,
                                   .longest = t.dt,
                                   .only = stated_integrator(t),
                                   .blocks = config::blocks_of(t)};
  bool begins = true;
  const auto tell = [&](const std::string& what) {
    context_.observer().tuning("time.energy_error: " + what, std::exchange(begins, false));
  };
  const Timed tuning(context_.timings.tuning);
  const auto choice = [&] {
    try {
      return context_.divided()
                 ? control::choose_time(initial, ranks::bodies_of_all(context_.ranks, initial.bodies),
                                        gravity, engine, demand, tell)
                 : control::choose_time(initial, initial.bodies, gravity, engine, demand, tell);
    } catch (const UsageError& e) {
      throw UsageError(e.what() + forces_hint(options_), e.code());
    }
  }();
  take_method(choice.method());
  context_.notes.push_back(words_of(choice, budget));
  if (choice.rounding > budget / 50)
    context_.notes.push_back(
        fmt::format("rounding of the closest pair is {:.1e} of the energy: {:g} may not be kept",
                    choice.rounding, budget));
  energy_watch_.emplace(EnergyWatch::Plan{.budget = budget,
                                          .start = simulation_->time(),
                                          .end = t.t_end,
                                          .interval = std::max(choice.trial, length / 200),
                                          .span = std::max(choice.trial, choice.pairs.period),
                                          .longest = choice.longest});
  go_on_from({.snapshot = simulation_->snapshot(), .clock = simulation_->clock(), .method = choice.method()});
  earlier_evaluations_ = 0;
}

/// Options with the choice; the simulation starts anew with it.
void Session::choose_positions() {
  auto& t = context_.options.time;
  const double length = t.t_end - simulation_->time();
  if (!(length > 0)) return;
  auto engine = engine_;
  engine.method = simulation_->describe().method;
  bool begins = true;
  const auto tell = [&](const std::string& what) {
    context_.observer().tuning("time.position_error: " + what, std::exchange(begins, false));
  };
  const control::AllBodies all = [&](const Bodies& own) {
    return context_.divided() ? ranks::bodies_of_all(context_.ranks, own) : own;
  };
  const Timed tuning(context_.timings.tuning);
  const auto c = control::choose_positions(simulation_->snapshot(), all, simulation_->gravity(), engine,
                                           {.error = t.position_error,
                                            .length = length,
                                            .longest = t.dt,
                                            .only = stated_integrator(t),
                                            .adaptive = t.adaptive},
                                           tell);
  t.integrator = c.integrator->name, t.dt = c.dt, t.adaptive = c.adaptive;
  if (c.adaptive) t.eta = c.eta;
  context_.notes.push_back(words_of(c, t.position_error, length));
  const auto gravity = simulation_->gravity();
  Snapshot initial = simulation_->snapshot();
  simulation_.emplace(std::move(initial), gravity, method_of(context_.options), engine);
}

/// Tells what block time steps that are stated gain, as far as the bodies at the start say, and whether the
/// pulls of neighbours are summed by themselves.
void Session::note_blocks() {
  const auto& m = simulation_->method();
  if (has_individual_steps(m.integrator) && m.blocks.neighbours != Neighbours::off) {
    const auto& mass = simulation_->snapshot().bodies.mass;
    const auto stars = ranks::sum(
        context_.ranks, std::size_t(std::ranges::count_if(mass, [](double each) { return each > 0; })));
    const auto& e = context_.options.encounters;
    context_.notes.push_back(note_of_neighbours(m.blocks, stars,
                                                place_of(simulation_->describe().method) == Device::cpu,
                                                e.distance > 0 || e.collisions()));
  }
  if (!m.integrator->in_blocks || m.integrator->needs_doubles || m.blocks.single_step) return;
  const auto f =
      control::block_forecast(control::wanted_steps(*simulation_, m.blocks, context_.ranks), m.dt, m.eta,
                              m.blocks, control::evaluation_time(simulation_->describe().method));
  context_.notes.push_back(
      f.gain() >= control::least_gain
          ? f.text()
          : fmt::format("{}: kdk with dt = {:.3g} would be as fast", f.text(), m.dt / f.shared));
}

/// The options state what a resumed run goes on with.
void Session::take_method(const Method& m) {
  auto& t = context_.options.time;
  t.integrator = m.integrator->name, t.dt = m.dt, t.eta = m.eta;
}

/// As if the run had been resumed there.
void Session::go_on_from(EnergyWatch::Point point) {
  if (outputs_) outputs_->wait(), viewer_.settle();
  settle_checkpoint();
  const auto gravity = simulation_->gravity();
  const auto d = simulation_->describe();
  auto engine = for_ranks(engine_without_method_of(options_), context_.ranks);
  engine.why = d.why, engine.method = control::method_for(d.method, *point.method.integrator);
  earlier_evaluations_ += simulation_->evaluations();
  start_evaluations_ -= simulation_->evaluations();
  ranks::agree(context_.ranks, [&] {
    simulation_.emplace(std::move(point.snapshot), point.clock, gravity, point.method, engine);
  });
}

double Session::energy_error_of_now() {
  const double omega = pattern_speed_of(simulation_->gravity()).value_or(0);
  return diagnose(simulation_->totals(), simulation_->time(), simulation_->step(),
                  outputs_->energies().reference(), omega, outputs_->energies().scale())
      .energy_error;
}

/// Steps of an interval, until its end or the limit of a batch. At an error beyond its share it begins again.
void Session::run_watched(const Moment& moment) {
  const auto looks =
      EnergyWatch::steps_between_looks(*simulation_->method().integrator, context_.division.bodies);
  for (auto limit = batch_limit(); limit > 0;) {
    const auto made = simulation_->step() - energy_watch_->first_step();
    const auto steps = std::min(limit, looks - made % looks);
    if (steps > 1) simulation_->run_towards(moment, steps - 1);
    bool there = simulation_->has_reached(moment);
    if (!there) {
      if ((made + steps) % looks == 0) simulation_->expect_potentials();
      there = simulation_->run_towards(moment, 1, true);
    }
    limit -= steps;
    if (!there && (simulation_->step() - energy_watch_->first_step()) % looks != 0) continue;
    if (energy_watch_->look(energy_error_of_now(), there)) {
      if (!(interval_done_ = there)) continue;
      return;
    }
    return make_again();
  }
}

void Session::make_again() {
  const double found = energy_watch_->largest();
  EnergyWatch::Point point;
  ranks::agree(context_.ranks, [&] {
    try {
      point = energy_watch_->again(simulation_->method(), simulation_->step());
    } catch (const NumericalError& e) {
      throw NumericalError(e.what() + forces_hint(options_) + resume_hint(), e.code());
    }
  });
  const auto& m = point.method;
  const auto times = energy_watch_->redone();
  if (times <= 4 || std::has_single_bit(times))
    context_.observer().note(
        fmt::format("t = {:g}: roll-back {} to t = {:g} at an energy error of {:.2g}; from there {}",
                    simulation_->time(), times, point.clock.time, found, step_text(m)));
  go_on_from(std::move(point));
}

/// An interval whose energies are watched, or a part of it, and the outputs at its end.
void Session::advance_watched(const Moment& next) {
  if (!energy_watch_->begun()) energy_watch_->begin(*simulation_, energy_error_of_now(), next.time);
  interval_done_ = false;
  const auto since = energy_watch_->first_step();
  make_steps({.time = energy_watch_->until()});
  if (!interval_done_) return;
  const auto longer = energy_watch_->accept(simulation_->method());
  if (longer) {
    auto clock = simulation_->clock();
    clock.next_dt = scaled_step(clock.next_dt, simulation_->method(), *longer);
    go_on_from({.snapshot = simulation_->snapshot(), .clock = clock, .method = *longer});
  }
  if (const auto& m = simulation_->method(); m.dt != options_.time.dt || m.eta != options_.time.eta) {
    take_method(m);
    context_.keep_options();
  }
  // A check may change the forces: between two intervals, at steps that a resumed run passes, too.
  const auto every = options_.solver.check_every > 0 ? options_.solver.check_every : std::uint64_t{1024};
  if (simulation_->step() / every != since / every && accuracy_->check(*simulation_, true))
    take_better_precision();
  write_due();
  energy_watch_->begin(*simulation_, energy_error_of_now(), outputs_->next().time);
}

/// A stop between two looks: the interval is made anew when the run is resumed.
void Session::go_back_to_start_of_interval() {
  if (!energy_watch_ || !energy_watch_->begun() || energy_watch_->fresh(*simulation_)) return;
  go_on_from(energy_watch_->start_of_interval());
}

}  // namespace pleiad::run
