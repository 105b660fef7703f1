/// Analyses of a run: descriptors with schedule, needs and outputs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "encounters/event.hpp"
#include "io/checkpoint/appended_file.hpp"
#include "io/config/options.hpp"
#include "ranks/division.hpp"
#include "ranks/self.hpp"
#include "render/render.hpp"
#include "run/directory.hpp"
#include "run/energy_record.hpp"
#include "run/step_criterion.hpp"
#include "run/timings.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/checkpoint.hpp>
#include <pleiad/diagnostics.hpp>
#include <pleiad/files.hpp>
#include <pleiad/simulation.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pleiad::control {
class AccuracyMonitor;
}

namespace pleiad::run {

/// When an analysis is due: at the start and the end of the run, at each `interval` (0: none) and at `times`;
/// or, with `steps`, whenever the number of steps is a multiple of it.
struct Times {
  bool on = true;          ///< the options request it
  std::string_view key{};  ///< of `interval`, for messages
  double interval = 0;
  std::string_view times_key{};
  std::vector<double> times{};
  std::uint64_t steps = 0;
};

struct ClusterNow;

/// A run as its analyses see it.
struct AnalysedRun {
  const Options& options;
  Simulation& simulation;
  ranks::Communicator& ranks;                   ///< that share the bodies
  ranks::Division division;                     ///< of the bodies now
  EnergyRecord energies;                        ///< of the diagnostics
  StepCriterion criterion{};                    ///< at their rows
  std::optional<Diagnostics> row{};             ///< of the present moment, if they are due
  std::shared_ptr<const ClusterNow> cluster{};  ///< of the present moment, once `cluster_now` has been called
  RunDirectory* directory = nullptr;            ///< of rank 0, null elsewhere
  control::AccuracyMonitor* watch = nullptr;    ///< of the force errors, which are then measured
  bool leads() const { return ranks.rank() == 0; }
};

/// The outputs that are made after the last step.
struct Ending {
  Making how{};
  std::vector<std::string> notes{};  ///< outputs that could not be made, with the reason
  std::string stopped_by{};          ///< the signal that came meanwhile, after which no more is made
  /// Returns whether make(why) has made `what`; if not, adds a note with the reason.
  bool made(const char* what, const std::function<bool(std::string& why)>& make);
};
/// Options of the snapshot files of a run. box_size < 0: that of the first one is kept. UsageError for units
/// that the first snapshot cannot be converted to, and for a format that cannot store it. Collective: each
/// rank has some of its bodies.
WriteOptions write_options_of(const Options& options, const Snapshot& first,
                              ranks::Communicator& ranks = ranks::self());
/// Other programs put their pictures into the directory as this run does, and end with the first signal.
Making making_in(RunDirectory& directory);

/// An analysis of one run, with its state between outputs. All calls are collective and come from the thread
/// that makes the steps, unless stated otherwise.
class Output {
 public:
  explicit Output(AnalysedRun& run) : run_(run) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  virtual ~Output() = default;

  /// Work on one moment, done while the simulation steps on; with several ranks, before it does.
  struct Task {
    /// The copy of the bodies that the task needs: none, one that is read, or one that may be changed.
    enum class Copy { none, read, changed };
    Copy copy = Copy::none;
    bool fields = false;  ///< with accelerations and potentials
    /// The deferred work. Collective. Called with the bodies of this rank at that moment, or with an empty
    /// snapshot. Empty: the task is complete. After an exception from it no later outputs are written.
    std::function<void(Snapshot&)> work{};
  };

  /// Makes its folders and its table. `resumed`: the checkpoint where the run goes on. On rank 0 alone.
  virtual void open(const Checkpoint* /*resumed*/, std::vector<std::string>& /*notes*/) {}
  /// Restores the state that `save` and `save_after_work` have stored.
  virtual void restore(const Checkpoint&) {}
  /// Whether it needs potentials when it is due, which the last step before may compute with its forces.
  virtual bool needs_potentials() const { return false; }
  /// A batch of steps is made. `due`: the clock has come to where any analysis is due.
  virtual void stepped(bool /*due*/) {}
  /// The force errors that were measured now.
  virtual void see(const ForceErrors&) {}
  /// The encounters of a step.
  virtual void take(std::span<const encounters::Event>) {}
  /// Bodies have merged or are gone: those of the simulation and the division are the new ones. All work that
  /// was begun is done.
  virtual void bodies_changed() {}
  /// Called when the analysis is due: does short work at once, and returns the rest. Either all tasks of an
  /// analysis take a copy, or none.
  virtual Task begin() { return {}; }
  /// Stores results that were computed at once in a checkpoint of the present state; the length of the table
  /// is stored by the caller.
  virtual void save(Checkpoint&) const {}
  /// Stores results of the deferred work so far. Called in the thread of that work.
  virtual void save_after_work(Checkpoint&) const {}
  /// Called when all steps are done and all rows are written, while other outputs may still be made: begins
  /// what `finish` ends, and writes no file. Not called at a stop. On rank 0 only.
  virtual void begin_finish(const Ending&) {}
  /// Called at the end or at a stop, after all other outputs are written. On rank 0 only.
  virtual void finish(Ending&) {}
  /// Files for the summary: a description, and the file name, "" if there is none.
  using Files = std::vector<std::pair<std::string, std::string>>;
  virtual Files files() const { return {}; }

  /// The table, on rank 0. Rows are appended either at once or in the deferred work.
  std::optional<AppendedFile>& table() { return table_; }

 protected:
  /// Begins the table, or continues it with the bytes that belong to the checkpoint of a resumed run. A lost
  /// table is begun anew, with a note: missing rows of the past must not end a run that can continue.
  void open_table(std::string_view name, const Checkpoint* resumed, std::vector<std::string>& notes,
                  std::initializer_list<std::string_view> header);

  AnalysedRun& run_;
  std::optional<AppendedFile> table_;
};

/// An analysis. Each stands at the end of its file in src/run/analyses.
struct Analysis {
  std::string_view name;                              ///< also the name of its table in the summary
  std::span<const std::string_view> keys;             ///< of the configuration, that it reads
  std::string_view table{};                           ///< the file it appends rows to; "": none
  std::span<const std::string_view> files{};          ///< its other files; "pictures/frame_*" is a series
  double OutputTimes::*seconds = &OutputTimes::rows;  ///< the entry of the timings to which its time is added
  bool at_end = false;  ///< is made when all steps are done: its keys may change when a run is resumed
  Times (*times)(const Options&) = nullptr;  ///< null: it is never due
  /// makes the output of a run; UsageError if the bodies do not allow it
  std::unique_ptr<Output> (*make)(AnalysedRun&) = nullptr;
};
template <class T>
std::unique_ptr<Output> make_output(AnalysedRun& run) {
  return std::make_unique<T>(run);
}

/// All of them, in the order in which they are made.
std::span<const Analysis* const> analyses();

}  // namespace pleiad::run
