/// The trails of few bodies in a checkpoint, so that the pictures of a resumed run show them whole.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"
#include "render/render.hpp"

#include <pleiad/checkpoint.hpp>

#include <cstdint>

namespace pleiad::run {

/// Whether the trails have a point at this step: not where a batch of steps happens to end, which depends on
/// the speed of the machine. `due`: outputs are due then.
bool on_trails(const Options& options, std::uint64_t step, bool due);
/// Does nothing where there are none.
void save_trails(const Trails& trails, Checkpoint& checkpoint);
/// Those that it holds; checkpoints of earlier programs hold none. InputError when they are not whole.
void restore_trails(const Checkpoint& checkpoint, Trails& trails);

}  // namespace pleiad::run
