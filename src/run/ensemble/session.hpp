/// The run of an ensemble: everything that can be refused first, then its directory, then its steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/ensemble/outputs.hpp"
#include "run/life.hpp"

#include <pleiad/ensemble.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pleiad::run {

class EnsembleSession {
 public:
  /// Scan, systems and outputs, all checked; nothing is written. `request` outlives it.
  EnsembleSession(const Request& request, std::optional<Resumed> resumed);

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
  const Scan& scan() const { return *scan_; }
  Ensemble& ensemble() { return *ensemble_; }
  const EnsembleOutputs& outputs() const { return *outputs_; }

 private:
  void begin();
  void resume();
  void need_whole_steps() const;
  void announce() const;
  double mean_time() const;
  void advance();
  void checkpoint(bool wanted_at_stop);
  void write_checkpoint();
  Exit finish(const std::string& stopped_by);

  Life life_;
  const Options& options_ = life_.options;
  std::optional<Scan> scan_;
  std::optional<Ensemble> ensemble_;
  std::optional<EnsembleOutputs> outputs_;
  Moment reached_;  ///< all systems that are going have reached it, and what was due there is written
  std::uint64_t batch_ = 1;
  std::optional<std::uint64_t> saved_step_;  ///< of the newest checkpoint
};

/// Makes its first steps, which take time.
EnsembleForecast foresee(EnsembleSession& session);

}  // namespace pleiad::run
