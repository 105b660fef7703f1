#include "run/session.hpp"

#include "engine/device.hpp"
#include "io/config/config.hpp"
#include "run/background.hpp"
#include "run/cadence.hpp"
#include "run/fitting.hpp"
#include "run/observer.hpp"
#include "run/start.hpp"
#include "sim/lost_body.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace pleiad::run {

Session::Session(const Request& request, std::optional<Resumed> resumed, bool measure)
    : AnyRun(request, std::move(resumed)), measure_(measure) {
  if (context_.resumed) resume();
  else begin();
  find_end();
  outputs_.emplace(options_, *simulation_);
}

void Session::begin() {
  check(options_);
  // A GPU is made ready while the bodies are drawn or read.
  Background other;
  auto start = prepare(context_.options, nullptr, [&] {
    if (measure_ && options_.engine.backend != "cpu") other.start(make_device_ready);
  });
  context_.notes = std::move(start.notes);
  context_.why_precision = std::move(start.settled.precision);
  context_.files = std::move(start.files);
  // The precision that few bodies need is soon found; of many only the run itself finds it.
  constexpr std::size_t few = 16384;
  // Tuning is timed apart from what else a run begins with.
  const Resolving resolving{.measure = measure_,
                            .observer = measure_ ? &context_.observer() : nullptr,
                            .evaluations = evaluations_from(options_, start.initial.time),
                            .cache = context_.request.cache,
                            .seconds = &context_.timings.tuning};
  if (measure_ || start.initial.bodies.size() <= few) {
    auto accurate = accurate_start(context_.options, std::move(start.initial), resolving, context_.notes);
    simulation_.emplace(std::move(accurate.simulation));
    engine_ = std::move(accurate.engine);
    first_check_ = std::move(accurate.first);
  } else {
    engine_ = resolved_engine(options_, start.initial.bodies, resolving, context_.notes);
    simulation_.emplace(std::move(start.initial), gravity_of(options_), method_of(options_), engine_);
  }
  if (options_.time.reverse) simulation_->reverse_velocities();
  settle_cadence(context_.options, *simulation_);
}

void Session::resume() {
  const auto& from = *context_.resumed;
  if (options_.output.movie && options_.output.picture_interval == 0)
    throw UsageError(
        "output.movie: this run was begun without one, and has a picture at its start and its end only; "
        "pleiad render makes a movie of its snapshots");
  const bool accepted = context_.request.accept_other_build;
  good_step_ = from.snapshot.step;
  const auto method = method_of(options_);
  Clock clock{
      .start = from.start_time, .time = from.snapshot.time, .step = from.snapshot.step, .next_dt = from.dt};
  if (!method.adaptive) clock.time = time_of_step(clock.start, method.dt, clock.step);
  engine_ = resumed_engine(context_.options, from, accepted,
                           {.measure = measure_,
                            .observer = measure_ ? &context_.observer() : nullptr,
                            .cache = context_.request.cache,
                            .seconds = &context_.timings.tuning},
                           context_.notes);
  simulation_.emplace(std::move(context_.resumed->snapshot), clock, gravity_of(options_), method, engine_);
  need_same_build(from, simulation_->describe(), accepted, context_.notes);
}

void Session::find_end() {
  const auto& clock = simulation_->clock();
  const auto& method = simulation_->method();
  if (context_.resumed) need_fitting_end(options_, clock, method);
  try {
    end_ = simulation_->moment_at(options_.time.t_end);
    need_ahead(clock, method, end_);
  } catch (const UsageError& e) {
    throw UsageError(fmt::format("time.t_end: {}", e.what()));
  }
  simulation_->need_first_step();
  if (simulation_->has_reached(end_))
    context_.notes.push_back(fmt::format("time.t_end = {:g} is where the run {}: no steps will be made",
                                         clock.time, context_.resumed ? "stands" : "starts"));
}

void Session::open() {
  outputs_->open(context_.directory(), context_.resumed ? &*context_.resumed : nullptr, context_.notes);
  accuracy_.emplace(
      *simulation_, demand_of(options_),
      [this](const Simulation&, const ForceErrors& errors) {
        outputs_->write_accuracy(errors);
        if (viewer_) viewer_->see(errors);
      },
      [this](const std::string& text) { context_.observer().note(text); });
  if (context_.resumed) restore_watch(*accuracy_, *context_.resumed, simulation_->size());
  if (first_check_) accuracy_->start_with(std::move(*first_check_));
  start_step_ = last_save_step_ = simulation_->step();
  start_evaluations_ = simulation_->evaluations();
  if (viewer_) viewer_->begin(options_.time.t_end, *simulation_);
}

Started Session::begun() const {
  return {.options = options_,
          .count = simulation_->size(),
          .time = simulation_->time(),
          .method = simulation_->method(),
          .engine = simulation_->describe(),
          .why_precision = context_.why_precision,
          .notes = context_.notes};
}

std::uint64_t Session::batch_limit() const {
  // Long enough that asking the clock costs nothing, short enough that a signal is answered within a tenth of
  // a second or one step.
  double longest_batch = 0.1;
  if (viewer_) longest_batch = std::min(longest_batch, std::max(viewer_->patience(), 0.01));
  const std::uint64_t every = options_.limits.check_every;
  std::uint64_t limit = one_step_ ? 1 : every - simulation_->step() % every;
  if (step_seconds_ > 0)
    limit = std::min(limit, static_cast<std::uint64_t>(std::max(1.0, longest_batch / step_seconds_)));
  if (const auto row = outputs_->steps_to_trajectory(); row > 0) limit = std::min(limit, row);
  limit = std::min(limit, accuracy_->steps_to_check(*simulation_));
  if (const auto n = options_.checkpoint.every_steps; n > 0)
    limit = std::min(limit, n - simulation_->step() % n);
  return limit;
}

void Session::check_finite() {
  if (simulation_->step() % options_.limits.check_every != 0) return;
  simulation_->need_finite();
  if (options_.gravity.softening == 0) {
    const auto& b = simulation_->snapshot().bodies;
    const auto [i, j] = coincident_pair(b);
    if (i < b.size()) throw coincident_bodies(b.id[i], b.id[j], simulation_->step(), simulation_->time());
  }
}

bool Session::checkpoint_due() const {
  const std::uint64_t step = simulation_->step(), every = options_.checkpoint.every_steps;
  if (step == last_save_step_) return false;
  // Of those that are due by the clock, one on its way is enough.
  return (every > 0 && step % every == 0) || (!saving_ && context_.checkpoint_due());
}

/// A checkpoint of now, written while the steps go on.
void Session::checkpoint(bool at_stop) {
  const Timed waiting(context_.timings.waited.checkpoints);
  settle_checkpoint();
  // A state that has failed must never replace a good one.
  simulation_->need_finite();
  last_save_step_ = simulation_->step();
  auto promise = std::make_shared<std::promise<Saved>>();
  saving_ = {last_save_step_, context_.elapsed(), at_stop, promise->get_future()};
  const auto engine = simulation_->describe();  // what fails on a device ends the run
  Checkpoint c;
  std::function<void()> sync;
  try {
    c = context_.new_checkpoint(engine);
    sync = outputs_->save(c);
  } catch (const ResourceError&) {
    promise->set_value({std::current_exception(), context_.elapsed()});
    return settle_checkpoint();
  }
  c.dt = simulation_->clock().next_dt;
  c.start_time = simulation_->clock().start;
  save_watch(*accuracy_, c);
  outputs_->write_checkpoint(
      std::move(c), [this, promise = std::move(promise), sync = std::move(sync)](const Checkpoint& now) {
        std::exception_ptr failure;
        try {
          sync();
          context_.write(now);
        } catch (const ResourceError&) {
          failure = std::current_exception();
        }
        promise->set_value({failure, context_.elapsed()});
      });
}

/// What became of the checkpoint that was on its way; waits for it. One that failed is not told when the run
/// is `ending` with an error.
void Session::settle_checkpoint(bool ending) {
  if (!saving_) return;
  auto saving = std::move(*saving_);
  saving_.reset();
  Saved saved;
  try {
    saved = saving.saved.get();
  } catch (const std::future_error&) {
    // What failed to be written before it ends the run, as it does where steps wait for it.
    return outputs_->wait();
  }
  if (ending && saved.failure) return;
  if (context_.written(saved.failure, saving.since, saved.until, saving.must)) good_step_ = saving.step;
  context_.directory().keep();
}

Progress Session::progress() const {
  const auto& row = outputs_->energies().last_row();
  return {.time = simulation_->time(),
          .interactions = static_cast<double>(simulation_->evaluations() - start_evaluations_) *
                          simulation_->describe().interactions_per_evaluation,
          .steps = static_cast<double>(simulation_->step() - start_step_),
          .energy_error =
              row && outputs_->energies().has_pairs() ? std::optional(row->energy_error) : std::nullopt};
}

/// A batch of steps; true when they have come to where outputs are due.
bool Session::make_steps() {
  const Timed stepping(context_.timings.steps);
  const double before = context_.elapsed();
  const std::uint64_t step = simulation_->step();
  const auto next = outputs_->next();
  const bool reached = simulation_->run_towards(next, batch_limit(), outputs_->need_potentials(next));
  const double seconds = context_.elapsed() - before;
  context_.batch_took(seconds);
  if (simulation_->step() > step) step_seconds_ = seconds / static_cast<double>(simulation_->step() - step);
  check_finite();
  check_accuracy();
  return reached;
}

void Session::check_accuracy() {
  // Also at the end, so that an extended run matches an uninterrupted one.
  if (accuracy_->due(*simulation_) && accuracy_->check(*simulation_, true)) take_better_precision();
}

/// From here on as if resumed, in a better precision.
void Session::take_better_precision() {
  outputs_->wait();
  viewer_.settle();
  settle_checkpoint();  // where the run can be continued, if it ends here
  start_evaluations_ -= simulation_->evaluations();
  try {
    const auto engine = accuracy_->take_better_precision(*simulation_, engine_of(options_));
    context_.options.engine.precision = name_of(engine.precision);
  } catch (const NumericalError& e) {
    throw NumericalError(e.what() + way_on());
  }
  context_.keep_options();
}

/// What is due at every step, and, if `all`, what is due at this time.
void Session::write_due(bool all) {
  {
    const Timed writing(context_.timings.waited.rows);
    outputs_->write_trajectory();
    outputs_->follow_trails(all);
  }
  if (!all) return;
  const auto row = outputs_->write_due();
  if (viewer_ && row) viewer_->see(*row);
  if (row) need_energy(options_, *simulation_, *row, outputs_->energies().massless());
}

End Session::finish(const std::string& stopped_by) {
  const bool stopped = !stopped_by.empty();
  if (viewer_) viewer_->end(*simulation_, stopped);
  if (!stopped && !accuracy_->checked_now(*simulation_)) accuracy_->check(*simulation_, false);
  // The checkpoint waits for what is due before it, and the hash for neither.
  if (stopped || simulation_->step() != last_save_step_) checkpoint(stopped);
  std::string hash;
  {
    const Timed ending(context_.timings.ending);
    hash = state_hash(simulation_->snapshot().bodies);
  }
  {
    const Timed waiting(context_.timings.waited.checkpoints);
    settle_checkpoint();
  }
  {
    const Timed ending(context_.timings.ending);
    outputs_->finish();
  }
  // The steps are done, and the picture that was being made is not: who resumes the run gets it.
  const auto& ended_by = stopped ? stopped_by : outputs_->written().stopped_by;
  context_.timings.beside = outputs_->beside();
  context_.timings.waited.rows += outputs_->waited().rows;
  context_.timings.waited.snapshots += outputs_->waited().snapshots;
  context_.timings.waited.pictures += outputs_->waited().pictures;
  SystemSummary known;
  known.options = options_, known.stopped_by = ended_by;
  known.seconds = context_.elapsed(), known.timings = context_.timings;
  known.force_errors = accuracy_->last(), known.state_hash = hash;
  context_.observer().finished(summarised(std::move(known), *simulation_, *outputs_, context_.directory()));
  return ended_by.empty() ? End::done : End::stopped;
}

void Session::first_outputs() {
  write_due(true);
  check_accuracy();
  checkpoint(false);
  context_.output_took(outputs_->slowest());
}

/// Whether a step is to be made now.
bool Session::may_step() {
  if (!viewer_) return true;
  const auto steps = viewer_->steps();
  one_step_ = steps == Viewer::Steps::one;
  return steps != Viewer::Steps::none;
}

void Session::advance() {
  if (!may_step()) return;
  write_due(make_steps());
  if (viewer_) viewer_->look(*simulation_);
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
