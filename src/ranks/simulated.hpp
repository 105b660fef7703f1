/// Ranks that are threads of one process: for tests, and to count what ranks would exchange.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"

namespace pleiad::ranks {

/// `work` on so many ranks, each on one thread (OnThisThread). When one throws, the others end at their next
/// call of the communicator, and the exception is thrown here.
void with_simulated_ranks(int ranks, const std::function<void(Communicator&)>& work);

}  // namespace pleiad::ranks
