#include "run/run_context.hpp"

#include "core/threads.hpp"
#include "core/version.hpp"
#include "io/checkpoint/generations.hpp"
#include "io/config/config.hpp"
#include "run/observer.hpp"
#include "run/viewer.hpp"

#include <pleiad/error.hpp>

#include <fmt/format.h>

namespace pleiad::run {

RunContext::RunContext(const Request& r, std::optional<Resumed> from) : request(r), options(r.options) {
  setup_.emplace(timings.setup);
  if (from) {
    directory_.emplace(std::move(from->directory));
    has_checkpoint_ = true;
    resumed = std::move(from->checkpoint);
    options = std::move(from->options);
    notes = std::move(from->notes);
  }
  set_threads(options.engine.threads);  // of what is computed beside the engine too
}

Claims claims_of(const Request& request, const std::vector<std::string>& read,
                 const std::filesystem::path& directory) {
  Claims claims = request.claims != nullptr ? *request.claims : Claims();
  claims.reads_all(read);
  claims.owns(directory);
  return claims;
}

void RunContext::take_directory(const Claims& claims) {
  directory_.emplace(RunDirectory::claim(options.output.directory, request.overwrite, claims));
  options.output.directory = directory_->path().string();
  keep_options();
}

void RunContext::keep_options() {
  config_ = to_toml(options);
  directory_->write("config.toml", config_);
}

void RunContext::start() {
  config_ = to_toml(options);
  setup_.reset();
  stops_.emplace(directory_->path() / "stop", options.limits.walltime_seconds);
}

Observer& RunContext::observer() const {
  static Observer nobody;
  return request.observer != nullptr ? *request.observer : nobody;
}

std::string RunContext::reason_to_stop() {
  if (request.viewer != nullptr && request.viewer->stops()) return "the live view";
  return stops_->reason();
}

bool RunContext::checkpoint_due() const {
  const double every = options.checkpoint.interval_seconds;
  return every > 0 && elapsed() - last_save_ >= every;
}

Checkpoint RunContext::new_checkpoint(const EngineDescription& d) {
  for (const char* name : {"checkpoint.pleiad", "checkpoint.prev.pleiad"}) directory_->file(name);
  Checkpoint c;
  c.config = config_;
  c.code_version = version(), c.precision = d.precision, c.kernel = d.kernel(), c.simd_target = d.device;
  return c;
}

void RunContext::write(const Checkpoint& c) {
  directory_->sync();
  save_checkpoint(directory_->opened(), c, [&] { directory_->need_same(); });
}

bool RunContext::written(const std::exception_ptr& failure, double since, double until, bool must) {
  try {
    if (failure) std::rethrow_exception(failure);
    has_checkpoint_ = true;
    if (warned_) observer().note("checkpoints can be written again");
    warned_ = false;
  } catch (const ResourceError& e) {
    // A run that replaces another must stand before that is deleted.
    if (options.checkpoint.require || must || (directory_->replaces() && !has_checkpoint_)) throw;
    if (!warned_)
      observer().note(fmt::format("{}; the run continues, {} (checkpoint.require = true would end it)",
                                  e.what(),
                                  has_checkpoint_ ? "the last good checkpoint is kept"
                                                  : "there is no checkpoint to resume from yet"));
    warned_ = true;
  }
  last_save_ = until;
  stops_->save_took(until - since);
  return !failure;
}

std::string RunContext::way_on(std::uint64_t step) const {
  if (!directory_ || !directory_->is_same()) return "";
  return fmt::format("; the checkpoint of step {} is good: pleiad run --resume {}", step,
                     directory_->path().string());
}

}  // namespace pleiad::run
