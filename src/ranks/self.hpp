/// The communicator of one process: every collective call returns its own data.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"

namespace pleiad::ranks {

/// Rank 0 of 1. It keeps no state, so that any thread may use it at any time.
Communicator& self();

/// The ranks that an option names, by a null pointer where there is one process: nothing else asks whether it
/// is null.
inline Communicator& or_self(Communicator* ranks) { return ranks != nullptr ? *ranks : self(); }

}  // namespace pleiad::ranks
