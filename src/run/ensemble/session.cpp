#include "run/ensemble/session.hpp"

#include "run/ensemble/outputs.hpp"
#include "run/ensemble/record.hpp"
#include "run/ensemble/summary.hpp"
#include "run/ensemble/systems.hpp"
#include "run/kernel.hpp"
#include "run/progress.hpp"
#include "run/start.hpp"
#include "run/stop.hpp"
#include "run/version.hpp"

#include <pleiad/config.hpp>
#include <pleiad/durable.hpp>
#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include <fmt/format.h>
#include <unistd.h>

namespace pleiad::run {
namespace {

namespace fs = std::filesystem;

/// Everything of one run; `loop` is its life.
class EnsembleSession {
 public:
  EnsembleSession(const Request& request, std::optional<Resumed> resumed);
  Exit loop();

 private:
  void begin();
  void resume(Resumed resumed);
  void need_whole_steps() const;
  void announce() const;
  double mean_time() const;
  void advance();
  void checkpoint(bool wanted_at_stop);
  void note(const std::string& text);
  Exit finish(const std::string& stopped_by);

  const Request& request_;
  Options options_;
  std::optional<Checkpoint> resumed_;
  std::vector<std::string> notes_;
  std::unique_ptr<DirectoryLock> lock_;
  std::optional<Scan> scan_;
  std::optional<Ensemble> ensemble_;
  std::optional<EnsembleOutputs> outputs_;
  std::optional<StopWatch> stops_;
  std::optional<Bar> bar_;
  std::string config_;
  double reached_ = 0;  ///< all systems that are going have reached it, and what was due there is written
  double last_save_ = 0;
  std::uint64_t batch_ = 1, warned_saves_ = 0;
};

EnsembleSession::EnsembleSession(const Request& request, std::optional<Resumed> resumed)
    : request_(request), options_(request.options) {
  if (resumed) resume(std::move(*resumed));
  else begin();
  outputs_->open(resumed_ ? &*resumed_ : nullptr);
  stops_.emplace(fs::path(options_.output.directory) / "stop", options_.limits.walltime_seconds);
  bar_.emplace(mean_time(), options_.time.t_end, !request.quiet && isatty(STDERR_FILENO) == 1);
  if (!request.quiet) announce();
}

void EnsembleSession::note(const std::string& text) {
  if (bar_) bar_->clear();
  fmt::print(stderr, "pleiad: note: {}\n", text);
}

void EnsembleSession::begin() {
  check(options_);
  scan_.emplace(options_);
  auto systems = make_systems(options_, *scan_);
  notes_ = std::move(systems.notes);
  reached_ = systems.members.front().clock.start;
  ensemble_.emplace(std::move(systems.members), engine_of(options_));
  need_whole_steps();
  ensemble_->limit_steps(options_.ensemble.most_steps);
  outputs_.emplace(options_, *scan_, *ensemble_, std::vector<History>{});
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

void EnsembleSession::resume(Resumed resumed) {
  lock_ = std::move(resumed.lock);
  resumed_ = std::move(resumed.checkpoint);
  options_ = std::move(resumed.options);
  notes_ = std::move(resumed.notes);
  scan_.emplace(options_);
  auto saved = load_ensemble(*resumed_, *scan_);
  reached_ = resumed_->snapshot.time;
  resumed_->snapshot.bodies = {};
  ensemble_.emplace(std::move(saved.members), engine_of(options_));
  for (std::size_t k = 0; k < saved.standings.size(); ++k)
    if (saved.standings[k] != Standing::going) ensemble_->retire(k, saved.standings[k]);
  need_same_build(*resumed_, ensemble_->describe(), request_.accept_other_build, notes_);
  need_whole_steps();
  ensemble_->limit_steps(options_.ensemble.most_steps);
  outputs_.emplace(options_, *scan_, *ensemble_, std::move(saved.histories));
  config_ = to_toml(options_);
}

void EnsembleSession::need_whole_steps() const {
  for (std::size_t k = 0; k < ensemble_->size(); ++k) {
    const auto& m = ensemble_->method(k);
    if (m.adaptive) continue;
    try {
      whole_steps(ensemble_->clock(k).start, m.dt, options_.time.t_end);
    } catch (const UsageError& e) {
      throw UsageError(fmt::format("time.t_end, system {}: {}", k, e.what()));
    }
  }
}

void EnsembleSession::announce() const {
  const auto d = ensemble_->describe();
  const auto& m = ensemble_->method(0);
  for (const auto& text : notes_) fmt::print(stderr, "pleiad: note: {}\n", text);
  fmt::print(stderr, "pleiad {}: {} systems on {}, {} thread{}, kernel {} ({}), precision {}\n", version(),
             ensemble_->size(), d.device, d.threads, d.threads == 1 ? "" : "s", d.kernel, d.why, d.precision);
  fmt::print(stderr, "  {} {}dt = {:g}{}, from t = {:g} to {:g}; output in {}\n", m.integrator->name,
             m.adaptive ? "adaptive (not time-reversible), " : "", m.dt, m.adaptive ? " at most" : "",
             mean_time(), options_.time.t_end, options_.output.directory);
}

/// Of systems that are given up, the end.
double EnsembleSession::mean_time() const {
  double sum = 0;
  for (std::size_t k = 0; k < ensemble_->size(); ++k)
    sum += ensemble_->standing(k) == Standing::going ? ensemble_->clock(k).time : options_.time.t_end;
  return sum / static_cast<double>(ensemble_->size());
}

/// A batch of steps towards the next output: as many as take about a tenth of a second, so that a signal is
/// answered soon and asking the clock costs nothing.
void EnsembleSession::advance() {
  constexpr double wanted = 0.1;
  const double next = outputs_->next_after(reached_), before = stops_->elapsed();
  const bool all = ensemble_->run_towards(next, batch_);
  const double seconds = stops_->elapsed() - before;
  stops_->batch_took(seconds);
  if (seconds > wanted)
    batch_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(double(batch_) * wanted / seconds));
  else if (seconds < wanted / 2 && batch_ < (std::uint64_t{1} << 40)) batch_ *= 2;
  if (!all) return;
  reached_ = next;
  outputs_->write_due(reached_);
}

void EnsembleSession::checkpoint(bool wanted_at_stop) {
  const double before = stops_->elapsed();
  try {
    const auto d = ensemble_->describe();
    Checkpoint c;
    c.snapshot.time = reached_;
    c.snapshot.units = ensemble_->snapshot(0).units;
    c.start_time = ensemble_->clock(0).start;
    c.config = config_;
    c.code_version = version(), c.precision = d.precision, c.kernel = d.kernel, c.simd_target = d.device;
    outputs_->save(c);
    save_checkpoint(options_.output.directory, c);
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
  stops_->save_took(last_save_ - before);
}

Exit EnsembleSession::finish(const std::string& stopped_by) {
  checkpoint(!stopped_by.empty());
  bar_->clear();
  outputs_->finish(stopped_by.empty());
  print_summary({*ensemble_, *outputs_, *scan_, options_, stops_->elapsed(), reached_, stopped_by},
                request_.json);
  if (!stopped_by.empty()) {
    fmt::print(stderr, "pleiad: stopped at t = {:g} by {}; continue with: pleiad run --resume {}\n",
               mean_time(), stopped_by, options_.output.directory);
    return Exit::stopped;
  }
  std::size_t good = 0;
  for (std::size_t k = 0; k < ensemble_->size(); ++k) good += is_good(ensemble_->standing(k));
  if (good == 0)
    throw NumericalError(fmt::format(
        "all {} systems of the ensemble have failed, the first by '{}': the step does not resolve them; use "
        "a smaller dt, softening, or integrator hermite4 with time.adaptive = true",
        ensemble_->size(), name_of(ensemble_->standing(0))));
  return Exit::done;
}

Exit EnsembleSession::loop() {
  if (!resumed_) {
    outputs_->write_due(reached_);
    // So that a run killed at any moment can be resumed.
    checkpoint(false);
  }
  const auto& every = options_.checkpoint.interval_seconds;
  while (reached_ < options_.time.t_end) {
    if (const auto reason = stops_->reason(); !reason.empty()) return finish(reason);
    advance();
    if (every > 0 && stops_->elapsed() - last_save_ >= every) checkpoint(false);
    bar_->update([&] {
      return Bar::State{
          .time = mean_time(), .interactions = ensemble_->interactions(), .before = {}, .after = {}};
    });
  }
  return finish("");
}

}  // namespace

Exit execute_ensemble(const Request& request, std::optional<Resumed> resumed) {
  return EnsembleSession(request, std::move(resumed)).loop();
}

}  // namespace pleiad::run
