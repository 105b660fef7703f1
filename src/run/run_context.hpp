/// The common parts of runs of one system and of ensembles, on the ranks of a communicator: directory,
/// reasons to stop, progress line, checkpoints, timings.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/durable/claims.hpp"
#include "ranks/communicator.hpp"
#include "ranks/division.hpp"
#include "run/directory.hpp"
#include "run/ranks/watchdog.hpp"
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

/// All files that a run reads, and its directory, in addition to other outputs of the command. UsageError if
/// an input is an output.
Claims claims_of(const Request& request, const std::vector<std::string>& read,
                 const std::filesystem::path& directory);

class RunContext {
 public:
  /// `request` and `ranks` outlive it.
  RunContext(const Request& request, std::optional<Resumed> resumed, ranks::Communicator& ranks);

  const Request& request;
  ranks::Communicator& ranks;  ///< those that share the bodies: one process is a single rank
  /// Whether several ranks share the bodies.
  bool divided() const { return ranks.ranks() > 1; }
  /// Whether this rank writes the files and reports what happens.
  bool leads() const { return ranks.rank() == 0; }
  ranks::Division division;  ///< of the bodies among the ranks
  Options options;
  std::optional<Checkpoint> resumed;  ///< where it goes on
  std::vector<std::string> notes;     ///< notes for the user before the first step
  std::string why_precision;          ///< was chosen; "" where it is stated or as usual
  Timings timings;

  std::vector<std::string> files;  ///< that it was begun with

  /// See claims_of.
  Claims claims() const { return claims_of(request, files, options.output.directory); }
  /// Claims the directory of a new run, and writes the resolved options there; refuses that of a resumed one
  /// when the command reads or writes in it. Done last: a refused run leaves nothing behind. Collective.
  void take_directory();
  /// Options that have changed on the way, into the checkpoints and config.toml from now on.
  void keep_options();
  /// The claimed directory, on rank 0; null on the others.
  RunDirectory* directory() { return directory_ ? &*directory_ : nullptr; }
  /// The run stands on its own: see RunDirectory::keep.
  void keep();
  /// From this call on the run can be stopped, and its time counts. Collective.
  void start();
  /// The ranks go on: see Watchdog.
  void alive() {
    if (watchdog_) watchdog_->alive();
  }
  /// From this call on no rank waits for another.
  void end_messages() { watchdog_.reset(); }
  /// The observer that gets reports.
  Observer& observer() const;

  /// Since start().
  double elapsed() const { return stops_->elapsed(); }
  /// Why to stop now, or "": a signal stops the run whichever rank it reaches. Collective.
  std::string reason_to_stop();
  void batch_took(double seconds) { stops_->batch_took(seconds); }
  void output_took(double seconds) { stops_->output_took(seconds); }

  /// Whether checkpoint.interval_seconds have passed since the last one was written, by the clock of rank 0.
  /// Collective.
  bool checkpoint_due() const;
  /// A checkpoint without its state, made by `engine`, of a run in these options. Collective.
  Checkpoint new_checkpoint(const EngineDescription& engine);
  /// Writes a whole one: one file, or a piece of each rank, which is collective. In any thread where there is
  /// a single rank.
  void write(const Checkpoint& checkpoint);
  /// Reports a checkpoint: returns false if there was no space for it, as described by `failure`, unless that
  /// ends the run: because the user requested it, or because the checkpoint `must` be written. `since`,
  /// `until`: begin and end of its work, by elapsed().
  bool written(const std::exception_ptr& failure, double since, double until, bool must);
  /// The hint in an error after a complete checkpoint of `step`; "" if its directory is gone.
  std::string resume_hint(std::uint64_t step) const;

 private:
  bool in_pieces_;                            ///< see pieces.hpp
  std::optional<RunDirectory> directory_;     ///< of rank 0
  std::shared_ptr<const OpenFolder> opened_;  ///< the same, of every rank
  std::optional<Watchdog> watchdog_;          ///< of several ranks
  std::optional<Timed> setup_;
  std::optional<StopWatch> stops_;
  std::string config_;
  double last_save_ = 0;         ///< by elapsed()
  bool warned_ = false;          ///< that checkpoints cannot be written
  bool has_checkpoint_ = false;  ///< in the directory
  bool replaces_ = false;        ///< an earlier run is set aside until then
};

}  // namespace pleiad::run
