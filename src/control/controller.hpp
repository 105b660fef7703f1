/// A simulation that keeps a requested accuracy by itself, for programs that use the library without a run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/start.hpp"

#include <pleiad/simulation.hpp>

#include <string>
#include <string_view>

namespace pleiad::control {

/// It is planned and measured before its first step; while it steps its forces are measured every so many
/// steps, a tree's settings are tightened and a better precision is taken where the error has grown too
/// large, as in a run, to the same bits. What is mended is told. Errors as accurate_start; run_towards throws
/// NumericalError when nothing better is left.
Simulation accurate_simulation(const EngineOptions& options, Snapshot initial, const Gravity& gravity,
                               const Method& method, const Demand& demand,
                               const tune::TuningContext& tuning_context, const Note& note = {});

/// Has a simulation that was saved kept as before, by the text of its controller: the same checks at the same
/// steps, to the same bits. `engine`: with which it goes on. InputError, which begins with `where`, for a
/// text that no controller has written.
void resume_control(Simulation& simulation, const std::string& text, EngineOptions engine, const Note& note,
                    std::string_view where);

}  // namespace pleiad::control
