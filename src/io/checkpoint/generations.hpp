/// Checkpoints of a run, in its open directory.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/durable/open_folder.hpp"

#include <pleiad/checkpoint.hpp>

#include <functional>
#include <memory>

namespace pleiad {

/// As save_checkpoint of the folder's name, whatever that leads to by then.
void save_checkpoint(const std::shared_ptr<const OpenFolder>& folder, const Checkpoint& checkpoint,
                     const std::function<void()>& last_check);

}  // namespace pleiad
