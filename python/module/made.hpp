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

/// From the snapshot, or without one from what the settings name: "section.key=value" each, as the command's
/// --set takes them. Errors are those of the command.
Simulation made(const std::vector<std::string>& settings, std::optional<Snapshot> given,
                const tune::TuningContext& tuning_context, const control::Note& note);

}  // namespace pleiad::python
