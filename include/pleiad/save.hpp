/// Saves a simulation between two steps, and continues it bit for bit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/context.hpp>
#include <pleiad/simulation.hpp>

#include <filesystem>

namespace pleiad {

/// Writes a checkpoint to an existing folder, with two generations (see save_checkpoint); without observers.
void save(Simulation& simulation, const std::filesystem::path& folder);
/// Loads the simulation that was saved in a folder, with its kernels; its accuracy is watched as before.
/// InputError if there is no complete checkpoint, or if it is that of a run; UsageError or ResourceError if
/// its kernels cannot be used here. On another device or with another version the bits may differ;
/// `context.note` then gets a note.
Simulation load(const std::filesystem::path& folder, const Context& context = {});

}  // namespace pleiad
