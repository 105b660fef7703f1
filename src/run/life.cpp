#include "run/life.hpp"

#include "core/print.hpp"
#include "core/threads.hpp"
#include "run/version.hpp"

#include <pleiad/config.hpp>
#include <pleiad/durable.hpp>
#include <pleiad/error.hpp>

#include <fmt/format.h>
#include <unistd.h>

namespace pleiad::run {

Life::Life(const Request& r, std::optional<Resumed> from) : request(r), options(r.options) {
  setup_.emplace(spent.setup);
  if (from) {
    directory_.emplace(std::move(from->directory));
    has_checkpoint_ = true;
    resumed = std::move(from->checkpoint);
    options = std::move(from->options);
    notes = std::move(from->notes);
  }
  set_threads(options.engine.threads);  // of what is computed beside the engine too
}

void Life::take_directory(const Paths& inputs) {
  directory_.emplace(RunDirectory::claim(options.output.directory, request.overwrite, inputs));
  options.output.directory = directory_->path().string();
  keep_options();
}

void Life::keep_options() {
  config_ = to_toml(options);
  write_file_atomically(directory_->file("config.toml"), config_);
}

void Life::start(double time) {
  config_ = to_toml(options);
  setup_.reset();
  stops_.emplace(directory_->path() / "stop", options.limits.walltime_seconds);
  bar_.emplace(time, options.time.t_end, !request.quiet && isatty(STDERR_FILENO) == 1);
}

void Life::announce(const std::string& what, const EngineDescription& d) const {
  if (request.quiet) return;
  for (const auto& text : notes) print_err("pleiad: note: {}\n", text);
  print_err("pleiad {}: {} on {}, {} thread{}, kernel {} ({}), precision {}\n", version(), what, d.device,
            d.threads, d.threads == 1 ? "" : "s", d.kernel(), d.why, d.precision);
}

void Life::note(const std::string& text) {
  if (bar_) bar_->clear();
  print_err("pleiad: note: {}\n", text);
}

bool Life::checkpoint_due() const {
  const double every = options.checkpoint.interval_seconds;
  return every > 0 && elapsed() - last_save_ >= every;
}

Checkpoint Life::new_checkpoint(const EngineDescription& d) {
  for (const char* name : {"checkpoint.pleiad", "checkpoint.prev.pleiad"}) directory_->file(name);
  Checkpoint c;
  c.config = config_;
  c.code_version = version(), c.precision = d.precision, c.kernel = d.kernel(), c.simd_target = d.device;
  return c;
}

void Life::write(const Checkpoint& c) {
  directory_->sync();
  save_checkpoint(directory_->path(), c, [&] { directory_->need_same(); });
}

bool Life::written(const std::exception_ptr& failure, double since, double until, bool must) {
  try {
    if (failure) std::rethrow_exception(failure);
    has_checkpoint_ = true;
    if (warned_) note("checkpoints can be written again");
    warned_ = false;
  } catch (const ResourceError& e) {
    // A run that replaces another must stand before that is deleted.
    if (options.checkpoint.require || must || (directory_->replaces() && !has_checkpoint_)) throw;
    if (!warned_)
      note(fmt::format("{}; the run goes on, {} (checkpoint.require = true would stop)", e.what(),
                       has_checkpoint_ ? "the last good checkpoint is kept"
                                       : "there is no checkpoint to resume from yet"));
    warned_ = true;
  }
  last_save_ = until;
  stops_->save_took(until - since);
  return !failure;
}

std::string Life::way_on(std::uint64_t step) const {
  if (!directory_ || !directory_->is_same()) return "";
  return fmt::format("; the checkpoint of step {} is good: pleiad run --resume {}", step,
                     directory_->path().string());
}

Exit Life::stopped(const std::string& where, const std::string& reason) const {
  print_err("pleiad: stopped at {} by {}; continue with: pleiad run --resume {}\n", where, reason,
            options.output.directory);
  return Exit::stopped;
}

}  // namespace pleiad::run
