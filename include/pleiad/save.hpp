/// Saves a simulation between two steps, and continues it bit for bit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/context.hpp>
#include <pleiad/simulation.hpp>

#include <filesystem>

namespace pleiad {

/// Writes a checkpoint of the present state to an existing folder, with two generations (see
/// save_checkpoint). Observers and user forces are not saved. May make a force evaluation, for the reference
/// energy. UsageError if the folder has a run of the command, ResourceError if the checkpoint cannot be
/// written.
void save(Simulation& simulation, const std::filesystem::path& folder);
/// Loads the simulation that was saved in a folder, with its force method and its controller of the accuracy.
/// InputError if there is no complete checkpoint, or if it is that of a run of the command; UsageError or
/// ResourceError if its method cannot be used on this machine. On another device or with another version the
/// result may differ in its last bits; `context.note` then gets a note.
Simulation load(const std::filesystem::path& folder, const Context& context = {});

}  // namespace pleiad
