/// The outputs of a run in its directory: a loop over its analyses. Rank 0 writes them; where several ranks
/// share the bodies, their bytes are those of one process.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/analysis.hpp"
#include "run/copies.hpp"
#include "run/schedule.hpp"
#include "sim/encounter_watch.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::run {

/// All calls are collective.
class Outputs {
 public:
  /// Plans all analyses, and `more`, and throws UsageError for impossible ones: nothing is written before
  /// `open`. `ranks` must outlive this object.
  Outputs(const Options& options, Simulation& simulation, ranks::Communicator& ranks,
          const ranks::Division& division, std::span<const Analysis* const> more = {});
  /// Makes the folders and tables; `resumed` truncates the tables to the bytes that belong to the checkpoint.
  /// Notes for the user are added to `notes`. `directory`: on rank 0, null on others. `watch` measures the
  /// force errors, if they are measured. Both must outlive this object.
  void open(RunDirectory* directory, const Checkpoint* resumed, std::vector<std::string>& notes,
            control::AccuracyMonitor* watch = nullptr);

  /// After each batch of steps: makes everything that is due at the simulation's present time. Rows at once;
  /// snapshots and pictures while the simulation makes further steps, in the order of their times, or, with
  /// several ranks, before this returns. Returns the diagnostics if they are due. Throws failures of earlier
  /// outputs that have not been thrown yet.
  std::optional<Diagnostics> write_due();
  /// Waits until all outputs that were due are written; throws their failure. Must precede calls that need
  /// the files.
  void wait() { copies_.wait(); }
  /// Takes measured force errors, which are the same on all ranks.
  void see(const ForceErrors& errors);
  /// Takes the encounters of a step, the same on all ranks.
  void take(std::span<const encounters::Event> events);
  /// The simulation has other bodies since the last call. All outputs that were due must be written.
  void bodies_changed(const ChangedBodies& changed, const ranks::Division& division);
  /// The moment until which all that was due is written; at first where the simulation stands.
  const Moment& written() const { return written_; }
  /// The run that is resumed has written until this moment.
  void continue_after(const Moment& written) { written_ = written; }
  /// The next moment after it at which anything is due.
  Moment next() const;
  /// Whether an output that is due then needs potentials.
  bool need_potentials(const Moment& moment) const;
  /// Steps until the next that is due by the number of steps; 0: none is.
  std::uint64_t steps_to_next() const;
  /// Number of future outputs of this analysis.
  std::size_t to_come(std::string_view analysis) const;
  /// All steps are done, and a checkpoint with all rows is on its way: begins what `finish` makes, beside it.
  /// On rank 0 only.
  void begin_finish();
  /// Makes the outputs that need all others, at the end or at a stop. On rank 0 only.
  void finish();

  /// Stores the results that were computed at once, and the lengths of the tables, in a checkpoint of the
  /// present state. The returned function writes all their lines to the disk, in any thread.
  std::function<void()> save(Checkpoint& checkpoint);
  /// Calls `write` with the checkpoint and the bodies of now, while the simulation steps on, when all that
  /// was due before is written. Throws as `write_due`.
  void write_checkpoint(Checkpoint checkpoint, std::function<void(const Checkpoint&)> write);

  const EnergyRecord& energies() const { return run_.energies; }
  const StepCriterion& criterion() const { return run_.criterion; }
  /// For the summary: see Output::files.
  Output::Files files() const;
  const Ending& ending() const { return ending_; }
  /// Seconds of the longest that was due at one time and is written.
  double slowest() const { return slowest_; }
  /// Seconds that the steps waited for outputs, and that outputs took concurrently; after `wait`.
  const OutputTimes& waited() const { return waited_; }
  OutputTimes beside() const;

 private:
  /// The queue of an analysis that has had work: none, that with copies of the bodies, or that without.
  enum class Line { none, copies, alone };
  struct Entry {
    const Analysis* analysis;
    Times times;
    std::optional<Schedule> schedule;  ///< of those that are due at times
    std::unique_ptr<Output> output{};
    Line line = Line::none;
    double beside = 0;  ///< seconds
    bool due(const Moment& moment) const { return times.on && schedule && schedule->due(moment); }
    /// 0: it is not due by the number of steps.
    std::uint64_t every() const { return times.on ? times.steps : 0; }
  };
  struct Job {
    Entry* entry;
    Output::Task task;
  };
  void add(const Analysis& analysis);
  void start(std::vector<Job> jobs);
  void work(std::span<const Job> jobs, Snapshot& snapshot);
  std::vector<Entry*> in(Line line);
  void save_found(Checkpoint& checkpoint, const std::vector<Entry*>& entries);

  AnalysedRun run_;
  std::vector<Entry> entries_;
  Moment written_;
  Ending ending_;
  bool finish_begun_ = false;
  OutputTimes waited_;
  double beside_of_checkpoints_ = 0;
  std::atomic<double> slowest_ = 0;
  Copies copies_;  ///< last, because its work uses the other members
};

}  // namespace pleiad::run
