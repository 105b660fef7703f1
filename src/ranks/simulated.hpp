/// Ranks that are threads of one process: for tests, and to count what ranks would exchange.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/transport.hpp"

namespace pleiad::ranks {

/// `work` on so many ranks, each on one thread (OnThisThread). When one throws, the others end at their next
/// call of the transport, and the exception is thrown here.
void with_simulated_ranks(int ranks, const std::function<void(Transport&)>& work);

}  // namespace pleiad::ranks
