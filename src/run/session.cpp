#include "run/session.hpp"

#include "capabilities/comoving.hpp"
#include "integrate/individual.hpp"
#include "io/files/checkpoint.hpp"
#include "ranks/agree.hpp"
#include "ranks/coincident.hpp"
#include "ranks/gather.hpp"
#include "ranks/place.hpp"
#include "run/fitting.hpp"
#include "run/group_note.hpp"
#include "run/observer.hpp"
#include "run/ranks/sharing.hpp"
#include "sim/lost_body.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace pleiad::run {

void Session::open() {
  accuracy_.emplace(
      *simulation_, demand_of(options_),
      [this](const Simulation&, const ForceErrors& errors) {
        outputs_->see(errors);
        if (viewer_) viewer_->see(errors);
      },
      [this](const std::string& text) { context_.observer().note(text); });
  ranks::agree(context_.ranks, [&] {
    outputs_->open(context_.directory(), context_.resumed ? &*context_.resumed : nullptr, context_.notes,
                   &*accuracy_);
  });
  note_machines();
  if (const auto note = look_for_close_binaries()) context_.notes.push_back(*note);
  if (first_check_) accuracy_->start_with(std::move(*first_check_));
  start_step_ = simulation_->step(), last_saved_ = outputs_->written();
  start_evaluations_ = simulation_->evaluations();
  viewed_ = !ranks::all(context_.ranks, !viewer_);
  if (!viewed_) return;
  if (options_.cosmology.active())
    throw UsageError(*why_not(ComovingFacts{.viewed = true}), Error::Code::unsupported);
  auto bodies = all_bodies();
  if (viewer_) viewer_->begin(options_.time.t_end, *simulation_, std::move(bodies));
}

/// The present bodies for the viewer: of one process copied while the steps go on, of several ranks sent to
/// rank 0 before.
Viewer::Take Session::all_bodies() {
  auto take = simulation_->snapshot_meanwhile(false);
  if (!context_.divided()) return take;
  auto now = std::make_shared<Snapshot>();
  take(*now);
  now->bodies = ranks::gather_bodies(context_.ranks, now->bodies);
  return [now](Snapshot& to) { to = std::move(*now); };
}

/// Lets the viewer see where the simulation is, and gives it the bodies when it waits for them.
void Session::show() {
  if (!viewed_) return;
  if (viewer_) viewer_->look(*simulation_);
  if (ranks::all(context_.ranks, !(viewer_ && viewer_->wants_bodies()))) return;
  const double start = context_.elapsed();
  auto bodies = all_bodies();
  if (viewer_) viewer_->give(std::move(bodies), context_.elapsed() - start);
}

/// Seconds until the viewer needs the next update, as known on rank 0.
double Session::patience() const {
  double longest = std::numeric_limits<double>::infinity();
  if (viewer_) longest = viewer_->patience();
  return -ranks::max(context_.ranks, -longest);
}

/// Adds notes on shared processors and on the exchange between GPUs of several ranks.
void Session::note_machines() {
  if (!context_.divided()) return;
  const auto idle = ranks::idle_processors(context_.ranks);
  if (!idle.empty() && options_.engine.threads == 0) context_.notes.push_back(idle);
  if (const auto how = simulation_->describe().exchange; how.starts_with("through the host"))
    context_.notes.push_back("positions and sums of the GPUs go " + how);
}

/// Looks what close binaries cost, until it has told it once. Binaries form later too, so it looks again
/// whenever the number of steps has doubled.
std::optional<std::string> Session::look_for_close_binaries() {
  const auto& method = simulation_->method();
  if (told_close_binaries_ || !has_individual_steps(method.integrator) ||
      method.blocks.groups != CloseGroups::off || simulation_->step() < next_look_)
    return {};
  next_look_ = std::max<std::uint64_t>(1, 2 * simulation_->step());
  const auto& here = simulation_->snapshot();
  Snapshot all;
  all.time = here.time, all.units = here.units, all.G = here.G, all.boundary = here.boundary;
  all.bodies = ranks::gather_bodies(context_.ranks, here.bodies);
  std::optional<std::string> note;
  ranks::agree(context_.ranks, [&] {
    if (context_.ranks.rank() == 0) note = group_note(all, simulation_->gravity(), method);
  });
  told_close_binaries_ = !ranks::first_text(context_.ranks, note.value_or("")).empty();
  return note;
}

EngineDescription Session::describe() const {
  auto d = simulation_->describe();
  if (context_.divided()) d.device = fmt::format("{} x {}", context_.ranks.ranks(), d.device);
  return d;
}

Started Session::begun() const {
  return {.options = options_,
          .count = context_.division.bodies,
          .time = simulation_->time(),
          .method = simulation_->method(),
          .engine = describe(),
          .why_precision = context_.why_precision,
          .notes = context_.notes};
}

std::uint64_t Session::batch_limit() const {
  // Long enough that reading the clock costs nothing, short enough that a signal is handled within a tenth of
  // a second or one step.
  double longest_batch = 0.1;
  if (viewed_) longest_batch = std::min(longest_batch, std::max(patience(), 0.01));
  const std::uint64_t every = check_every_;
  std::uint64_t limit = one_step_ ? 1 : every - simulation_->step() % every;
  if (step_seconds_ > 0)
    limit = std::min(limit, static_cast<std::uint64_t>(std::max(1.0, longest_batch / step_seconds_)));
  if (const auto row = outputs_->steps_to_next(); row > 0) limit = std::min(limit, row);
  limit = std::min(limit, accuracy_->steps_to_check(*simulation_));
  if (const auto n = options_.checkpoint.every_steps; n > 0)
    limit = std::min(limit, n - simulation_->step() % n);
  return limit;
}

void Session::need_finite() {
  if (simulation_->finite()) return;
  const auto& b = simulation_->snapshot().bodies;
  ranks::agree(context_.ranks, [&] {
    if (const auto lost = first_lost(b); lost < b.size())
      throw lost_body(context_.division.first(context_.ranks.rank()) + lost, b.id[lost], simulation_->step(),
                      simulation_->time());
  });
}

void Session::check_state() {
  if (simulation_->step() % check_every_ != 0) return;
  need_finite();
  if (options_.gravity.softening > 0) return;
  if (const auto ids = ranks::coincident_ids(context_.ranks, simulation_->snapshot().bodies))
    ranks::agree(context_.ranks, [&] {
      throw coincident_bodies((*ids)[0], (*ids)[1], simulation_->step(), simulation_->time());
    });
}

bool Session::checkpoint_due() const {
  const std::uint64_t step = simulation_->step(), every = options_.checkpoint.every_steps;
  if (step == last_saved_.step) return false;
  if (energy_watch_) {
    if (!energy_watch_->fresh(*simulation_)) return false;
    if (every > 0 && step / every != last_saved_.step / every) return true;
    return !saving_ && context_.checkpoint_due();
  }
  // Of those that are due by the clock, one on its way is enough.
  if (every > 0 && step % every == 0) return true;
  return !saving_ && context_.checkpoint_due();
}

/// A checkpoint of now, written while the steps go on.
void Session::checkpoint(bool at_stop) {
  const Timed waiting(context_.timings.waited.checkpoints);
  settle_checkpoint();
  // A state that has failed must never replace a good one.
  need_finite();
  last_saved_ = outputs_->written();
  auto promise = std::make_shared<std::promise<Saved>>();
  saving_ = {simulation_->step(), context_.elapsed(), at_stop, promise->get_future()};
  const auto engine = simulation_->describe();  // what fails on a device ends the run
  Checkpoint c;
  std::function<void()> sync;
  try {
    c = context_.new_checkpoint(engine);
    if (encounters_)
      c.extra[encounter_counts_name] = encounters_->counts_text(),
      c.extra[encounter_radii_name] = encounters_->radii_text();
    if (mass_loss_) c.extra[initial_masses_name] = mass_loss_->text();
    if (energy_watch_) energy_watch_->save(c);
    if (way_back_) way_back_->save(c);
    if (options_.cosmology.active()) c.extra[files::comoving_section] = "1";
    sync = outputs_->save(c);
  } catch (const Error& e) {
    if (e.kind() != Error::Kind::resource) throw;
    promise->set_value({std::current_exception(), context_.elapsed()});
    return settle_checkpoint();
  }
  c.dt = simulation_->clock().next_dt;
  c.start_time = simulation_->clock().start;
  outputs_->write_checkpoint(
      std::move(c), [this, promise = std::move(promise), sync = std::move(sync)](const Checkpoint& now) {
        std::exception_ptr failure;
        try {
          sync();
          context_.write(now);
        } catch (const Error& e) {
          if (e.kind() != Error::Kind::resource) throw;
          failure = std::current_exception();
        }
        promise->set_value({failure, context_.elapsed()});
      });
}

/// Waits for the checkpoint that is being written, and handles its failure. A failure is not reported if the
/// run is `ending` with an error.
void Session::settle_checkpoint(bool ending) {
  if (!saving_) return;
  auto saving = std::move(*saving_);
  saving_.reset();
  Saved saved;
  try {
    saved = saving.saved.get();
  } catch (const std::future_error&) {
    // A failure of earlier outputs ends the run, as it does where steps wait for outputs.
    return outputs_->wait();
  }
  if (ending && saved.failure) return;
  if (context_.written(saved.failure, saving.since, saved.until, saving.must))
    last_checkpoint_step_ = saving.step;
  context_.keep();
}

Progress Session::progress() const {
  const auto& row = outputs_->energies().last_row();
  return {.time = outputs_->written().time,
          .interactions = static_cast<double>(simulation_->evaluations() - start_evaluations_) *
                          simulation_->describe().interactions_per_evaluation,
          .seconds = context_.timings.steps,
          .steps = static_cast<double>(simulation_->step() - start_step_),
          .energy_error = row && outputs_->energies().has_pairs() && simulation_->kept_pattern_speed()
                              ? std::optional(row->energy_error)
                              : std::nullopt};
}

/// A batch of full steps, at most to where outputs are due, or to the last one before.
void Session::make_steps(const Moment& next) {
  const Timed stepping(context_.timings.steps);
  const double before = context_.elapsed();
  const std::uint64_t step = simulation_->step();
  step_work_.begin();
  if (energy_watch_) run_watched({.time = next.time});
  else
    run_towards({.time = next.time, .step = next.step}, next.ahead == 0 && outputs_->need_potentials(next));
  const double seconds = context_.elapsed() - before;
  step_work_.end(seconds);
  context_.batch_took(seconds);
  // The slowest rank's, so that all make as many steps the next time.
  if (simulation_->step() > step)
    step_seconds_ = ranks::max(context_.ranks, seconds / static_cast<double>(simulation_->step() - step));
  check_state();
  if (const auto note = look_for_close_binaries()) context_.observer().note(*note);
  if (!energy_watch_) check_accuracy();
}

/// A batch of steps, each followed by a search for encounters and by mass loss where these are asked for.
void Session::run_towards(const Moment& moment, bool potentials) {
  const auto limit = batch_limit();
  if (!encounters_ && !mass_loss_) {
    simulation_->run_towards(moment, limit, potentials);
    return;
  }
  for (std::uint64_t k = 0; k < limit; ++k) {
    const auto before = simulation_->step();
    const bool there = simulation_->run_towards(moment, 1, potentials);
    if (simulation_->step() == before) return;
    const bool met = encounters_ && look_for_encounters(), lost = mass_loss_ && lose_mass();
    if (met || lost || there) return;
  }
}

/// Gives the stars the masses of their age, where they are due. Whether any has changed.
bool Session::lose_mass() {
  need_finite();
  auto changed = mass_loss_->after_step(*simulation_);
  if (!changed) return false;
  take(std::move(*changed));
  if (encounters_) encounters_->take_bodies(*simulation_);
  return true;
}

/// Whether the batch is to end here: by a stop, or because the bodies are other ones.
bool Session::look_for_encounters() {
  need_finite();
  auto outcome = encounters_->look(*simulation_);
  outputs_->take(outcome.events);
  if (outcome.changed) take(std::move(*outcome.changed));
  stop_ = std::move(outcome.stop);
  return outcome.changed || !stop_.empty();
}

/// Goes on with other bodies, as if the run had been resumed with them.
void Session::take(ChangedBodies changed) {
  outputs_->wait();
  viewer_.settle();
  settle_checkpoint();
  auto& ranks = context_.ranks;
  context_.division = {changed.all.size(), ranks.ranks()};
  auto now = simulation_->snapshot();
  now.bodies =
      ranks.ranks() == 1 ? std::move(changed.all) : part_of(changed.all, context_.division, ranks.rank());
  auto clock = simulation_->clock();
  clock.next_dt = 0;
  const auto gravity = simulation_->gravity();
  const auto method = simulation_->method();
  const auto d = simulation_->describe();
  auto engine = for_ranks(engine_without_method_of(options_), context_.ranks);
  engine.why = d.why;
  engine.method = method_for(d.method, now.bodies, gravity, engine);
  earlier_evaluations_ += simulation_->evaluations();
  start_evaluations_ -= simulation_->evaluations();
  ranks::agree(context_.ranks, [&] { simulation_.emplace(std::move(now), clock, gravity, method, engine); });
  if (encounters_) encounters_->attach(*simulation_);
  accuracy_->bodies_changed(*simulation_);
  outputs_->bodies_changed(changed, context_.division);
}

void Session::check_accuracy() {
  // Also at the end, so that an extended run matches an uninterrupted one.
  if (accuracy_->due(*simulation_) && accuracy_->check(*simulation_, true)) take_better_precision();
}

/// Switches to a better precision, as if the run had been resumed.
void Session::take_better_precision() {
  outputs_->wait();
  viewer_.settle();
  settle_checkpoint();  // where the run can be continued, if it ends here
  start_evaluations_ -= simulation_->evaluations();
  ranks::agree(context_.ranks, [&] {
    try {
      const auto engine =
          accuracy_->take_better_precision(*simulation_, for_ranks(engine_of(options_), context_.ranks));
      context_.options.engine.precision = name_of(engine.precision);
    } catch (const NumericalError& e) {
      throw NumericalError(e.what() + resume_hint(), e.code());
    }
  });
  context_.keep_options();
}

void Session::write_due() {
  context_.alive();
  const auto row = outputs_->write_due();
  if (!row) return;
  if (viewer_) viewer_->see(*row);
  ranks::agree(context_.ranks, [&] { need_energy(options_, *simulation_, *row, outputs_->energies()); });
}

/// What is due between two steps, of a copy that one shortened step has brought there: also the end of the
/// run.
void Session::write_between(const Moment& moment) {
  double all = 0, writing = 0;
  {
    const Timed stepping(all);
    simulation_->at_moment(
        moment,
        [&] {
          const Timed written(writing);
          write_due();
          if (ended()) show_last(false), state_hash_ = hash_of_state();
        },
        outputs_->need_potentials(moment));
  }
  context_.timings.steps += all - writing;
}

std::string Session::hash_of_state() {
  if (way_back_) way_back_->look(context_.ranks, simulation_->snapshot().bodies);
  return ranks::state_hash(context_.ranks, simulation_->snapshot().bodies);
}

void Session::show_last(bool stopped) {
  if (!viewed_) return;
  auto bodies = all_bodies();
  if (viewer_) viewer_->end(*simulation_, stopped, std::move(bodies));
}

End Session::finish(const std::string& stopped_by) {
  const bool stopped = !stopped_by.empty(), between = !stopped && simulation_->stands_before(end_);
  if (stopped) go_back_to_start_of_interval();
  if (!between) {
    show_last(stopped);
  } else if (state_hash_.empty()) {  // resumed where it ends
    simulation_->at_moment(end_, [&] { show_last(false), state_hash_ = hash_of_state(); });
  }
  if (!stopped && !accuracy_->checked_now(*simulation_)) accuracy_->check(*simulation_, false);
  // The checkpoint waits for what is due before it, and the hash for neither.
  if (stopped || before(simulation_->method(), last_saved_, outputs_->written())) checkpoint(stopped);
  if (!stopped && context_.leads()) outputs_->begin_finish();
  if (!between) {
    const Timed ending(context_.timings.ending);
    state_hash_ = hash_of_state();
  }
  {
    const Timed waiting(context_.timings.waited.checkpoints);
    settle_checkpoint();
  }
  SystemSummary known;
  if (context_.divided()) known.ranks = step_work_.of_all(context_.timings.setup + context_.elapsed());
  context_.end_messages();  // a movie takes its time
  if (!context_.leads()) return stopped ? End::stopped : End::done;
  {
    const Timed ending(context_.timings.ending);
    outputs_->finish();
  }
  // The steps are done, and the picture that was being made is not: who resumes the run gets it.
  const auto& ended_by = stopped ? stopped_by : outputs_->ending().stopped_by;
  context_.timings.beside = outputs_->beside();
  context_.timings.waited = outputs_->waited() + context_.timings.waited;
  known.options = options_, known.stopped_by = ended_by;
  known.bodies = context_.division.bodies, known.engine = describe();
  known.seconds = context_.elapsed(), known.timings = context_.timings;
  known.evaluations = earlier_evaluations_;
  if (encounters_) known.encounters = encounters_->counts();
  known.way_back = way_back_;
  if (energy_watch_)
    known.budget = EnergyBudget{.asked = energy_watch_->plan().budget,
                                .worst = energy_watch_->worst(),
                                .redone = energy_watch_->redone(),
                                .text = energy_watch_->result(simulation_->step())};
  known.force_errors = accuracy_->last(), known.state_hash = state_hash_;
  known.time = between ? end_.time : simulation_->time();
  known.step = simulation_->step() + (between ? 1 : 0);
  context_.observer().finished(summarised(std::move(known), *simulation_, *outputs_, *context_.directory()));
  return ended_by.empty() ? End::done : End::stopped;
}

void Session::first_outputs() {
  write_due();
  check_accuracy();
  checkpoint(false);
  context_.output_took(outputs_->slowest());
}

/// Whether a step is to be made now.
bool Session::may_step() {
  if (!viewed_) return true;
  auto steps = Viewer::Steps::on;
  if (viewer_) steps = viewer_->steps();
  steps = all_gather(context_.ranks, steps).front();
  one_step_ = steps == Viewer::Steps::one;
  return steps != Viewer::Steps::none;
}

void Session::advance() {
  if (!may_step()) return;
  const Moment next = outputs_->next();
  if (energy_watch_) {
    advance_watched(next);
  } else if (!simulation_->stands_before(next)) {
    const auto step = simulation_->step();
    make_steps(next);
    if (simulation_->step() > step) write_due();
  }
  if (simulation_->stands_before(next)) write_between(next);
  if (state_hash_.empty()) show();
  if (checkpoint_due()) checkpoint(false);
  if (saving_ && saving_->saved.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
    settle_checkpoint();
  context_.output_took(outputs_->slowest());
}

/// A checkpoint that was on its way is where the run can be continued, whatever has ended it.
void Session::abandon() noexcept {
  try {
    settle_checkpoint(true);
  } catch (const std::exception&) {
  }
}

}  // namespace pleiad::run
