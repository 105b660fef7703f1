/// The outputs of an ensemble run in its directory: two tables, snapshots of chosen systems, final states, a
/// plot.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/checkpoint/appended_file.hpp"
#include "run/directory.hpp"
#include "run/ensemble/scan.hpp"
#include "run/massless.hpp"
#include "run/schedule.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/ensemble.hpp>
#include <pleiad/files.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pleiad::run {

class EnsembleOutputs {
 public:
  /// Plans the outputs and throws UsageError for impossible ones; nothing is written before `open`.
  EnsembleOutputs(const Options& options, const Scan& scan, Ensemble& ensemble,
                  std::vector<History> histories);
  /// Makes the table of times, or truncates it to the rows that belong to a checkpoint. Notes for the user
  /// are added to `notes`. The directory must outlive this object.
  void open(RunDirectory& directory, const Checkpoint* resumed, std::vector<std::string>& notes);

  /// The next moment after `now` at which anything is due.
  Moment next_after(const Moment& now) const;
  /// Whether `now` is the end.
  bool ended(const Moment& now) const { return !diagnostics_.before(now, diagnostics_.last()); }
  /// Everything that is due at `now`, which all systems have reached. A diagnostic retires systems that are
  /// no longer finite or whose energy is wrong.
  void write_due(const Moment& now);
  /// Final states, table and plot, at the end or at a stop.
  void finish(bool at_end);
  /// Bytes of the appended file that are safely on disk.
  void save(Checkpoint& checkpoint);

  std::size_t diagnostics_to_come(const Clock& clock) const { return diagnostics_.to_come(clock); }
  const std::vector<History>& histories() const { return histories_; }
  const std::vector<Massless>& massless() const { return massless_; }
  /// Description and name of each file that has been written so far.
  const std::vector<std::pair<std::string, std::string>>& files() const { return files_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void diagnose_all();
  void look_at_massless(std::size_t k);
  void restore_massless(const std::string& all);
  bool massless_beyond(std::size_t k, double limit) const;
  void write_snapshots(const Moment& now);
  /// The bodies of all systems, numbered.
  Snapshot all_states() const;
  std::filesystem::path path(std::string_view name) const { return directory_->file(std::string(name)); }

  const Options& options_;
  const Scan& scan_;
  Ensemble& ensemble_;
  std::vector<History> histories_;
  std::vector<Massless> massless_;  ///< of each system
  Schedule diagnostics_, snapshots_;
  RunDirectory* directory_ = nullptr;
  std::optional<AppendedFile> times_;
  std::vector<std::pair<std::string, std::string>> files_;
  std::vector<std::string> notes_;
};

}  // namespace pleiad::run
