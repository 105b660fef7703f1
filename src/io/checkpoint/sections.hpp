/// A checkpoint as the sections of a container, for writers.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/checkpoint/container.hpp"

#include <pleiad/checkpoint.hpp>

#include <functional>

namespace pleiad {

/// Calls `use` with all sections, whose payloads are the checkpoint's own arrays. InputError when these do
/// not fit together.
void with_sections(const Checkpoint& checkpoint, const std::function<void(const container::Writer&)>& use);

}  // namespace pleiad
