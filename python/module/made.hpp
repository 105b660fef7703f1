/// Simulations that settings of the configuration describe, as the command starts them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/start.hpp"
#include "module/parts.hpp"
#include "tune/tuning.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/files.hpp>
#include <pleiad/simulation.hpp>
#include <pleiad/snapshot.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pleiad::python {

/// What the user should know of a simulation, as it comes up.
using Notes = std::shared_ptr<std::vector<std::string>>;
inline control::Note into(const Notes& notes) {
  return [notes](const std::string& text) { notes->push_back(text); };
}

/// Measurements tell `progress`, which outlives them, unless it is none, and end with Ctrl-C.
inline tune::TuningContext interruptible(const std::string& cache, const nb::object& progress) {
  tune::TuningContext tuning_context;
  tuning_context.cache = cache;
  // By reference: copies of this function are made without the GIL.
  tuning_context.progress = [&progress](const std::string& what) {
    const nb::gil_scoped_acquire python;
    obey_signals();
    if (!progress.is_none()) progress(what);
  };
  return tuning_context;
}

/// What is asked for of the engine and the solver, and where measurements are kept.
struct Asked {
  std::vector<std::string> settings{};
  std::string cache{};
};

/// From the snapshot, or without one from what the settings name: "section.key=value" each, as the command's
/// --set takes them. Errors are those of the command. `universe`: that of a comoving snapshot, whose time is
/// the scale factor; the simulation then has the time ln a and momenta a^2 dx/dt.
Simulation made(const std::vector<std::string>& settings, std::optional<Snapshot> given,
                const std::optional<ComovingUniverse>& universe, const tune::TuningContext& tuning_context,
                const control::Note& note);

/// The simulation that goes on in place of `now`: its bodies or others, with its law, its method, and what of
/// `asked` concerns the engine and the solver, as changed by the settings of `change`; at its time and step,
/// and with its observers. The energy that the change adds is added to its reference energy.
Simulation made_again(Simulation& now, const std::vector<std::string>& asked,
                      const std::vector<std::string>& change, std::optional<Snapshot> others,
                      const tune::TuningContext& tuning_context, const control::Note& note);

/// Writes `asked` into a checkpoint, for settings_in.
void keep_settings(Checkpoint& checkpoint, const std::vector<std::string>& asked);
/// What keep_settings has written; of a checkpoint without it the precision and the kernel.
std::vector<std::string> settings_in(const Checkpoint& checkpoint);
/// Writes the universe of comoving bodies into a checkpoint, for universe_in.
void keep_universe(Checkpoint& checkpoint, const ComovingUniverse& universe);
/// What keep_universe has written; empty: the bodies are in static space. InputError, with `origin`, for
/// other text.
std::optional<ComovingUniverse> universe_in(const Checkpoint& checkpoint, const std::string& origin);
/// engine.threads of these.
int threads_in(const std::vector<std::string>& settings);

}  // namespace pleiad::python
