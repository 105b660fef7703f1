/// The events of a run, as values. The caller of the run prints them or uses them
/// otherwise.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"
#include "run/ensemble/summary.hpp"
#include "run/summary.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/simulation.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pleiad::run {

/// A run before its first step. The references are valid during the call.
struct Started {
  const Options& options;  ///< resolved: nothing is "auto" any more
  std::size_t count = 0;   ///< bodies, or systems of an ensemble
  double time = 0;         ///< of an ensemble, the mean
  const Method& method;    ///< of an ensemble, that of its first system
  EngineDescription engine;
  const std::string& why_precision;       ///< was chosen; "" where it is stated or as usual
  const std::vector<std::string>& notes;  ///< notes for the user before the run
};

struct Progress {
  double time = 0;
  double interactions = 0;                        ///< ordered pairs since the start
  double seconds = 0;                             ///< of the steps since the start
  std::optional<double> steps{}, energy_error{};  ///< of one system: steps since the start, dE/E of now
};

/// Gets reports of a run. All calls come from the thread of the run, none while steps are made.
class Observer {
 public:
  virtual ~Observer() = default;
  /// Called when kernels or solvers are being measured: a description, and whether it is the first message of
  /// a measurement.
  virtual void tuning(const std::string& /*what*/, bool /*begins*/) {}
  virtual void started(const Started&) {}
  /// Called with a note for the user, of one sentence.
  virtual void note(const std::string&) {}
  /// After each batch of steps. `now` takes a moment: it need not be called.
  virtual void progressed(const std::function<Progress()>& /*now*/) {}
  /// Called at the end or at a stop, after all outputs are written.
  virtual void finished(const SystemSummary&) {}
  virtual void finished(const EnsembleSummary&) {}
};

}  // namespace pleiad::run
