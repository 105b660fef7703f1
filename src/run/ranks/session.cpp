#include "run/ranks/session.hpp"

#include "core/threads.hpp"
#include "core/version.hpp"
#include "io/checkpoint/appended_file.hpp"
#include "io/config/config.hpp"
#include "io/durable/durable.hpp"
#include "io/durable/paths.hpp"
#include "io/files/csv.hpp"
#include "models/part.hpp"
#include "ranks/agree.hpp"
#include "ranks/division.hpp"
#include "render/render.hpp"
#include "run/accuracy.hpp"
#include "run/cadence.hpp"
#include "run/directory.hpp"
#include "run/energy_note.hpp"
#include "run/kernel.hpp"
#include "run/observer.hpp"
#include "run/ranks/pieces.hpp"
#include "run/ranks/possible.hpp"
#include "run/ranks/watchdog.hpp"
#include "run/resumed.hpp"
#include "run/schedule.hpp"
#include "run/start.hpp"
#include "run/stop.hpp"
#include "run/summary.hpp"
#include "run/table.hpp"
#include "sim/lost_body.hpp"

#include <pleiad/error.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

namespace fs = std::filesystem;

/// The bodies that the division gives this rank.
Bodies part_of(const Bodies& all, const ranks::Division& division, int rank) {
  const auto first = division.first(rank);
  Bodies part;
  const auto take = [&](auto& to, const auto& from) {
    const auto begin = from.begin() + std::ptrdiff_t(first);
    to.assign(begin, begin + std::ptrdiff_t(division.count(rank)));
  };
  take(part.x, all.x), take(part.y, all.y), take(part.z, all.z);
  take(part.vx, all.vx), take(part.vy, all.vy), take(part.vz, all.vz);
  take(part.mass, all.mass), take(part.id, all.id), take(part.type, all.type);
  return part;
}

/// Each rank draws the bodies that the division gives it.
class RankSharing final : public Sharing {
 public:
  explicit RankSharing(ranks::Transport& transport) : transport_(transport) {}
  const ranks::Division& division() const { return division_; }
  Part part_of(std::size_t n) override {
    division_ = {n, transport_.ranks()};
    return {division_.first(transport_.rank()), division_.count(transport_.rank())};
  }
  std::vector<Moments> all(std::vector<Moments> own) override {
    ranks::agree(transport_, [] {});  // some rank may have no room for its bodies
    return ranks::all_gather<Moments>(transport_, own).data;
  }

 private:
  ranks::Transport& transport_;
  ranks::Division division_;
};

class RanksRun {
 public:
  RanksRun(const Request& request, ranks::Transport& transport)
      : request_(request), transport_(transport), options_(request.options) {
    const Timed setting_up(timings_.setup);
    if (request.resume) resume();
    else begin();
    open();
  }

  End execute() {
    stops_.emplace(leads() ? directory_->path() / "stop" : fs::path(), options_.limits.walltime_seconds);
    watchdog_.emplace(options_.limits.hang_seconds, transport_.rank());
    if (leads()) observer().started(begun());
    if (!request_.resume) {
      write_due();
      check_accuracy();
      checkpoint();
    }
    while (!simulation_->has_reached(end_)) {
      watchdog_->alive();
      const auto next = decide();
      if (next.stops) return finish(why_stopped());
      if (next.saves) checkpoint();
      if (make_steps()) write_due();
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

  /// All ranks must have been started alike: other programs or options would give other bits.
  void need_alike(const std::string& config) {
    const auto mine = fmt::format("{}\n{}\n{}", version(), simd_target(), config);
    const auto all = ranks::all_texts(transport_, mine);
    ranks::agree(transport_, [&] {
      if (mine != all.front())
        throw UsageError(
            "its version, vector instructions or options are not those of rank 0; start the same program "
            "with the same options on equal processors");
    });
  }

  void begin() {
    ranks::agree(transport_, [&] { check(options_), need_possible_on_ranks(options_); });
    need_alike(to_toml(options_));
    Snapshot initial;
    ranks::agree(transport_, [&] {
      set_threads(options_.engine.threads);
      RankSharing sharing(transport_);
      auto start = prepare(options_, &sharing);
      notes_ = std::move(start.notes);
      initial = std::move(start.initial);
      division_ =
          start.part ? sharing.division() : ranks::Division{initial.bodies.size(), transport_.ranks()};
      if (!start.part) initial.bodies = part_of(initial.bodies, division_, transport_.rank());
    });
    ranks::agree(transport_, [&] {
      start(std::move(initial));
      if (options_.time.reverse) simulation_->reverse_velocities();
      settle_cadence(options_, *simulation_, division_.bodies);
      plan();
    });
  }

  /// Errors of forces are not measured with all images of a periodic box, whose direct sums are of one
  /// process.
  bool measures() const { return !gravity_of(options_).boundary.all_images(); }

  /// All ranks search for a solver together, and rank 0 tells what they do.
  void start(Snapshot initial) {
    if (!measures()) {
      simulation_.emplace(std::move(initial), gravity_of(options_), method_of(options_), engine());
      return;
    }
    const Resolving resolving{
        .observer = &observer(), .cache = request_.cache, .seconds = &timings_.tuning, .ranks = &transport_};
    auto accurate = accurate_start(options_, std::move(initial), resolving, notes_);
    simulation_.emplace(std::move(accurate.simulation));
    first_check_ = std::move(accurate.first);
  }

  void resume() {
    ranks::agree(transport_, [&] { need_resumable(); });
    if (leads()) directory_.emplace(RunDirectory::reopen(*request_.resume));
    auto loaded = load_pieces(transport_, *request_.resume);
    if (!loaded.warning.empty()) notes_.push_back(loaded.warning);
    division_ = loaded.division;
    auto& c = loaded.checkpoint;
    ranks::agree(transport_, [&] {
      options_ = resumed_options(c.config, request_, request_.resume->string());
      need_possible_on_ranks(options_);
      set_threads(options_.engine.threads);
    });
    need_alike(to_toml(options_));
    ranks::agree(transport_, [&] {
      auto e = engine();
      e.method = force_method_of(c.kernel), e.why = "that of the checkpoint";
      const auto method = method_of(options_);
      Clock clock{.start = c.start_time, .time = c.snapshot.time, .step = c.snapshot.step, .next_dt = c.dt};
      if (!method.adaptive) clock.time = time_of_step(clock.start, method.dt, clock.step);
      simulation_.emplace(std::move(c.snapshot), clock, gravity_of(options_), method, e);
      need_same_build(c, simulation_->describe(), request_.accept_other_build, notes_);
      plan();
    });
    reference_energy_ = c.reference_energy;
    if (const auto worst = c.extra.find("largest_energy_error"); worst != c.extra.end())
      largest_energy_error_ = std::strtod(worst->second.c_str(), nullptr);
    table_bytes_ = c.appended_files.at(std::string(table_name));
    if (const auto rows = c.appended_files.find(std::string(accuracy_name)); rows != c.appended_files.end())
      accuracy_bytes_ = rows->second;
    sample_ = saved_sample(c, division_.bodies);
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
    const auto& o = options_.output;
    snapshots_.emplace("output.snapshot_interval", *simulation_, o.snapshot_interval, o.snapshot_times,
                       options_.time.t_end);
    rows_.emplace("output.diagnostics_interval", *simulation_, o.diagnostics_interval, std::vector<double>{},
                  options_.time.t_end);
    end_ = simulation_->moment_at(options_.time.t_end);
    need_ahead(simulation_->clock(), simulation_->method(), end_);
    units_ = o.snapshot_units == "auto" ? usual_units(format_named("csv"), simulation_->snapshot().units)
                                        : units_named(o.snapshot_units);
  }

  /// Rank 0 has the directory and the tables; all know its name.
  void open() {
    ranks::agree(transport_, [&] {
      if (!leads()) return;
      const Paths inputs = options_.ic.file.empty() ? Paths{} : Paths{options_.ic.file};
      if (!request_.resume)
        directory_.emplace(RunDirectory::claim(options_.output.directory, request_.overwrite, inputs));
      options_.output.directory = directory_->path().string();
      directory_->make_folder("snapshots");
      write_file_atomically(directory_->file("config.toml"), to_toml(options_));
      for (const auto& name : names_of_pieces(transport_.ranks())) directory_->file(name);
      const auto table = directory_->file(std::string(table_name));
      if (request_.resume) {
        table_ = AppendedFile::resume(table, table_bytes_);
        if (accuracy_bytes_) open_accuracy();
      } else {
        table_ = AppendedFile::create(table);
        table_->append("# units: " + simulation_->snapshot().units.name);
        table_->append(table_columns);
      }
    });
    options_.output.directory = ranks::all_texts(transport_, options_.output.directory).front();
    if (measures()) watch_accuracy();
    start_step_ = simulation_->step(), start_evaluations_ = simulation_->evaluations();
  }

  void watch_accuracy() {
    accuracy_.emplace(
        *simulation_, demand_of(options_),
        [this](const Simulation&, const ForceErrors& errors) { write_accuracy(errors); },
        [this](const std::string& text) { observer().note(text); });
    if (sample_) accuracy_->check_on(std::move(*sample_));
    if (first_check_) accuracy_->start_with(std::move(*first_check_));
  }

  /// A table that was lost is begun anew.
  void open_accuracy() {
    const auto file = directory_->file(std::string(accuracy_name));
    if (accuracy_bytes_ && has_entry(file)) {
      accuracy_table_ = AppendedFile::resume(file, *accuracy_bytes_);
      last_accuracy_row_ = last_row_of(read_file(file));
    } else {
      accuracy_table_ = AppendedFile::create(file);
      accuracy_table_->append(accuracy_columns);
    }
  }

  Started begun() const {
    return {.options = options_,
            .count = division_.bodies,
            .time = simulation_->time(),
            .method = simulation_->method(),
            .engine = describe(),
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
    for (const auto& reason : ranks::all_texts(transport_, reason_))
      if (!reason.empty()) return reason;
    return "a signal";
  }

  std::uint64_t batch_limit() const {
    const std::uint64_t every = options_.limits.check_every, step = simulation_->step();
    std::uint64_t limit = every - step % every;
    if (step_seconds_ > 0)
      limit = std::min(limit, static_cast<std::uint64_t>(std::max(1.0, 0.1 / step_seconds_)));
    if (accuracy_) limit = std::min(limit, accuracy_->steps_to_check(*simulation_));
    if (const auto n = options_.checkpoint.every_steps; n > 0) limit = std::min(limit, n - step % n);
    return limit;
  }

  Moment next() const {
    const auto& now = simulation_->clock();
    const auto row = rows_->next_after(now), snapshot = snapshots_->next_after(now);
    return rows_->before(snapshot, row) ? snapshot : row;
  }

  /// True when they have come to where outputs are due.
  bool make_steps() {
    const Timed stepping(timings_.steps);
    const double before = stops_->elapsed();
    const auto step = simulation_->step();
    const bool reached = simulation_->run_towards(next(), batch_limit());
    const double took = stops_->elapsed() - before;
    stops_->batch_took(took);
    // The slowest rank's, so that all make as many steps the next time.
    if (simulation_->step() > step)
      step_seconds_ = ranks::max(transport_, took / double(simulation_->step() - step));
    if (simulation_->step() % options_.limits.check_every == 0) need_finite();
    check_accuracy();
    return reached;
  }

  /// All ranks find the same errors, and decide the same.
  void check_accuracy() {
    if (!accuracy_ || !accuracy_->due(*simulation_) || !accuracy_->check(*simulation_, true)) return;
    start_evaluations_ -= simulation_->evaluations();
    ranks::agree(transport_, [&] {
      options_.engine.precision = name_of(accuracy_->take_better_precision(*simulation_, engine()).precision);
      if (leads()) write_file_atomically(directory_->file("config.toml"), to_toml(options_));
    });
  }

  /// Of what all ranks know alike, by rank 0.
  void write_accuracy(const ForceErrors& errors) {
    if (!leads()) return;
    if (!accuracy_table_) open_accuracy();
    // A run that is resumed where it ended looks again, and finds the same.
    if (const auto row = accuracy_row(*simulation_, errors); row + "\n" != last_accuracy_row_)
      accuracy_table_->append(row);
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
    return {.time = simulation_->time(),
            .interactions = double(simulation_->evaluations() - start_evaluations_) *
                            simulation_->describe().interactions_per_evaluation,
            .steps = double(simulation_->step() - start_step_),
            .energy_error = last_row_ ? last_row_->energy_error : 0};
  }

  // ---- the outputs --------------------------------------------------------------------------------------

  void write_due() {
    watchdog_->alive();
    const double before = stops_->elapsed();
    if (rows_->due(simulation_->clock())) write_row();
    if (snapshots_->due(simulation_->clock())) write_snapshot();
    stops_->output_took(stops_->elapsed() - before);
  }

  void write_row() {
    const Timed writing(timings_.waited.rows);
    const auto totals = simulation_->totals();
    if (!reference_energy_) reference_energy_ = totals.energies.total();
    auto row = diagnose(totals, simulation_->time(), simulation_->step(), *reference_energy_);
    row.lagrangian_radii = simulation_->radii().lagrangian;
    largest_energy_error_ = std::max(largest_energy_error_, std::abs(row.energy_error));
    last_row_ = row;
    if (leads()) table_->append(row_of(row));
    double limit = options_.limits.max_energy_error;
    if (limit < 0) limit = conserves_energy(simulation_->gravity(), simulation_->method()) ? 0.5 : 0;
    ranks::agree(transport_, [&] {
      if (limit > 0 && !(std::abs(row.energy_error) <= limit))
        throw NumericalError(fmt::format(
            "the energy error {:.3g} at step {}, t = {:g} exceeds limits.max_energy_error = {:g}: the step "
            "does not resolve the closest encounter; use a smaller dt or softening",
            row.energy_error, row.step, row.time, limit));
    });
  }

  /// As the engine has it: in the precision of the run from the start on.
  Snapshot state_now(bool fields) {
    Snapshot now;
    simulation_->snapshot_meanwhile(fields)(now);
    return now;
  }

  /// One file, byte for byte that of one process: the lines of all ranks go through rank 0 in their order.
  void write_snapshot() {
    const Timed writing(timings_.waited.snapshots);
    auto own = state_now(format_named("csv").wants_fields);
    if (units_) convert(own, *units_);
    const auto rows = files::csv_rows(own);
    ranks::agree(transport_, [&] {
      if (!leads()) return relay(transport_, rows, [](std::string_view) {});
      bool relayed = false;
      const auto pass_on = [&](const std::function<void(std::string_view)>& use) {
        relayed = true;
        relay(transport_, rows, use);
      };
      try {
        const auto file = directory_->numbered("snapshots/snapshot_", 3, ".csv", own.time);
        write_file_atomically(file, [&](NewFile& out) {
          out.append(files::csv_head(own, "", division_.bodies));
          pass_on([&](std::string_view piece) { out.append(piece); });
        });
        if (first_snapshot_.empty()) first_snapshot_ = file.string();
        last_snapshot_ = file.string();
      } catch (...) {
        // The others send their lines all the same.
        if (!relayed) pass_on([](std::string_view) {});
        throw;
      }
    });
  }

  void checkpoint() {
    watchdog_->alive();
    const Timed waiting(timings_.waited.checkpoints);
    const double before = stops_->elapsed();
    need_finite();  // a state that has failed must never replace a good one
    std::uint64_t table_bytes = 0, accuracy_bytes = 0;
    ranks::agree(transport_, [&] {
      if (!leads()) return;
      directory_->need_same();
      table_bytes = table_->flush_and_sync();
      if (accuracy_table_) accuracy_bytes = accuracy_table_->flush_and_sync();
      directory_->sync();
    });
    table_bytes = all_gather(transport_, table_bytes).front();
    accuracy_bytes = all_gather(transport_, accuracy_bytes).front();
    Checkpoint c;
    c.snapshot = state_now(false);
    c.dt = simulation_->clock().next_dt, c.start_time = simulation_->clock().start;
    c.reference_energy = reference_energy_.value_or(0);
    c.config = to_toml(options_);
    const auto engine = simulation_->describe();
    c.code_version = version(), c.precision = engine.precision, c.kernel = engine.kernel();
    c.simd_target = engine.device;
    c.appended_files[std::string(table_name)] = table_bytes;
    if (accuracy_bytes > 0) c.appended_files[std::string(accuracy_name)] = accuracy_bytes;
    if (accuracy_) save_sample(*accuracy_, c);
    c.extra["largest_energy_error"] = fmt::format("{:a}", largest_energy_error_);
    save_pieces(transport_, options_.output.directory, c);
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
    const auto traffic = all_gather(transport_, transport_.traffic());
    if (!leads()) return stopped_by.empty() ? End::done : End::stopped;
    const auto plots = plot();
    s.options = options_, s.stopped_by = stopped_by;
    s.bodies = division_.bodies, s.time = simulation_->time(), s.step = simulation_->step();
    s.engine = describe(), s.evaluations = simulation_->evaluations();
    s.seconds = stops_->elapsed(), s.timings = timings_;
    if (accuracy_) s.force_errors = accuracy_->last();
    s.row = last_row_, s.largest_energy_error = largest_energy_error_;
    s.files = {{"diagnostics", table_->file().string()},
               {"force_errors", accuracy_table_ ? accuracy_table_->file().string() : ""},
               {"first_snapshot", first_snapshot_},
               {"last_snapshot", last_snapshot_},
               {"energy_plot", plots.first},
               {"radii_plot", plots.second}};
    s.notes = std::move(plot_notes_);
    s.notes.push_back(traffic_note(traffic));
    if (s.row && *reference_energy_ != 0 && conserves_energy(simulation_->gravity(), simulation_->method()))
      s.energy_note = energy_note(largest_energy_error_);
    observer().finished(written(std::move(s), *directory_));
    return stopped_by.empty() ? End::done : End::stopped;
  }

  std::string traffic_note(std::span<const ranks::Traffic> all) const {
    std::uint64_t bytes = 0, messages = 0;
    double waited = 0;
    for (const auto& each : all)
      bytes += each.bytes, messages += each.messages, waited = std::max(waited, each.seconds);
    return fmt::format(
        "{} ranks sent {:.3g} MB in {} messages; the one that waited longest was in messages for {:.0f} % "
        "of the time",
        all.size(), double(bytes) / 1e6, messages, 100 * waited / std::max(stops_->elapsed(), 1e-9));
  }

  std::pair<std::string, std::string> plot() {
    table_->flush_and_sync();
    if (!options_.output.plots) return {};
    for (const char* name : {"energy.gp", "energy.png", "energy.svg", "radii.gp", "radii.png", "radii.svg"})
      directory_->file(name);
    std::string why;
    if (plot_diagnostics(table_->file(), directory_->path(), why))
      return {directory_->file("energy.png").string(), directory_->file("radii.png").string()};
    plot_notes_.push_back("no plots: " + why);
    return {};
  }

  const Request& request_;
  ranks::Transport& transport_;
  Options options_;
  ranks::Division division_;
  std::vector<std::string> notes_, plot_notes_;
  Timings timings_;
  std::optional<Simulation> simulation_;
  std::optional<Schedule> snapshots_, rows_;
  Moment end_;
  std::optional<Units> units_;
  std::optional<RunDirectory> directory_;  ///< of rank 0, as the table is
  std::optional<AppendedFile> table_, accuracy_table_;
  std::uint64_t table_bytes_ = 0;
  std::optional<std::uint64_t> accuracy_bytes_;
  std::string last_accuracy_row_;
  std::optional<control::AccuracyCheck> first_check_;
  std::optional<Sample> sample_;  ///< of the checkpoint
  std::optional<control::AccuracyWatch> accuracy_;
  std::optional<double> reference_energy_;
  double largest_energy_error_ = 0;
  std::optional<Diagnostics> last_row_;
  std::string first_snapshot_, last_snapshot_;
  std::optional<StopWatch> stops_;
  std::optional<Watchdog> watchdog_;
  std::string reason_;
  double step_seconds_ = 0, last_save_ = 0;
  std::optional<std::uint64_t> last_save_step_;
  std::uint64_t start_step_ = 0, start_evaluations_ = 0;
};

}  // namespace

End execute_on_ranks(const Request& request, ranks::Transport& transport) {
  return RanksRun(request, transport).execute();
}

}  // namespace pleiad::run
