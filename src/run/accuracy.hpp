/// The accuracy checks of a run: their table, and their sample as stored in checkpoints.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/watch.hpp"
#include "io/checkpoint/appended_file.hpp"
#include "run/directory.hpp"

#include <pleiad/checkpoint.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::run {

inline constexpr std::string_view accuracy_name = "accuracy.txt";
/// The table of the force errors of a run.
class AccuracyTable {
 public:
  bool begun() const { return table_.has_value(); }
  /// See open_table.
  void begin(RunDirectory& directory, const Checkpoint* resumed, double time,
             std::vector<std::string>* notes);
  /// A row of now, once it has begun.
  void add(const Simulation& simulation, const ForceErrors& errors);
  std::optional<AppendedFile>& file() { return table_; }

 private:
  std::optional<AppendedFile> table_;
  std::string last_row_;  ///< of the run that is resumed, with its end
};

/// What a resumed run must know of its checks.
void save_watch(const control::AccuracyWatch& watch, Checkpoint& checkpoint);
/// Of a run of n bodies; nothing when there is none. InputError when it names others.
void restore_watch(control::AccuracyWatch& watch, const Checkpoint& checkpoint, std::size_t n);

}  // namespace pleiad::run
