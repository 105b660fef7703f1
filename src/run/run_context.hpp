/// The common parts of runs of one system and of ensembles: directory, reasons to stop, progress line,
/// checkpoints, timings.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/durable/claims.hpp"
#include "run/directory.hpp"
#include "run/resumed.hpp"
#include "run/stop.hpp"
#include "run/timings.hpp"

#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pleiad::run {

/// All files that a run reads, and its directory, beside what the command writes besides. UsageError when one
/// is the other.
Claims claims_of(const Request& request, const std::vector<std::string>& read,
                 const std::filesystem::path& directory);

class RunContext {
 public:
  /// `request` outlives it.
  RunContext(const Request& request, std::optional<Resumed> resumed);

  const Request& request;
  Options options;
  std::optional<Checkpoint> resumed;  ///< where it goes on
  std::vector<std::string> notes;     ///< what the user should know before the first step
  std::string why_precision;          ///< was chosen; "" where it is stated or as usual
  Timings timings;

  std::vector<std::string> files;  ///< that it was begun with

  /// See claims_of.
  Claims claims() const { return claims_of(request, files, options.output.directory); }
  /// Claims the directory of a new run, and writes the resolved options there. Done last: a refused run
  /// leaves nothing behind.
  void take_directory(const Claims& claims);
  /// Options that have changed on the way, into the checkpoints and config.toml from now on.
  void keep_options();
  /// Of this run, once it is taken.
  RunDirectory& directory() { return *directory_; }
  /// From now on it can be stopped, and time counts.
  void start();
  /// Who is told what happens.
  Observer& observer() const;

  /// Since start().
  double elapsed() const { return stops_->elapsed(); }
  /// Why to stop now, or "".
  std::string reason_to_stop();
  void batch_took(double seconds) { stops_->batch_took(seconds); }
  void output_took(double seconds) { stops_->output_took(seconds); }

  /// Whether checkpoint.interval_seconds have passed since the last one was written.
  bool checkpoint_due() const;
  /// A checkpoint without its state, made by `engine`, of a run in these options.
  Checkpoint new_checkpoint(const EngineDescription& engine);
  /// Writes a whole one, in any thread.
  void write(const Checkpoint& checkpoint);
  /// What became of one: false when there was no room for it, which `failure` tells, unless that ends the
  /// run: as the user wants, or because it `must` be written. `since`, `until`: when, by elapsed(), the work
  /// for it began and ended.
  bool written(const std::exception_ptr& failure, double since, double until, bool must);
  /// What an error says that comes after a good checkpoint of `step`; "" where its directory is gone.
  std::string way_on(std::uint64_t step) const;

 private:
  std::optional<RunDirectory> directory_;
  std::optional<Timed> setup_;
  std::optional<StopWatch> stops_;
  std::string config_;
  double last_save_ = 0;         ///< by elapsed()
  bool warned_ = false;          ///< that checkpoints cannot be written
  bool has_checkpoint_ = false;  ///< in the directory
};

}  // namespace pleiad::run
