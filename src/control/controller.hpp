/// A simulation that keeps a requested accuracy by itself, for programs that use the library without a run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/start.hpp"

#include <pleiad/simulation.hpp>

#include <string>
#include <string_view>

namespace pleiad::control {

/// Makes a simulation that controls its accuracy. The method is planned and measured before the first step.
/// During the steps the force errors are measured at intervals; if they have grown too large, the settings of
/// a tree are tightened or a better precision is taken, as in a run, with the same result, bit for bit.
/// `note` reports each correction. Errors as accurate_start; run_towards throws NumericalError if there is no
/// better method.
Simulation accurate_simulation(const EngineOptions& options, Snapshot initial, const Gravity& gravity,
                               const Method& method, const Demand& demand,
                               const tune::TuningContext& tuning_context, const Note& note = {});

/// Has a simulation that was saved kept as before, by the text of its controller: the same checks at the same
/// steps, to the same bits. `engine`: with which it goes on. InputError, which begins with `where`, for a
/// text that no controller has written.
void resume_control(Simulation& simulation, const std::string& text, EngineOptions engine, const Note& note,
                    std::string_view where);

}  // namespace pleiad::control
