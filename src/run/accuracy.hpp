/// The sample for the accuracy checks of a run, as stored in checkpoints.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/watch.hpp"

#include <pleiad/checkpoint.hpp>

#include <cstddef>
#include <optional>

namespace pleiad::run {

void save_sample(const control::AccuracyWatch& watch, Checkpoint& checkpoint);
/// Of a run of n bodies; nothing when there is none. InputError when it names others.
std::optional<Sample> saved_sample(const Checkpoint& checkpoint, std::size_t n);

}  // namespace pleiad::run
