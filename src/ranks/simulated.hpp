/// Ranks that are threads of one process: for tests, and to count the messages of a run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"

namespace pleiad::ranks {

/// Runs `work` on `ranks` ranks, each on one thread (OnThisThread). If one throws, the others end at their
/// next call of the communicator, and the exception is thrown here.
void with_simulated_ranks(int ranks, const std::function<void(Communicator&)>& work);

}  // namespace pleiad::ranks
