#include "core/validate.hpp"
#include "direct/why_not.hpp"
#include "engine/device.hpp"
#include "io/config/config.hpp"
#include "io/config/encounters.hpp"
#include "io/files/share.hpp"
#include "ranks/agree.hpp"
#include "ranks/place.hpp"
#include "ranks/validate.hpp"
#include "run/background.hpp"
#include "run/cadence.hpp"
#include "run/comoving.hpp"
#include "run/fitting.hpp"
#include "run/ranks/alike.hpp"
#include "run/ranks/sharing.hpp"
#include "run/session.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace pleiad::run {

Session::Session(const Request& request, std::optional<Resumed> resumed, ranks::Communicator& ranks,
                 bool measure)
    : AnyRun(request, std::move(resumed), ranks), measure_(measure) {
  if (options_.engine.backend != "cpu") take_gpu_of(ranks);
  if (context_.resumed) resume();
  else begin();
  need_like_devices();
}

void Session::begin() {
  auto& ranks = context_.ranks;
  ranks::agree(ranks, [&] {
    check(options_), need_able({}, {.gpus = options_.engine.gpus, .on_ranks = ranks.ranks() > 1});
  });
  need_alike(ranks, to_toml(options_));
  Start start;
  ranks::agree(ranks, [&] {
    // A GPU is made ready while the bodies are drawn or read.
    Background other;
    RankSharing sharing(ranks);
    start = prepare(context_.options, context_.divided() ? &sharing : nullptr, [&] {
      if (measure_ && options_.engine.backend != "cpu") other.start(make_device_ready);
    });
    auto& bodies = start.initial.bodies;
    context_.division = start.part ? sharing.division() : ranks::Division{bodies.size(), ranks.ranks()};
    std::ranges::move(start.notes, std::back_inserter(context_.notes));
    context_.files = std::move(start.files);
    settled_ = std::move(start.settled);
    if (start.part) check_part(start);
    else if (context_.divided()) bodies = part_of(bodies, context_.division, ranks.rank());
    context_.why_precision = settled_.precision;
  });
  if (options_.time.has_budget()) settle_force_share(start.initial.time);
  ranks::agree(ranks, [&] {
    this->start(std::move(start.initial));
    if (options_.time.has_budget()) need_kept_energy();
    if (options_.time.has_budget() && measure_) choose_integration();
    if (options_.time.position_error > 0 && measure_) choose_positions();
    if (!options_.time.has_budget() && measure_) note_blocks();
    if (options_.time.reverse) simulation_->reverse_velocities();
    settle_cadence(context_.options, *simulation_, context_.division.bodies);
    find_end();
  });
  if (options_.time.lattice) settle_lattice();
}

/// The units go into the configuration, so that the way back has the same ones.
void Session::settle_lattice() {
  const auto units = *simulation_->method().lattice;
  context_.options.time.lattice_units = {units.length, units.velocity};
  context_.notes.push_back(fmt::format(
      "lattice: positions are multiples of {:.3g}, up to {:.3g}; velocities of {:.3g}, up to {:.3g}",
      units.length, units.length * 0x1p62, units.velocity, units.velocity * 0x1p62));
  way_back_ = WayBack{.start = hash_of_state(), .target = context_.request.back_to};
}

/// Checks of one process, which do not use other ranks.
void Session::check_part(Start& start) {
  auto& ranks = context_.ranks;
  auto& own = start.initial.bodies;
  Spread softenings;
  for (const auto& part : all_gather(ranks, spread_of_softenings(own)))
    for (std::size_t t = 0; t < part.size(); ++t) {
      softenings[t].least = std::min(softenings[t].least, part[t].least);
      softenings[t].most = std::max(softenings[t].most, part[t].most);
    }
  settle_softenings(context_.options, own, softenings);
  if (options_.gravity.stated.softening) settled_.unstated = {};
  ranks::validate(ranks, context_.division, own, gravity_of(options_), origin_of(options_));
  settle_snapshot_units(context_.options,
                        usual_units(format_named(options_.output.snapshot_format), start.initial, ranks));
  if (options_.gravity.dimension == 2)
    need_flat(own, in_two_dimensions, context_.division.first(ranks.rank()));
  if (options_.cosmology.active()) {
    double mass = 0;
    for (const double part : all_gather(ranks, total_mass(own))) mass += part;
    need_all_matter(options_, mass);
  }
  MassShares shares;
  for (const auto& part : all_gather(ranks, shares_of(own.mass))) shares.add(part);
  settle_by_masses(context_.options, shares, start.initial, settled_);
}

/// All ranks search for a solver together, and rank 0 reports the progress.
void Session::start(Snapshot initial) {
  // The precision that few bodies need is soon found; of many only the run itself finds it.
  constexpr std::size_t few = 16384;
  // Tuning is timed apart from the other work at the start of a run.
  const Resolving resolving{.measure = measure_,
                            .observer = measure_ ? &context_.observer() : nullptr,
                            .evaluations = evaluations_from(options_, initial.time),
                            .cache = context_.request.cache,
                            .seconds = &context_.timings.tuning,
                            .ranks = context_.ranks};
  if (measure_ || context_.division.bodies <= few) {
    auto accurate = accurate_start(context_.options, std::move(initial), resolving, context_.notes);
    simulation_.emplace(std::move(accurate.simulation));
    engine_ = std::move(accurate.engine);
    first_check_ = std::move(accurate.first);
  } else {
    engine_ = resolved_engine(options_, initial.bodies, resolving, context_.notes);
    simulation_.emplace(std::move(initial), gravity_of(options_), method_of(options_), engine_);
  }
}

void Session::resume() {
  auto& ranks = context_.ranks;
  const auto& from = *context_.resumed;
  ranks::agree(ranks, [&] {
    if (options_.output.movie && options_.output.picture_interval == 0)
      throw UsageError(
          "output.movie: this run was begun without one, and has a picture at its start and its end only; "
          "pleiad render makes a movie of its snapshots");
    need_able({}, {.gpus = options_.engine.gpus, .on_ranks = ranks.ranks() > 1});
  });
  need_alike(ranks, to_toml(options_));
  const bool accepted = context_.request.accept_other_build;
  last_checkpoint_step_ = from.snapshot.step;
  ranks::agree(ranks, [&] {
    const auto method = method_of(options_);
    Clock clock{
        .start = from.start_time, .time = from.snapshot.time, .step = from.snapshot.step, .next_dt = from.dt};
    if (!method.adaptive) clock.time = time_of_step(clock.start, method.dt, clock.step);
    engine_ = resumed_engine(context_.options, from, accepted,
                             {.measure = measure_,
                              .observer = measure_ ? &context_.observer() : nullptr,
                              .cache = context_.request.cache,
                              .seconds = &context_.timings.tuning,
                              .ranks = context_.ranks},
                             context_.notes);
    way_back_ = WayBack::restored(from);
    simulation_.emplace(std::move(context_.resumed->snapshot), clock, gravity_of(options_), method, engine_);
    need_same_build(from, simulation_->describe(), accepted, context_.notes);
    find_end();
  });
}

/// GPUs of other kinds would give other bits.
void Session::need_like_devices() {
  const auto devices = ranks::all_texts(context_.ranks, simulation_->describe().device);
  const auto other = std::ranges::find_if(devices, [&](const auto& d) { return d != devices.front(); });
  ranks::agree(context_.ranks, [&] {
    if (other != devices.end())
      throw ResourceError(
          fmt::format("rank 0 computes on {} and rank {} on {}: only devices of one kind give the same bits",
                      devices.front(), other - devices.begin(), *other));
  });
}

/// Finds the end of the run, and refuses impossible times.
void Session::find_end() {
  const auto& method = simulation_->method();
  Clock clock = simulation_->clock();
  // A check of particles that a GPU carries for a host takes longer than hundreds of their steps.
  const auto engine = simulation_->describe();
  const bool elsewhere = engine.gpus > 0 && place_of(engine.method) == Device::cpu;
  check_every_ = options_.limits.check_every * (elsewhere ? 1024 : 1);
  if (context_.resumed) {
    need_fitting_end(options_, clock, method);
    if (const auto until = written_until(*context_.resumed, "the checkpoint")) {
      const auto written = simulation_->moment_at(*until);
      clock.time = written.time, clock.step = written.step, clock.ahead = written.ahead;
    }
  }
  try {
    end_ = end_at(clock, method, options_.time.t_end);
  } catch (const UsageError& e) {
    throw UsageError(fmt::format("time.t_end: {}", e.what()));
  }
  simulation_->need_first_step();
  if (has_reached(clock, method, end_))
    context_.notes.push_back(fmt::format("time.t_end = {:g} is where the run {}: no steps will be made",
                                         clock.time, context_.resumed ? "stands" : "starts"));
  outputs_.emplace(options_, *simulation_, context_.ranks, context_.division, context_.request.more_analyses);
  outputs_->continue_after(moment_of(clock));
  // A run that ends where it starts has none.
  if (options_.time.has_budget() && context_.resumed &&
      (EnergyWatch::is_in(*context_.resumed) || !has_reached(clock, method, end_))) {
    energy_watch_ = EnergyWatch::restored(*context_.resumed, "the checkpoint");
    if (energy_watch_->plan().end != options_.time.t_end)
      throw UsageError(
          fmt::format("time.t_end = {:g}: the energy error of this run is asked for until {:g}, its end",
                      options_.time.t_end, energy_watch_->plan().end));
  }
  if (options_.stars.active()) {
    mass_loss_.emplace(options_.stars, *simulation_, context_.ranks);
    if (context_.resumed) {
      const auto kept = context_.resumed->extra.find(initial_masses_name);
      if (kept == context_.resumed->extra.end())
        throw InputError("the checkpoint does not hold the initial masses of its stars");
      mass_loss_->restore(kept->second);
    }
  }
  if (!options_.encounters.active()) return;
  encounters_.emplace(settings_of(options_.encounters), *simulation_, context_.ranks);
  if (context_.resumed) {
    const auto& kept = context_.resumed->extra;
    const auto counts = kept.find(encounter_counts_name), radii = kept.find(encounter_radii_name);
    if (counts == kept.end() || radii == kept.end())
      throw InputError("the checkpoint does not hold the encounters of its run");
    encounters_->restore(counts->second, radii->second);
  }
  if (end_.ahead > 0)
    context_.notes.push_back(fmt::format(
        "time.t_end = {:g} is between two steps: encounters are found up to the last full step before it",
        options_.time.t_end));
}

}  // namespace pleiad::run
