#include "run/life.hpp"

#include "run/version.hpp"

#include <pleiad/config.hpp>
#include <pleiad/durable.hpp>
#include <pleiad/error.hpp>

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace pleiad::run {

namespace fs = std::filesystem;

Life::Life(const Request& r, std::optional<Resumed> from) : request(r), options(r.options) {
  setup_.emplace(spent.setup);
  if (!from) return;
  lock_ = std::move(from->lock);
  resumed = std::move(from->checkpoint);
  options = std::move(from->options);
  notes = std::move(from->notes);
}

void Life::take_directory() {
  lock_ = open_directory(options.output.directory, request);
  if (request.overwrite) {
    remove_checkpoints(options.output.directory);
    for (const char* name : {"snapshots", "pictures"})
      fs::remove_all(fs::path(options.output.directory) / name);
  }
  options.output.directory = fs::absolute(options.output.directory).lexically_normal().string();
  write_file_atomically(fs::path(options.output.directory) / "config.toml", to_toml(options));
}

void Life::keep_options() {
  config_ = to_toml(options);
  write_file_atomically(fs::path(options.output.directory) / "config.toml", config_);
}

void Life::start(double time) {
  config_ = to_toml(options);
  setup_.reset();
  stops_.emplace(fs::path(options.output.directory) / "stop", options.limits.walltime_seconds);
  bar_.emplace(time, options.time.t_end, !request.quiet && isatty(STDERR_FILENO) == 1);
}

void Life::announce(const std::string& what, const EngineDescription& d) const {
  if (request.quiet) return;
  for (const auto& text : notes) fmt::print(stderr, "pleiad: note: {}\n", text);
  fmt::print(stderr, "pleiad {}: {} on {}, {} thread{}, kernel {} ({}), precision {}\n", version(), what,
             d.device, d.threads, d.threads == 1 ? "" : "s", d.kernel, d.why, d.precision);
}

void Life::note(const std::string& text) {
  if (bar_) bar_->clear();
  fmt::print(stderr, "pleiad: note: {}\n", text);
}

bool Life::checkpoint_due() const {
  const double every = options.checkpoint.interval_seconds;
  return every > 0 && elapsed() - last_save_ >= every;
}

bool Life::save(Checkpoint c, const EngineDescription& d, const std::function<void(Checkpoint&)>& add,
                double since, bool must) {
  bool saved = false;
  c.config = config_;
  c.code_version = version(), c.precision = d.precision, c.kernel = d.kernel, c.simd_target = d.device;
  try {
    add(c);
    save_checkpoint(options.output.directory, c);
    saved = true;
    if (warned_) note("checkpoints can be written again");
    warned_ = false;
  } catch (const ResourceError& e) {
    if (options.checkpoint.require || must) throw;
    if (!warned_)
      note(fmt::format(
          "{}; the run goes on, the last good checkpoint is kept (checkpoint.require = true would stop)",
          e.what()));
    warned_ = true;
  }
  last_save_ = elapsed();
  stops_->save_took(last_save_ - since);
  return saved;
}

Exit Life::stopped(const std::string& where, const std::string& reason) const {
  fmt::print(stderr, "pleiad: stopped at {} by {}; continue with: pleiad run --resume {}\n", where, reason,
             options.output.directory);
  return Exit::stopped;
}

}  // namespace pleiad::run
