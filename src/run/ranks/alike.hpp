/// Ranks that were not started alike would give other bits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"

#include <string>

namespace pleiad::run {

/// UsageError on all ranks unless they are the same program on equal processors with the same configuration.
/// Collective.
void need_alike(ranks::Communicator& comm, const std::string& config);

}  // namespace pleiad::run
