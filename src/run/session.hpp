/// The run of one system: everything that can be refused first, then its directory, then its steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/accuracy.hpp"
#include "run/kernel.hpp"
#include "run/life.hpp"
#include "run/outputs.hpp"

#include <pleiad/simulation.hpp>

#include <cstdint>
#include <exception>
#include <future>
#include <optional>
#include <string>

namespace pleiad::run {

class Session {
 public:
  /// Bodies, law, method, kernels and outputs, all checked; nothing is written. `measure`: whether kernels
  /// may be measured to find the fastest, and whether the precision is checked that many bodies need.
  /// `request` outlives it.
  Session(const Request& request, std::optional<Resumed> resumed, bool measure = true);

  /// Claims the directory of a new run, and opens the outputs there.
  void take();
  /// From here to the end or to a stop.
  Exit loop();
  /// What to add to an error that ends the run: where it can be continued, or nothing.
  std::string way_on() const;
  /// ResourceError when the directory of the run is no longer the one that it took.
  void need_same_directory() { life_.directory().need_same(); }

  /// Files that the run begins with.
  Paths inputs() const;
  const Options& options() const { return options_; }
  const EngineOptions& engine() const { return engine_; }
  Simulation& simulation() { return *simulation_; }
  const Outputs& outputs() const { return *outputs_; }
  /// Where the run ends.
  const Moment& end() const { return end_; }

 private:
  /// What became of a checkpoint, and when, by Life::elapsed().
  struct Saved {
    std::exception_ptr failure;
    double until = 0;
  };
  /// A checkpoint on its way to the disk.
  struct Saving {
    std::uint64_t step = 0;
    double since = 0;
    bool must = false;
    std::future<Saved> saved;  ///< broken when what failed before it has kept it from being written
  };

  void begin();
  void resume();
  double evaluations_from(double time) const;
  void find_end();
  void first_outputs();
  void announce() const;
  std::uint64_t batch_limit() const;
  bool advance();
  void write_due(bool all);
  void check_health(const std::optional<Diagnostics>& row);
  void check_finite();
  void look_at_accuracy();
  void take_better_precision();
  [[noreturn]] void throw_not_finite();
  bool checkpoint_due() const;
  void checkpoint(bool at_stop);
  void settle_checkpoint(bool ending = false);
  Exit step_to_the_end();
  void show_progress();
  Exit finish(const std::string& stopped_by);

  bool measure_;
  Life life_;
  const Options& options_ = life_.options;
  EngineOptions engine_;
  Moment end_;
  std::optional<Saving> saving_;
  std::optional<Simulation> simulation_;
  std::optional<Outputs> outputs_;
  std::optional<control::AccuracyWatch> accuracy_;
  std::optional<control::Looked> first_look_;
  double step_seconds_ = 0;
  std::uint64_t start_step_ = 0, start_evaluations_ = 0, last_save_step_ = 0;
  std::optional<std::uint64_t> good_step_;  ///< of the newest checkpoint
};

}  // namespace pleiad::run
