/// The outputs of a run on several ranks: files that rank 0 writes, with the bytes of one process, of bodies
/// that no rank has all of.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/checkpoint/appended_file.hpp"
#include "io/config/options.hpp"
#include "ranks/division.hpp"
#include "ranks/transport.hpp"
#include "run/accuracy.hpp"
#include "run/directory.hpp"
#include "run/energy_record.hpp"
#include "run/look.hpp"
#include "run/output_schedules.hpp"
#include "run/outputs.hpp"
#include "run/timings.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/diagnostics.hpp>
#include <pleiad/files.hpp>
#include <pleiad/simulation.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pleiad::run {

/// As Outputs, but everything is written before the steps go on. All calls are collective.
class RanksOutputs {
 public:
  /// Plans them and refuses what cannot be: nothing is written before `open`.
  RanksOutputs(const Options& options, Simulation& simulation, ranks::Transport& transport,
               const ranks::Division& division);
  /// `directory`: of rank 0, null elsewhere; it outlives this. `resumed`: see Outputs::open.
  void open(RunDirectory* directory, const Checkpoint* resumed, std::vector<std::string>& notes);

  /// Everything that is due at the simulation's present time; the diagnostics row if there is one.
  std::optional<Diagnostics> write_due(OutputTimes& waited);
  void write_trajectory();
  void follow_trails(bool due);
  const OutputSchedules& schedules() const { return schedules_; }
  Moment next() const { return schedules_.next(simulation_.clock()); }
  bool need_potentials(const Moment& moment) const {
    return schedules_.need_potentials(moment, snapshot_how_.format->wants_fields);
  }
  std::uint64_t steps_to_trajectory() const;
  /// A row of what all ranks have found alike.
  void write_accuracy(const ForceErrors& errors);
  /// Puts the tables on the disk and says in the checkpoint, on all ranks, how long they are and how pictures
  /// look.
  void save(Checkpoint& checkpoint);
  /// Plots and the movie.
  void finish();

  /// As this process has it, in the precision of the run from the start on.
  Snapshot state_now(bool fields);
  const EnergyRecord& energies() const { return energies_; }
  const Written& written() const { return written_; }

 private:
  bool leads() const { return directory_ != nullptr; }
  std::filesystem::path path(std::string_view name) const { return directory_->file(std::string(name)); }
  /// The name that rank 0 gives a file; empty elsewhere.
  std::filesystem::path name_of(const std::function<std::filesystem::path()>& make);
  void begin_accuracy(const Checkpoint* resumed, std::vector<std::string>* notes);
  void write_picture(const Snapshot& own);
  void write_snapshot_file(Snapshot&& own);
  void find_followed();

  const Options& options_;
  Simulation& simulation_;
  ranks::Transport& transport_;
  ranks::Division division_;
  RunDirectory* directory_ = nullptr;
  OutputSchedules schedules_;
  std::optional<AppendedFile> table_, trajectory_;  ///< of rank 0
  AccuracyTable accuracy_;                          ///< of rank 0
  /// Of the bodies that are followed, those of this rank: the place in the list, and among its bodies.
  struct Followed {
    std::size_t place, body;
  };
  std::vector<Followed> followed_;
  WriteOptions snapshot_how_;
  Look look_;
  Trails trails_;
  EnergyRecord energies_;
  Written written_;
};

}  // namespace pleiad::run
