#include "run/ensemble/session.hpp"

#include "io/config/config.hpp"
#include "ranks/self.hpp"
#include "run/energy_note.hpp"
#include "run/ensemble/accuracy.hpp"
#include "run/ensemble/outputs.hpp"
#include "run/ensemble/record.hpp"
#include "run/ensemble/systems.hpp"
#include "run/fitting.hpp"
#include "run/group_note.hpp"
#include "run/kernel.hpp"
#include "run/ranks/members.hpp"
#include "run/start.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#include <fmt/format.h>

namespace pleiad::run {
EnsembleSession::EnsembleSession(const Request& request, std::optional<Resumed> resumed)
    : AnyRun(request, std::move(resumed), ranks::self()) {
  if (request.viewer != nullptr)
    throw UsageError("--live shows a run of one system; this is an ensemble of many");
  if (context_.resumed) resume();
  else begin();
  ensemble_->limit_steps(options_.ensemble.max_steps);
}

void EnsembleSession::begin() {
  check(options_);
  scan_.emplace(options_);
  auto systems = make_systems(context_.options, *scan_);
  std::ranges::move(systems.notes, std::back_inserter(context_.notes));
  context_.why_precision = std::move(systems.precision);
  context_.files = std::move(systems.files);
  reached_.time = systems.members.front().clock.start;
  settle_precision(context_.options, systems.members, context_.notes);
  if (const auto note = group_note(systems.members)) context_.notes.push_back(*note);
  make_ensemble(std::move(systems.members));
  need_whole_steps();
  outputs_.emplace(options_, *scan_, *ensemble_, std::vector<History>{});
}

void EnsembleSession::make_ensemble(std::vector<Member> members) {
  const auto engine = engine_of(options_);
  if (auto& ranks = ranks::or_self(context_.request.ranks); ranks.ranks() == 1) {
    ensemble_.emplace(std::move(members), engine);
  } else {
    const auto size = members.size();
    ensemble_.emplace(size,
                      make_divided_members(ranks, std::move(members), engine, options_.limits.hang_seconds));
  }
}

void EnsembleSession::resume() {
  auto& from = *context_.resumed;
  last_checkpoint_step_ = from.snapshot.step;
  scan_.emplace(options_);
  auto saved = load_ensemble(from, *scan_);
  const Member& first = saved.members.front();
  reached_ = moment_at({.start = from.start_time}, first.method, from.snapshot.time);
  from.snapshot.bodies = {};
  make_ensemble(std::move(saved.members));
  for (std::size_t k = 0; k < saved.statuses.size(); ++k)
    if (saved.statuses[k] != MemberStatus::going) ensemble_->retire(k, saved.statuses[k]);
  need_same_build(from, ensemble_->describe(), context_.request.accept_other_build, context_.notes);
  need_whole_steps();
  outputs_.emplace(options_, *scan_, *ensemble_, std::move(saved.histories));
}

void EnsembleSession::open() {
  outputs_->open(*context_.directory(), context_.resumed ? &*context_.resumed : nullptr, context_.notes);
}

void EnsembleSession::need_whole_steps() const {
  for (std::size_t k = 0; k < ensemble_->size(); ++k) {
    const auto& m = ensemble_->method(k);
    if (context_.resumed) need_fitting_end(options_, ensemble_->clock(k), m);
    try {
      (void)end_at(ensemble_->clock(k), m, options_.time.t_end);
    } catch (const UsageError& e) {
      throw UsageError(fmt::format("time.t_end, system {}: {}", k, e.what()));
    }
  }
}

Started EnsembleSession::begun() const {
  return {.options = options_,
          .count = ensemble_->size(),
          .time = mean_time(),
          .method = ensemble_->method(0),
          .engine = ensemble_->describe(),
          .why_precision = context_.why_precision,
          .notes = context_.notes};
}

Progress EnsembleSession::progress() const {
  return {.time = mean_time(), .interactions = ensemble_->interactions(), .seconds = context_.timings.steps};
}

/// Mean time of the systems; for those that have failed, the end counts.
double EnsembleSession::mean_time() const {
  double sum = 0;
  for (std::size_t k = 0; k < ensemble_->size(); ++k)
    sum += ensemble_->status(k) == MemberStatus::going ? ensemble_->clock(k).time : options_.time.t_end;
  return sum / static_cast<double>(ensemble_->size());
}

/// Makes a batch of steps towards the next output: as many as take about a tenth of a second, so that a
/// signal is handled soon and reading the clock costs nothing.
void EnsembleSession::advance() {
  constexpr double wanted = 0.1;
  const Moment next = outputs_->next_after(reached_);
  bool all = false;
  double seconds = 0;
  {
    const Timed stepping(context_.timings.steps), batch(seconds);
    all = ensemble_->run_towards(next.time, batch_);
  }
  context_.batch_took(seconds);
  if (seconds > wanted)
    batch_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(double(batch_) * wanted / seconds));
  else if (seconds < wanted / 2 && batch_ < (std::uint64_t{1} << 40)) batch_ *= 2;
  if (all) {
    reached_ = next;
    const Timed writing(context_.timings.waited.rows);
    outputs_->write_due(reached_);
  }
  if (context_.checkpoint_due()) checkpoint(false);
}

void EnsembleSession::checkpoint(bool wanted_at_stop) {
  const Timed waiting(context_.timings.waited.checkpoints);
  const double since = context_.elapsed();
  std::exception_ptr failure;
  try {
    write_checkpoint();
  } catch (const ResourceError&) {
    failure = std::current_exception();
  }
  if (context_.written(failure, since, context_.elapsed(), wanted_at_stop))
    last_checkpoint_step_ = reached_.step;
}

void EnsembleSession::write_checkpoint() {
  Checkpoint c = context_.new_checkpoint(ensemble_->describe());
  c.snapshot.time = reached_.time, c.snapshot.step = reached_.step;
  c.snapshot.units = ensemble_->snapshot(0).units;
  c.start_time = ensemble_->clock(0).start;
  outputs_->save(c);
  context_.write(c);
}

End EnsembleSession::finish(const std::string& stopped_by) {
  checkpoint(!stopped_by.empty());
  {
    const Timed ending(context_.timings.ending);
    outputs_->finish(stopped_by.empty());
  }
  EnsembleSummary known;
  known.options = options_, known.stopped_by = stopped_by;
  known.seconds = context_.elapsed(), known.timings = context_.timings;
  known.time = reached_.time, known.mean_time = mean_time();
  context_.observer().finished(
      summarised(std::move(known), *scan_, *ensemble_, *outputs_, *context_.directory()));
  if (!stopped_by.empty()) return End::stopped;
  std::size_t good = 0;
  for (std::size_t k = 0; k < ensemble_->size(); ++k) good += is_good(ensemble_->status(k));
  if (good == 0)
    throw NumericalError(
        fmt::format("all {} systems of the ensemble have failed, the first by '{}': the step does not "
                    "resolve them; use {}",
                    ensemble_->size(), name_of(ensemble_->status(0)),
                    smaller_error_by(ensemble_->method(0), ensemble_->gravity(0), few_bodies)));
  return End::done;
}

void EnsembleSession::first_outputs() {
  {
    const Timed writing(context_.timings.waited.rows);
    outputs_->write_due(reached_);
  }
  checkpoint(false);
  context_.keep();
}

}  // namespace pleiad::run
