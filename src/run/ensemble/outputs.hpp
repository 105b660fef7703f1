/// What the run of an ensemble leaves in its directory: two tables, snapshots of chosen systems, final
/// states, a plot.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/ensemble/scan.hpp"
#include "run/schedule.hpp"

#include <pleiad/appended_file.hpp>
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
  /// Plans them and refuses what cannot be: nothing is written before `open`.
  EnsembleOutputs(const Options& options, const Scan& scan, Ensemble& ensemble,
                  std::vector<History> histories);
  void open(const Checkpoint* resumed);

  /// The next time after `time` at which anything is due.
  double next_after(double time) const;
  /// Everything that is due at `time`, which all systems have reached. A look retires systems that are no
  /// longer finite or whose energy is wrong.
  void write_due(double time);
  /// Final states, table and plot, at the end or at a stop.
  void finish(bool at_end);
  /// Bytes of the appended file that are safely on disk.
  void save(Checkpoint& checkpoint);

  const std::vector<History>& histories() const { return histories_; }
  /// Files by what they are, as far as they have been written.
  const std::vector<std::pair<std::string, std::string>>& files() const { return files_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void look();
  void write_snapshots(double time);
  WriteOptions how() const;
  std::filesystem::path path(std::string_view name) const { return directory_ / name; }

  const Options& options_;
  const Scan& scan_;
  Ensemble& ensemble_;
  std::vector<History> histories_;
  Schedule looks_, snapshots_;
  std::filesystem::path directory_;
  std::optional<AppendedFile> times_;
  std::vector<std::pair<std::string, std::string>> files_;
  std::vector<std::string> notes_;
};

}  // namespace pleiad::run
