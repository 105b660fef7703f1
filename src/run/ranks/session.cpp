#include "run/ranks/session.hpp"

#include "core/threads.hpp"
#include "core/validate.hpp"
#include "core/version.hpp"
#include "engine/device.hpp"
#include "io/config/config.hpp"
#include "io/durable/open_folder.hpp"
#include "io/durable/paths.hpp"
#include "io/files/share.hpp"
#include "ranks/agree.hpp"
#include "ranks/coincident.hpp"
#include "ranks/division.hpp"
#include "ranks/place.hpp"
#include "ranks/validate.hpp"
#include "run/accuracy.hpp"
#include "run/cadence.hpp"
#include "run/directory.hpp"
#include "run/fitting.hpp"
#include "run/forecast.hpp"
#include "run/kernel.hpp"
#include "run/memory.hpp"
#include "run/observer.hpp"
#include "run/ranks/alike.hpp"
#include "run/ranks/outputs.hpp"
#include "run/ranks/pieces.hpp"
#include "run/ranks/possible.hpp"
#include "run/ranks/sharing.hpp"
#include "run/ranks/watchdog.hpp"
#include "run/ranks/work.hpp"
#include "run/resumed.hpp"
#include "run/run_context.hpp"
#include "run/start.hpp"
#include "run/stop.hpp"
#include "run/summary.hpp"
#include "sim/lost_body.hpp"

#include <pleiad/error.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

namespace fs = std::filesystem;

class RanksRun {
 public:
  /// `writes`: else it is for a forecast alone.
  RanksRun(const Request& request, ranks::Transport& transport, bool writes)
      : request_(request), transport_(transport), options_(request.options), writes_(writes) {
    const Timed setting_up(timings_.setup);
    if (options_.engine.backend != "cpu") take_gpu_of(transport);
    if (request.resume) resume();
    else begin();
    need_like_devices();
    if (writes) open();
  }

  Forecast foresee() {
    ranks::agree(transport_, [&] {
      if (leads() && !request_.resume)
        RunDirectory::need_claimable(options_.output.directory, request_.overwrite, claims());
    });
    const auto costs = costs_of(simulation_->snapshot().bodies, options_, engine_);
    auto f = forecast_of(*simulation_, outputs_->schedules(), options_, end_, division_.bodies, costs);
    f.engine = describe(), f.ranks = std::size_t(transport_.ranks());
    f.why_precision = settled_.precision;
    const double bytes = double(run_bytes(simulation_->size(), engine_)) + costs.tree_bytes,
                 available = double(available_memory()) / ranks::ranks_on_host(transport_);
    f.bytes = std::size_t(ranks::max(transport_, bytes));
    f.available_bytes = std::size_t(-ranks::max(transport_, -available));
    return f;
  }

  End execute() {
    stops_.emplace(leads() ? directory_->path() / "stop" : fs::path(), options_.limits.walltime_seconds);
    watchdog_.emplace(options_.limits.hang_seconds, transport_.rank());
    if (leads()) observer().started(begun());
    if (!request_.resume) {
      write_due(true);
      check_accuracy();
      checkpoint();
    }
    while (!simulation_->has_reached(end_)) {
      watchdog_->alive();
      const auto next = decide();
      if (next.stops) return finish(why_stopped());
      if (next.saves) checkpoint();
      write_due(make_steps());
      if (leads()) observer().progressed([this] { return progress(); });
    }
    return finish("");
  }

 private:
  bool leads() const { return transport_.rank() == 0; }
  Observer& observer() const {
    static Observer nobody;
    return leads() && request_.observer != nullptr ? *request_.observer : nobody;
  }

  // ---- the start ----------------------------------------------------------------------------------------

  void begin() {
    ranks::agree(transport_, [&] { check(options_), need_possible_on_ranks(options_); });
    need_alike(transport_, to_toml(options_));
    Snapshot initial;
    ranks::agree(transport_, [&] {
      set_threads(options_.engine.threads);
      RankSharing sharing(transport_);
      auto start = prepare(options_, &sharing);
      notes_ = std::move(start.notes);
      settled_ = std::move(start.settled);
      files_ = std::move(start.files);
      initial = std::move(start.initial);
      division_ =
          start.part ? sharing.division() : ranks::Division{initial.bodies.size(), transport_.ranks()};
      if (start.part) check_part(initial);
      else initial.bodies = part_of(initial.bodies, division_, transport_.rank());
    });
    ranks::agree(transport_, [&] {
      start(std::move(initial));
      if (options_.time.reverse) simulation_->reverse_velocities();
      settle_cadence(options_, *simulation_, division_.bodies);
      plan();
    });
  }

  void check_part(const Snapshot& initial) {
    const auto& own = initial.bodies;
    ranks::validate(transport_, division_, own, options_.gravity.softening, origin_of(options_));
    settle_snapshot_units(options_,
                          usual_units(format_named(options_.output.snapshot_format), initial, transport_));
    if (options_.gravity.dimension == 2)
      need_flat(own, in_two_dimensions, division_.first(transport_.rank()));
    MassShares shares;
    for (const auto& part : all_gather(transport_, shares_of(own.mass))) shares.add(part);
    settle_by_masses(options_, shares, initial, settled_);
  }

  /// All ranks search for a solver together, and rank 0 tells what they do.
  void start(Snapshot initial) {
    const Resolving resolving{.measure = writes_,
                              .observer = &observer(),
                              .evaluations = evaluations_from(options_, initial.time),
                              .cache = request_.cache,
                              .seconds = &timings_.tuning,
                              .ranks = &transport_};
    if (!writes_) {
      engine_ = resolved_engine(options_, initial.bodies, resolving, notes_);
      simulation_.emplace(std::move(initial), gravity_of(options_), method_of(options_), engine_);
      return;
    }
    auto accurate = accurate_start(options_, std::move(initial), resolving, notes_);
    simulation_.emplace(std::move(accurate.simulation));
    first_check_ = std::move(accurate.first);
  }

  void resume() {
    ranks::agree(transport_, [&] { need_resumable(); });
    if (leads() && writes_) directory_.emplace(RunDirectory::reopen(*request_.resume));
    auto loaded = load_pieces(transport_, *request_.resume);
    if (!loaded.warning.empty()) notes_.push_back(loaded.warning);
    division_ = loaded.division;
    auto& c = loaded.checkpoint;
    ranks::agree(transport_, [&] {
      options_ = resumed_options(c.config, request_, request_.resume->string());
      need_possible_on_ranks(options_);
      set_threads(options_.engine.threads);
    });
    need_alike(transport_, to_toml(options_));
    ranks::agree(transport_, [&] {
      engine_ = engine();
      engine_.method = force_method_of(c.kernel), engine_.why = "that of the checkpoint";
      const auto method = method_of(options_);
      Clock clock{.start = c.start_time, .time = c.snapshot.time, .step = c.snapshot.step, .next_dt = c.dt};
      if (!method.adaptive) clock.time = time_of_step(clock.start, method.dt, clock.step);
      simulation_.emplace(std::move(c.snapshot), clock, gravity_of(options_), method, engine_);
      need_same_build(c, simulation_->describe(), request_.accept_other_build, notes_);
      plan();
    });
    resumed_ = std::move(c);
    last_save_step_ = simulation_->step();
  }

  void need_resumable() const {
    const fs::path directory = *request_.resume;
    if (!is_folder(directory))
      throw ResourceError(fmt::format("--resume: '{}' is not a directory", directory.string()));
    if (!has_pieces(directory))
      throw InputError(fmt::format(
          "--resume: there is no checkpoint of several ranks in '{}'{}", directory.string(),
          has_entry(directory / "checkpoint.pleiad") ? "; one process made this run: resume it without mpirun"
                                                     : ""));
  }

  EngineOptions engine() const { return for_ranks(engine_of(options_), &transport_); }

  void plan() {
    if (request_.resume) need_fitting_end(options_, simulation_->clock(), simulation_->method());
    outputs_.emplace(options_, *simulation_, transport_, division_);
    end_ = simulation_->moment_at(options_.time.t_end);
    need_ahead(simulation_->clock(), simulation_->method(), end_);
    simulation_->need_first_step();
  }

  /// GPUs of other kinds would give other bits.
  void need_like_devices() {
    const auto devices = ranks::all_texts(transport_, simulation_->describe().device);
    const auto other = std::ranges::find_if(devices, [&](const auto& d) { return d != devices.front(); });
    ranks::agree(transport_, [&] {
      if (other != devices.end())
        throw ResourceError(fmt::format(
            "rank 0 computes on {} and rank {} on {}: only devices of one kind give the same bits",
            devices.front(), other - devices.begin(), *other));
    });
  }

  Claims claims() const { return claims_of(request_, files_, options_.output.directory); }

  /// Rank 0 has the directory and the tables; all know its name.
  void open() {
    ranks::agree(transport_, [&] {
      if (!leads()) return;
      const auto claimed = claims();
      if (!request_.resume)
        directory_.emplace(RunDirectory::claim(options_.output.directory, request_.overwrite, claimed));
      options_.output.directory = directory_->path().string();
      directory_->write("config.toml", to_toml(options_));
      for (const auto& name : names_of_pieces(transport_.ranks())) directory_->file(name);
    });
    ranks::agree(transport_, [&] {
      outputs_->open(directory_ ? &*directory_ : nullptr, resumed_ ? &*resumed_ : nullptr, notes_);
    });
    options_.output.directory = ranks::all_texts(transport_, options_.output.directory).front();
    ranks::agree(transport_, [&] {
      opened_ =
          leads() ? directory_->opened() : std::make_shared<const OpenFolder>(options_.output.directory);
    });
    const auto idle = ranks::idle_processors(transport_);
    if (!idle.empty() && options_.engine.threads == 0) notes_.push_back(idle);
    if (const auto how = simulation_->describe().exchange; how.starts_with("through the host"))
      notes_.push_back("positions and sums of the GPUs go " + how);
    watch_accuracy();
    start_step_ = simulation_->step(), start_evaluations_ = simulation_->evaluations();
  }

  void watch_accuracy() {
    accuracy_.emplace(
        *simulation_, demand_of(options_),
        [this](const Simulation&, const ForceErrors& errors) { outputs_->write_accuracy(errors); },
        [this](const std::string& text) { observer().note(text); });
    if (resumed_) restore_watch(*accuracy_, *resumed_, division_.bodies);
    if (first_check_) accuracy_->start_with(std::move(*first_check_));
  }

  Started begun() const {
    return {.options = options_,
            .count = division_.bodies,
            .time = simulation_->time(),
            .method = simulation_->method(),
            .engine = describe(),
            .why_precision = settled_.precision,
            .notes = notes_};
  }
  EngineDescription describe() const {
    auto d = simulation_->describe();
    d.device = fmt::format("{} x {}", transport_.ranks(), d.device);
    return d;
  }

  // ---- the steps ----------------------------------------------------------------------------------------

  struct Decision {
    bool stops = false, saves = false;
  };
  /// Of all ranks together: a signal stops whichever rank it reaches; rank 0 has the clock and the stop file.
  Decision decide() {
    reason_ = leads() ? stops_->reason() : SignalWatch::received();
    const double every = options_.checkpoint.interval_seconds;
    const std::uint64_t step = simulation_->step(), steps = options_.checkpoint.every_steps;
    const bool by_time = leads() && every > 0 && stops_->elapsed() - last_save_ >= every,
               by_steps = steps > 0 && step % steps == 0;
    std::uint64_t asked[] = {reason_.empty() ? 0U : 1U, by_time ? 1U : 0U};
    transport_.sum(asked);
    return {asked[0] > 0, step != last_save_step_ && (asked[1] > 0 || by_steps)};
  }
  std::string why_stopped() {
    const auto reason = ranks::first_text(transport_, reason_);
    return reason.empty() ? "a signal" : reason;
  }

  std::uint64_t batch_limit() const {
    const std::uint64_t every = options_.limits.check_every, step = simulation_->step();
    std::uint64_t limit = every - step % every;
    if (step_seconds_ > 0)
      limit = std::min(limit, static_cast<std::uint64_t>(std::max(1.0, 0.1 / step_seconds_)));
    if (const auto row = outputs_->steps_to_trajectory(); row > 0) limit = std::min(limit, row);
    if (accuracy_) limit = std::min(limit, accuracy_->steps_to_check(*simulation_));
    if (const auto n = options_.checkpoint.every_steps; n > 0) limit = std::min(limit, n - step % n);
    return limit;
  }

  /// True when they have come to where outputs are due.
  bool make_steps() {
    const Timed stepping(timings_.steps);
    const double before = stops_->elapsed();
    const auto step = simulation_->step();
    const auto next = outputs_->next();
    step_work_.begin();
    const bool reached = simulation_->run_towards(next, batch_limit(), outputs_->need_potentials(next));
    const double took = stops_->elapsed() - before;
    step_work_.end(took);
    stops_->batch_took(took);
    // The slowest rank's, so that all make as many steps the next time.
    if (simulation_->step() > step)
      step_seconds_ = ranks::max(transport_, took / double(simulation_->step() - step));
    if (simulation_->step() % options_.limits.check_every == 0) need_finite(), need_apart();
    check_accuracy();
    return reached;
  }

  void need_apart() {
    if (options_.gravity.softening > 0) return;
    if (const auto ids = ranks::coincident_ids(transport_, simulation_->snapshot().bodies))
      ranks::agree(transport_, [&] {
        throw coincident_bodies((*ids)[0], (*ids)[1], simulation_->step(), simulation_->time());
      });
  }

  /// All ranks find the same errors, and decide the same.
  void check_accuracy() {
    if (!accuracy_ || !accuracy_->due(*simulation_) || !accuracy_->check(*simulation_, true)) return;
    start_evaluations_ -= simulation_->evaluations();
    ranks::agree(transport_, [&] {
      options_.engine.precision = name_of(accuracy_->take_better_precision(*simulation_, engine()).precision);
      if (leads()) directory_->write("config.toml", to_toml(options_));
    });
  }

  void need_finite() {
    if (simulation_->finite()) return;
    const auto& b = simulation_->snapshot().bodies;
    ranks::agree(transport_, [&] {
      if (const auto lost = first_lost(b); lost < b.size())
        throw lost_body(division_.first(transport_.rank()) + lost, b.id[lost], simulation_->step(),
                        simulation_->time());
    });
  }

  Progress progress() const {
    const auto& row = outputs_->energies().last_row();
    return {.time = simulation_->time(),
            .interactions = double(simulation_->evaluations() - start_evaluations_) *
                            simulation_->describe().interactions_per_evaluation,
            .steps = double(simulation_->step() - start_step_),
            .energy_error =
                row && outputs_->energies().has_pairs() ? std::optional(row->energy_error) : std::nullopt};
  }

  // ---- the outputs --------------------------------------------------------------------------------------

  /// What is due at every step, and, if `all`, what is due at this time.
  void write_due(bool all) {
    outputs_->write_trajectory();
    outputs_->follow_trails(all);
    if (!all) return;
    watchdog_->alive();
    const double before = stops_->elapsed();
    if (const auto row = outputs_->write_due(timings_.waited))
      ranks::agree(transport_,
                   [&] { need_energy(options_, *simulation_, *row, outputs_->energies().massless()); });
    stops_->output_took(stops_->elapsed() - before);
  }

  void checkpoint() {
    watchdog_->alive();
    const Timed waiting(timings_.waited.checkpoints);
    const double before = stops_->elapsed();
    need_finite();  // a state that has failed must never replace a good one
    Checkpoint c;
    outputs_->save(c);
    c.snapshot = outputs_->state_now(false);
    c.dt = simulation_->clock().next_dt, c.start_time = simulation_->clock().start;
    c.config = to_toml(options_);
    const auto engine = simulation_->describe();
    c.code_version = version(), c.precision = engine.precision, c.kernel = engine.kernel();
    c.simd_target = engine.device;
    if (accuracy_) save_watch(*accuracy_, c);
    save_pieces(transport_, opened_, c);
    if (leads()) directory_->keep();
    last_save_step_ = simulation_->step(), last_save_ = stops_->elapsed();
    stops_->save_took(last_save_ - before);
  }

  End finish(const std::string& stopped_by) {
    if (stopped_by.empty() && accuracy_ && !accuracy_->checked_now(*simulation_))
      accuracy_->check(*simulation_, false);
    if (!last_save_step_ || *last_save_step_ != simulation_->step()) checkpoint();
    watchdog_->alive();
    SystemSummary s;
    s.state_hash = state_hash(transport_, simulation_->snapshot().bodies);
    s.ranks = step_work_.of_all(timings_.setup + stops_->elapsed());
    if (!leads()) return stopped_by.empty() ? End::done : End::stopped;
    watchdog_.reset();  // a movie takes its time
    outputs_->finish();
    s.options = options_, s.stopped_by = stopped_by;
    s.bodies = division_.bodies, s.engine = describe();
    s.seconds = stops_->elapsed(), s.timings = timings_;
    if (accuracy_) s.force_errors = accuracy_->last();
    take(s, *simulation_, outputs_->energies(), outputs_->written());
    s.notes.push_back(work_note(*s.ranks));
    observer().finished(written(std::move(s), *directory_));
    return stopped_by.empty() ? End::done : End::stopped;
  }

  const Request& request_;
  ranks::Transport& transport_;
  Options options_;
  bool writes_;
  EngineOptions engine_;  ///< of a forecast and of a resumed run
  ranks::Division division_;
  std::vector<std::string> notes_, files_;  ///< what the user should know; what was read
  Settled settled_;
  Timings timings_;
  StepWork step_work_{transport_};
  std::optional<Simulation> simulation_;
  std::optional<Checkpoint> resumed_;  ///< without its bodies
  Moment end_;
  std::optional<RunDirectory> directory_;     ///< of rank 0
  std::shared_ptr<const OpenFolder> opened_;  ///< the same, of every rank
  std::optional<RanksOutputs> outputs_;
  std::optional<control::AccuracyCheck> first_check_;
  std::optional<control::AccuracyWatch> accuracy_;
  std::optional<StopWatch> stops_;
  std::optional<Watchdog> watchdog_;
  std::string reason_;
  double step_seconds_ = 0, last_save_ = 0;
  std::optional<std::uint64_t> last_save_step_;
  std::uint64_t start_step_ = 0, start_evaluations_ = 0;
};

}  // namespace

End execute_on_ranks(const Request& request, ranks::Transport& transport) {
  return RanksRun(request, transport, true).execute();
}

Forecast foresee_on_ranks(const Request& request, ranks::Transport& transport) {
  return RanksRun(request, transport, false).foresee();
}

}  // namespace pleiad::run
