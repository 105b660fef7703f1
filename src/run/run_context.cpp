#include "run/run_context.hpp"

#include "core/threads.hpp"
#include "core/version.hpp"
#include "io/checkpoint/generations.hpp"
#include "io/config/config.hpp"
#include "io/durable/open_folder.hpp"
#include "ranks/agree.hpp"
#include "run/observer.hpp"
#include "run/ranks/pieces.hpp"
#include "run/viewer.hpp"

#include <pleiad/error.hpp>

#include <fmt/format.h>

namespace pleiad::run {

RunContext::RunContext(const Request& r, std::optional<Resumed> from, ranks::Communicator& all)
    : request(r),
      ranks(all),
      options(r.options),
      notes(r.notes),
      in_pieces_(all.ranks() > 1 || (from && from->pieces)) {
  setup_.emplace(timings.setup);
  if (from) {
    if (from->directory) directory_.emplace(std::move(*from->directory));
    has_checkpoint_ = true;
    resumed = std::move(from->checkpoint);
    division = from->division;
    options = std::move(from->options);
    std::ranges::move(from->notes, std::back_inserter(notes));
  }
  set_threads(options.engine.threads);  // also for work outside the engine
}

Claims claims_of(const Request& request, const std::vector<std::string>& read,
                 const std::filesystem::path& directory) {
  Claims claims = request.claims != nullptr ? *request.claims : Claims();
  claims.reads_all(read);
  claims.owns(directory);
  return claims;
}

void RunContext::take_directory() {
  ranks::agree(ranks, [&] {
    if (!leads()) return;
    const auto claimed = claims();
    if (resumed) return;
    directory_.emplace(RunDirectory::claim(options.output.directory, request.overwrite, claimed));
    if (!request.provenance.empty()) directory_->remark(request.provenance);
    options.output.directory = directory_->path().string();
  });
  if (resumed) return;
  options.output.directory = ranks::all_texts(ranks, options.output.directory).front();
  keep_options();
}

void RunContext::keep_options() {
  config_ = to_toml(options);
  ranks::agree(ranks, [&] {
    if (leads()) directory_->write("config.toml", config_);
  });
}

void RunContext::keep() {
  if (leads()) directory_->keep();
}

void RunContext::start() {
  config_ = to_toml(options);
  setup_.reset();
  ranks::agree(ranks, [&] {
    opened_ = leads() ? directory_->opened() : std::make_shared<const OpenFolder>(options.output.directory);
  });
  replaces_ = !ranks::all(ranks, !(leads() && directory_->replaces()));
  stops_.emplace(leads() ? directory_->path() / "stop" : std::filesystem::path(),
                 options.limits.walltime_seconds);
  if (ranks.ranks() > 1) watchdog_.emplace(options.limits.hang_seconds, ranks.rank());
}

Observer& RunContext::observer() const {
  static Observer nobody;
  return leads() && request.observer != nullptr ? *request.observer : nobody;
}

std::string RunContext::reason_to_stop() {
  alive();
  std::string mine = SignalWatch::received();
  if (leads()) {
    if (request.viewer != nullptr && request.viewer->stops()) mine = "the live view";
    else mine = stops_->reason();
  }
  return ranks::all(ranks, mine.empty()) ? "" : ranks::first_text(ranks, mine);
}

bool RunContext::checkpoint_due() const {
  const double every = options.checkpoint.interval_seconds;
  const bool due = leads() && every > 0 && elapsed() - last_save_ >= every;
  return !ranks::all(ranks, !due);
}

Checkpoint RunContext::new_checkpoint(const EngineDescription& d) {
  alive();
  ranks::agree(ranks, [&] {
    if (!leads()) return;
    for (const auto& name : in_pieces_
                                ? names_of_pieces(ranks.ranks())
                                : std::vector<std::string>{"checkpoint.pleiad", "checkpoint.prev.pleiad"})
      directory_->file(name);
  });
  Checkpoint c;
  c.config = config_;
  c.code_version = version(), c.precision = d.precision, c.kernel = d.kernel(), c.simd_target = d.device;
  return c;
}

void RunContext::write(const Checkpoint& c) {
  ranks::agree(ranks, [&] {
    if (!leads()) return;
    directory_->need_same();
    directory_->sync();
  });
  if (in_pieces_) save_pieces(ranks, opened_, c);
  else save_checkpoint(opened_, c, [&] { directory_->need_same(); });
}

bool RunContext::written(const std::exception_ptr& failure, double since, double until, bool must) {
  try {
    if (failure) std::rethrow_exception(failure);
    has_checkpoint_ = true;
    if (warned_) observer().note("checkpoints can be written again");
    warned_ = false;
  } catch (const Error& e) {
    if (e.kind() != Error::Kind::resource) throw;
    // A run that replaces another must stand before that is deleted.
    if (options.checkpoint.require || must || (replaces_ && !has_checkpoint_)) throw;
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

std::string RunContext::resume_hint(std::uint64_t step) const {
  if (!directory_ || !directory_->is_same()) return "";
  return fmt::format("; the checkpoint of step {} is good: pleiad run --resume {}", step,
                     directory_->path().string());
}

}  // namespace pleiad::run
