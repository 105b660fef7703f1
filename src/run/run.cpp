#include "run/run.hpp"

#include "run/directory.hpp"
#include "run/ensemble/session.hpp"
#include "run/kernel.hpp"
#include "run/outputs.hpp"
#include "run/progress.hpp"
#include "run/start.hpp"
#include "run/stop.hpp"
#include "run/summary.hpp"
#include "run/version.hpp"

#include <pleiad/config.hpp>
#include <pleiad/durable.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace pleiad::run {
namespace {

namespace fs = std::filesystem;

/// Everything of one run; `loop` is its life.
class Session {
 public:
  Session(const Request& request, std::optional<Resumed> resumed);
  Exit loop();
  /// What to add to an error that ends the run: where it can be continued, or nothing.
  std::string way_on() const;

 private:
  void begin();
  void resume(Resumed resumed);
  void need_whole_steps();
  void announce() const;
  std::uint64_t batch_limit() const;
  void check_health(const std::optional<Diagnostics>& row);
  void check_finite();
  [[noreturn]] void throw_not_finite();
  bool checkpoint_due() const;
  void checkpoint(bool wanted_at_stop);
  Exit stop(const std::string& reason);
  void note(const std::string& text);

  const Request& request_;
  Options options_;
  std::optional<Checkpoint> resumed_;
  std::vector<std::string> notes_;
  std::unique_ptr<DirectoryLock> lock_;
  std::optional<Simulation> simulation_;
  std::optional<Outputs> outputs_;
  std::optional<StopWatch> stops_;
  std::optional<Progress> progress_;
  std::string config_;
  double last_save_ = 0, step_seconds_ = 0;
  std::uint64_t last_save_step_ = 0, warned_saves_ = 0;
  std::optional<std::uint64_t> good_step_;  ///< of the newest checkpoint
};

Session::Session(const Request& request, std::optional<Resumed> resumed)
    : request_(request), options_(request.options) {
  if (resumed) resume(std::move(*resumed));
  else begin();
  outputs_->open(resumed_ ? &*resumed_ : nullptr);
  stops_.emplace(fs::path(options_.output.directory) / "stop", options_.limits.walltime_seconds);
  progress_.emplace(*simulation_, options_.time.t_end, !request.quiet && isatty(STDERR_FILENO) == 1);
  last_save_step_ = simulation_->step();
  if (!request.quiet) announce();
}

void Session::note(const std::string& text) {
  if (progress_) progress_->clear();
  fmt::print(stderr, "pleiad: note: {}\n", text);
}

void Session::begin() {
  check(options_);
  auto start = prepare(options_);
  notes_ = std::move(start.notes);
  const auto engine =
      settled_engine(options_, start.initial.bodies, {.measure = true, .quiet = request_.quiet}, notes_);
  simulation_.emplace(std::move(start.initial), gravity_of(options_), method_of(options_), engine);
  if (options_.time.reverse) simulation_->reverse_velocities();
  need_whole_steps();
  outputs_.emplace(options_, *simulation_, simulation_->copies_meanwhile());
  // Opened last: a refused run leaves no directory behind.
  lock_ = open_directory(options_.output.directory, request_);
  if (request_.overwrite) {
    remove_checkpoints(options_.output.directory);
    for (const char* name : {"snapshots", "pictures"})
      fs::remove_all(fs::path(options_.output.directory) / name);
  }
  options_.output.directory = fs::absolute(options_.output.directory).lexically_normal().string();
  config_ = to_toml(options_);
  write_file_atomically(fs::path(options_.output.directory) / "config.toml", config_);
}

void Session::resume(Resumed resumed) {
  lock_ = std::move(resumed.lock);
  resumed_ = std::move(resumed.checkpoint);
  good_step_ = resumed_->snapshot.step;
  options_ = std::move(resumed.options);
  notes_ = std::move(resumed.notes);
  const Clock clock{.start = resumed_->start_time,
                    .time = resumed_->snapshot.time,
                    .step = resumed_->snapshot.step,
                    .next_dt = resumed_->dt};
  const auto engine = resumed_engine(options_, *resumed_, request_.accept_other_build,
                                     {.measure = true, .quiet = request_.quiet}, notes_);
  simulation_.emplace(resumed_->snapshot, clock, gravity_of(options_), method_of(options_), engine);
  need_same_build(*resumed_, simulation_->describe(), request_.accept_other_build, notes_);
  need_whole_steps();
  outputs_.emplace(options_, *simulation_, simulation_->copies_meanwhile());
  config_ = to_toml(options_);
}

void Session::need_whole_steps() {
  if (simulation_->method().adaptive) return;
  try {
    simulation_->step_at(options_.time.t_end);
  } catch (const UsageError& e) {
    throw UsageError(fmt::format("time.t_end: {}", e.what()));
  }
  if (options_.time.t_end == simulation_->time())
    notes_.push_back(
        fmt::format("time.t_end = {:g} is where the run starts: no steps will be made", simulation_->time()));
}

void Session::announce() const {
  const auto d = simulation_->describe();
  const auto& m = simulation_->method();
  for (const auto& text : notes_) fmt::print(stderr, "pleiad: note: {}\n", text);
  fmt::print(stderr, "pleiad {}: {} bodies on {}, {} thread{}, kernel {} ({}), precision {}\n", version(),
             simulation_->size(), d.device, d.threads, d.threads == 1 ? "" : "s", d.kernel, d.why,
             d.precision);
  fmt::print(stderr, "  {} {}dt = {:g}{}, from t = {:g} to {:g}, eps = {:g}, G = {:g}; output in {}\n",
             m.integrator->name, m.adaptive ? "adaptive (not time-reversible), " : "", m.dt,
             m.adaptive ? " at most" : "", simulation_->time(), options_.time.t_end,
             options_.gravity.softening, options_.gravity.G, options_.output.directory);
}

std::uint64_t Session::batch_limit() const {
  // Long enough that asking the clock costs nothing, short enough that a signal is answered within a tenth of
  // a second or one step.
  const std::uint64_t every = options_.limits.check_every;
  std::uint64_t limit = every - simulation_->step() % every;
  if (step_seconds_ > 0)
    limit = std::min(limit, static_cast<std::uint64_t>(std::max(1.0, 0.1 / step_seconds_)));
  if (const auto row = outputs_->steps_to_trajectory(); row > 0) limit = std::min(limit, row);
  if (const auto n = options_.checkpoint.every_steps; n > 0)
    limit = std::min(limit, n - simulation_->step() % n);
  return limit;
}

void Session::throw_not_finite() {
  const auto& b = simulation_->snapshot().bodies;
  std::size_t bad = 0;
  while (bad < b.size() && std::isfinite(b.x[bad] + b.y[bad] + b.z[bad] + b.vx[bad] + b.vy[bad] + b.vz[bad]))
    ++bad;
  throw NumericalError(
      fmt::format("body {} (id {}) is no longer finite at step {}, t = {:g}: the step is too long for a "
                  "close encounter; use softening or a smaller dt",
                  bad, bad < b.size() ? b.id[bad] : 0, simulation_->step(), simulation_->time()));
}

void Session::check_finite() {
  if (simulation_->step() % options_.limits.check_every != 0) return;
  if (!simulation_->finite()) throw_not_finite();
  if (options_.gravity.softening == 0) {
    const auto& b = simulation_->snapshot().bodies;
    const auto [i, j] = coincident_pair(b);
    if (i < b.size())
      throw NumericalError(
          fmt::format("bodies with ids {} and {} have come to the same position at step {}, t = {:g}; "
                      "without softening their force is not defined",
                      b.id[i], b.id[j], simulation_->step(), simulation_->time()));
  }
}

void Session::check_health(const std::optional<Diagnostics>& row) {
  if (!row) return;
  double limit = options_.limits.max_energy_error;
  const bool conservative = options_.time.damping == 1 && options_.gravity.boundary != "periodic";
  if (limit < 0) limit = conservative ? 0.5 : 0;
  if (limit > 0 && !(std::abs(row->energy_error) <= limit))
    throw NumericalError(fmt::format(
        "the energy error {:.3g} at step {}, t = {:g} exceeds limits.max_energy_error = {:g}: the step does "
        "not resolve the closest "
        "encounter; use a smaller dt, softening, or integrator hermite4 with time.adaptive = true",
        row->energy_error, row->step, row->time, limit));
}

bool Session::checkpoint_due() const {
  const auto& c = options_.checkpoint;
  const std::uint64_t step = simulation_->step();
  if (step == last_save_step_) return false;
  if (c.every_steps > 0 && step % c.every_steps == 0) return true;
  return c.interval_seconds > 0 && stops_->elapsed() - last_save_ >= c.interval_seconds;
}

void Session::checkpoint(bool wanted_at_stop) {
  const double before = stops_->elapsed();
  // What failed to be written ends the run, as it does where steps wait for it.
  outputs_->wait();
  // A state that has failed must never replace a good one.
  if (!simulation_->finite()) throw_not_finite();
  // Outside of what is forgiven below: a device that fails is no disk that is full.
  const auto d = simulation_->describe();
  const auto& state = simulation_->snapshot();
  try {
    Checkpoint c;
    c.snapshot = state;
    c.dt = simulation_->clock().next_dt;
    c.start_time = simulation_->clock().start;
    c.config = config_;
    c.code_version = version(), c.precision = d.precision, c.kernel = d.kernel, c.simd_target = d.device;
    outputs_->save(c);
    save_checkpoint(options_.output.directory, c);
    good_step_ = c.snapshot.step;
    if (warned_saves_ > 0) note("checkpoints can be written again");
    warned_saves_ = 0;
  } catch (const ResourceError& e) {
    if (options_.checkpoint.require || wanted_at_stop) throw;
    if (warned_saves_++ == 0)
      note(fmt::format(
          "{}; the run goes on, the last good checkpoint is kept (checkpoint.require = true would stop)",
          e.what()));
  }
  last_save_ = stops_->elapsed();
  last_save_step_ = simulation_->step();
  stops_->save_took(last_save_ - before);
}

std::string Session::way_on() const {
  return good_step_ ? fmt::format("; the checkpoint of step {} is good: pleiad run --resume {}", *good_step_,
                                  options_.output.directory)
                    : "";
}

Exit Session::stop(const std::string& reason) {
  checkpoint(true);
  progress_->clear();
  outputs_->finish();
  print_summary({*simulation_, *outputs_, options_, stops_->elapsed(), reason}, request_.json);
  fmt::print(stderr, "pleiad: stopped at step {}, t = {:g} by {}; continue with: pleiad run --resume {}\n",
             simulation_->step(), simulation_->time(), reason, options_.output.directory);
  return Exit::stopped;
}

Exit Session::loop() {
  if (!resumed_) {
    check_health(outputs_->write_due());
    outputs_->write_trajectory();
    // So that a run killed at any moment can be resumed.
    checkpoint(false);
  }
  while (simulation_->time() < options_.time.t_end) {
    if (const auto reason = stops_->reason(); !reason.empty()) return stop(reason);
    const double before = stops_->elapsed();
    const std::uint64_t step = simulation_->step();
    const bool reached = simulation_->run_towards(outputs_->next_time(), batch_limit());
    const double seconds = stops_->elapsed() - before;
    stops_->batch_took(seconds);
    if (simulation_->step() > step) step_seconds_ = seconds / static_cast<double>(simulation_->step() - step);
    check_finite();
    outputs_->write_trajectory();
    outputs_->follow_trails();
    if (reached) check_health(outputs_->write_due());
    if (checkpoint_due()) checkpoint(false);
    progress_->update(outputs_->last_row() ? outputs_->last_row()->energy_error : 0);
  }
  if (simulation_->step() != last_save_step_) checkpoint(false);
  progress_->clear();
  outputs_->finish();
  print_summary({*simulation_, *outputs_, options_, stops_->elapsed(), ""}, request_.json);
  return Exit::done;
}

}  // namespace

std::vector<std::string> resumable_keys() {
  return {"time.t_end",
          "engine.threads",
          "engine.gpus",
          "checkpoint.interval_seconds",
          "checkpoint.every_steps",
          "checkpoint.require",
          "limits.walltime_seconds",
          "limits.max_energy_error",
          "output.movie",
          "output.plots"};
}

Exit execute(const Request& request) {
  std::optional<Resumed> resumed;
  if (request.resume) resumed = open_resumed(request);
  const auto& options = resumed ? resumed->options : request.options;
  if (options.ensemble.active()) return execute_ensemble(request, std::move(resumed));
  Session session(request, std::move(resumed));
  try {
    return session.loop();
  } catch (const ResourceError& e) {
    throw ResourceError(e.what() + session.way_on());
  }
}

}  // namespace pleiad::run
