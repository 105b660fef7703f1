/// A complete run: from options or a checkpoint to outputs; it can stop and resume at any step.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"
#include "run/end.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace pleiad {
class Claims;
}
namespace pleiad::ranks {
class Communicator;
}

namespace pleiad::run {

struct Analysis;
class Observer;
class Viewer;

struct Request {
  Options options;
  std::optional<std::filesystem::path>
      resume;  ///< continue the run in this directory; `options` are then not used
  std::vector<std::string>
      resume_settings;               ///< "section.key=value" that may change on the way: see resumable_keys()
  std::vector<std::string> notes{};  ///< for the user before the first step, such as former names of keys
  bool accept_other_build = false;   ///< resume although program version, vector unit or kernel differ:
                                     ///< results then agree, bits may not
  std::string provenance{};          ///< a line for the manifest of a new run: see branch.hpp
  /// The hash of the state that a run on a lattice is to reach, if it goes back through another one.
  std::string back_to{};
  bool overwrite = false;                ///< start anew in a directory that holds a run
  Observer* observer = nullptr;          ///< gets reports, and must outlive the run
  const Claims* claims = nullptr;        ///< other inputs and outputs of the command; must outlive the run
  Viewer* viewer = nullptr;              ///< looks at the bodies of a run of one system, and outlives the run
  std::filesystem::path cache{};         ///< of the tuner and the planner; empty: nothing is kept
  ranks::Communicator* ranks = nullptr;  ///< that share the bodies; null: this process alone
  std::span<const Analysis* const> more_analyses{};  ///< of a run of one system, after all of analysis.hpp
};

/// Keys that may be changed when a run is resumed, since they do not touch the steps already done.
std::vector<std::string> resumable_keys();

/// Runs to the end or to a stop. End::done or End::stopped; everything else is an Error.
End execute(const Request& request);

/// Throws the errors that `execute` would throw before it claims the directory of a new run, those of the
/// directory included; nothing is written and no kernel is measured.
void check(const Request& request);

/// Time and resources that a run would need.
struct Forecast {
  std::size_t bodies = 0, snapshots = 0, rows = 0, pictures = 0;
  std::size_t ranks = 1;
  std::size_t bytes = 0;            ///< of the rank that needs most
  std::size_t available_bytes = 0;  ///< for each rank of the host that has least
  EngineDescription engine;
  std::string why_precision{};  ///< was chosen; "" where it is stated or as usual
  bool tree = false;            ///< finds the forces
  bool at_least = false;        ///< adaptive: `steps` is the number if no step is shortened
  bool in_blocks = false;       ///< `evaluations` are those of all bodies, without those of shorter steps
  double steps = 0, evaluations = 0, evaluation_seconds = 0, disk_bytes = 0;
  double diagnostic_seconds = 0;  ///< of one row or snapshot: an evaluation with potentials
  std::string note{};             ///< what `execute` would need besides; "": nothing
  double seconds() const {
    return evaluations * evaluation_seconds + double(rows + snapshots) * diagnostic_seconds;
  }
};
/// Estimates a run of one system from some measured evaluations; nothing is written. Throws the errors of
/// `execute`.
Forecast estimate(const Request& request);

/// Time and resources of an ensemble, whose systems are made, and their first steps timed.
struct EnsembleForecast {
  std::size_t systems = 0, points = 0;  ///< of the scan
  std::size_t bodies = 0;               ///< of the first system
  std::size_t bytes = 0, available_bytes = 0, diagnosed = 0;
  EngineDescription engine;
  std::string why_precision{};
  bool at_least = false;
  double steps = 0, step_seconds = 0;  ///< one step of every system
  double interactions_per_second = 0;
  std::string note{};  ///< see Forecast
  double seconds() const { return steps * step_seconds; }
};
/// What `execute` would need and take; nothing is written. A directory that it would refuse is refused, but
/// for one that holds a run, of which a note tells.
std::variant<Forecast, EnsembleForecast> forecast(const Request& request);

}  // namespace pleiad::run
