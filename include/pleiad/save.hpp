/// A simulation on the disk: saved between two steps, and continued bit for bit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/context.hpp>
#include <pleiad/simulation.hpp>

#include <filesystem>

namespace pleiad {

/// A checkpoint in an existing folder, in two generations: see save_checkpoint. Observers are not saved.
void save(Simulation& simulation, const std::filesystem::path& folder);
/// The simulation that was saved there, by the kernels that it had. InputError when no whole checkpoint is
/// there, or it is that of a run; UsageError or ResourceError when its kernels cannot be used here. On
/// another device, or by another version, the bits may differ: `context.note` is told.
Simulation load(const std::filesystem::path& folder, const Context& context = {});

}  // namespace pleiad
