/// The state of a simulation as a value, as `save` writes it and `load` reads it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/checkpoint.hpp>
#include <pleiad/context.hpp>
#include <pleiad/simulation.hpp>

#include <filesystem>
#include <string>

namespace pleiad {

/// Without observers and user force.
Checkpoint checkpoint_of(Simulation& simulation);
/// Writes it where `load` finds it. UsageError for the folder of a run.
void save_state(const Checkpoint& checkpoint, const std::filesystem::path& folder);
/// The simulation with its kernels; errors and notes as those of `load`, and they begin with `origin`.
Simulation simulation_of(Checkpoint checkpoint, const std::string& origin, const Context& context);

}  // namespace pleiad
