/// Simulations that settings of the configuration describe, as the command starts them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/start.hpp"
#include "tune/tuning.hpp"

#include <pleiad/simulation.hpp>
#include <pleiad/snapshot.hpp>

#include <optional>
#include <string>
#include <vector>

namespace pleiad::python {

/// Makes a simulation of the snapshot, or without one of the source that the settings name:
/// "section.key=value" each, as for the command's --set. Errors are those of the command.
Simulation made(const std::vector<std::string>& settings, std::optional<Snapshot> given,
                const tune::TuningContext& tuning_context, const control::Note& note);

}  // namespace pleiad::python
