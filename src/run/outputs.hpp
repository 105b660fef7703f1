/// The outputs of a run in its directory: snapshots, the diagnostics table, trajectories, pictures, plots, a
/// movie. Rank 0 writes them; where several ranks share the bodies, their bytes are those of one process.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/splat.hpp"
#include "io/checkpoint/appended_file.hpp"
#include "io/config/options.hpp"
#include "ranks/division.hpp"
#include "ranks/self.hpp"
#include "render/layers.hpp"
#include "render/render.hpp"
#include "run/accuracy.hpp"
#include "run/copies.hpp"
#include "run/directory.hpp"
#include "run/energy_record.hpp"
#include "run/look.hpp"
#include "run/output_schedules.hpp"
#include "run/timings.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/diagnostics.hpp>
#include <pleiad/error.hpp>
#include <pleiad/files.hpp>
#include <pleiad/simulation.hpp>

#include <atomic>
#include <filesystem>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pleiad::run {

/// The names of what was written, for the summary.
struct Written {
  std::string first_picture, last_picture, first_snapshot, last_snapshot, energy_plot, radii_plot, movie,
      diagnostics, trajectory, accuracy;
  std::vector<std::string> notes;  ///< what could not be made, and why
  std::string stopped_by;          ///< the signal that came while they were made, which ended that
};

/// How the snapshots of a run are written. box_size < 0: that of its first snapshot is kept. Refuses units
/// that the first one cannot be converted to, and a format that cannot hold it. `ranks`: each has some of its
/// bodies, and the call is collective.
WriteOptions write_options_of(const Options& options, const Snapshot& first,
                              ranks::Transport& ranks = ranks::self());
/// Other programs put their pictures into the directory as this run does, and end with the first signal.
Making making_in(RunDirectory& directory);
/// What is asked for in the diagnostics and pictures that are there: plots and a movie.
void finish_pictures(const Options& options, RunDirectory& directory, Written& written);
UsageError no_body_to_follow(std::uint64_t id, std::uint64_t least, std::uint64_t most);

/// All calls are collective.
class Outputs {
 public:
  /// Plans them and refuses what cannot be: nothing is written before `open`. `ranks` outlive this.
  Outputs(const Options& options, Simulation& simulation, ranks::Transport& ranks,
          const ranks::Division& division);
  /// Makes the folders and tables; `resumed` truncates the tables to the bytes that belong to the checkpoint.
  /// What the user should know goes to `notes`. `directory`: of rank 0, null elsewhere; it outlives this.
  void open(RunDirectory* directory, const Checkpoint* resumed, std::vector<std::string>& notes);

  /// Everything that is due at the simulation's present time: rows at once; snapshots and pictures while the
  /// simulation steps on, one time's after the other's, or, with several ranks, before this returns. Returns
  /// the diagnostics row if there is one, which needs no copy of the bodies. Throws what failed of an earlier
  /// time and had not yet then.
  std::optional<Diagnostics> write_due();
  /// Until all that was due is written; throws what failed. Before what asks for files to be there.
  void wait() { copies_.wait(); }
  /// The trajectory of the chosen bodies, if this step is one of its steps.
  void write_trajectory();
  /// Remembers where few bodies are now, for the trails in the pictures. `due`: outputs are due now.
  void follow_trails(bool due);
  /// The next moment at which anything is due.
  Moment next() const { return schedules_.next(simulation_.clock()); }
  /// Whether what is due then needs potentials: a row, or a snapshot with fields.
  bool need_potentials(const Moment& moment) const {
    return schedules_.need_potentials(moment, needs_fields());
  }
  /// Steps until the next trajectory row; 0: no trajectory.
  std::uint64_t steps_to_trajectory() const;
  /// A row of the table of force errors, which the first one makes. All ranks have found the same errors.
  void write_accuracy(const ForceErrors& errors);
  /// Plots and the movie, at the end or at a stop. On rank 0 alone.
  void finish();

  /// What a checkpoint of now needs of the tables: their lengths, when the system has all their lines. What
  /// is returned puts these on the disk, in any thread.
  std::function<void()> save(Checkpoint& checkpoint);
  /// Calls `write` with the checkpoint and the bodies of now, while the simulation steps on, when all that
  /// was due before is written. Throws as `write_due`.
  void write_checkpoint(Checkpoint checkpoint, std::function<void(const Checkpoint&)> write);

  const OutputSchedules& schedules() const { return schedules_; }
  const EnergyRecord& energies() const { return energies_; }
  const Written& written() const { return written_; }
  /// Seconds of the longest that was due at one time and is written.
  double slowest() const { return slowest_; }
  /// Seconds that the steps waited for all this, and that it took beside them; after `wait`.
  const OutputTimes& waited() const { return waited_; }
  OutputTimes beside() const { return copies_.concurrent() ? beside_ : OutputTimes{}; }

 private:
  /// What is due at one time, and the names of its files on rank 0.
  struct Due {
    bool has_snapshot = false, has_picture = false;
    std::filesystem::path snapshot, picture;
    AtomicWrite snapshot_how, picture_how;
    Trails trails;                          ///< of the picture
    std::function<splat::Layers()> layers;  ///< of the picture, where the engine lays them
    bool needs_bodies() const { return has_snapshot || (has_picture && !layers); }
  };
  bool leads() const { return ranks_.rank() == 0; }
  std::filesystem::path path(std::string_view name) const { return directory_->file(std::string(name)); }
  bool needs_fields() const { return snapshot_how_.format->wants_fields; }
  void open_files(const Checkpoint* resumed, std::vector<std::string>& notes);
  /// What is due now besides rows.
  Due files_due();
  void name_files(Due& due);
  void write(Due& due, Snapshot& snapshot);
  void write_files(Due& due, Snapshot& snapshot);
  void write_snapshot_file(const Due& due, Snapshot&& snapshot);
  void write_picture(Due& due, const Snapshot& snapshot);
  std::function<splat::Layers()> begin_layers();
  std::shared_future<std::string> view_then();
  /// Units and box of all snapshots of the run.
  void settle_snapshots();
  /// Of the bodies that the user follows, one of this rank: its place in the list, and among this rank's.
  struct Followed {
    std::size_t place, body;
  };
  std::vector<Followed> trajectory_bodies();
  void begin_accuracy(const Checkpoint* resumed, std::vector<std::string>* notes);

  const Options& options_;
  Simulation& simulation_;
  ranks::Transport& ranks_;
  const ranks::Division division_;
  RunDirectory* directory_ = nullptr;
  OutputSchedules schedules_;
  std::optional<AppendedFile> table_, trajectory_;  ///< of rank 0
  AccuracyTable accuracy_;                          ///< of rank 0
  std::vector<Followed> followed_;
  WriteOptions snapshot_how_;
  Look look_;
  std::optional<splat::Shine> shine_;  ///< of the bodies, where the engine lays their light
  Frame frame_;                        ///< of all pictures, but for the time
  Trails trails_;                      ///< of rank 0, which has all of few bodies
  EnergyRecord energies_;
  Written written_;
  OutputTimes waited_, beside_;
  std::atomic<double> slowest_ = 0;
  Copies copies_;  ///< last: what is done with them uses the others
};

}  // namespace pleiad::run
