/// Starts a simulation with the requested force accuracy, in the precision that it needs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/engine.hpp"
#include "control/roughness.hpp"

#include <pleiad/simulation.hpp>

#include <functional>
#include <optional>
#include <string>

namespace pleiad::control {

/// One check of the forces: its sample and the errors.
struct AccuracyCheck {
  Sample sample;
  ForceErrors errors;
};

/// Called with notes for the user.
using Note = std::function<void(const std::string&)>;

/// Settles the engine of these bodies, as resolved_engine does.
using Settle = std::function<EngineOptions(const EngineOptions&, const Bodies&,
                                           std::optional<MeasuredSample>& drawn, const Note& note)>;

struct AccurateStart {
  Simulation simulation;
  EngineOptions engine;  ///< its precision is the one that was found to do
  AccuracyCheck first;
};
/// Makes a simulation in the precision of the options, or in a better one, which is reported. NumericalError
/// if none is left and the errors are too large. Bodies are never copied.
AccurateStart accurate_start(EngineOptions options, Snapshot initial, const Gravity& gravity,
                             const Method& method, const Demand& demand, const Settle& settle,
                             const Note& note);

/// The engine that goes on from here in a better precision: the same method, or that of the table when
/// `options` name none, never one that was measured, so that another run takes the same. NumericalError when
/// there is none.
EngineOptions better_engine(EngineOptions options, const Simulation& simulation, const ForceErrors& errors,
                            const Limits& limits);

}  // namespace pleiad::control
