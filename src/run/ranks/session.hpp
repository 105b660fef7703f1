/// A run on several ranks: each steps its own bodies, and all write the outputs together.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/transport.hpp"
#include "run/end.hpp"
#include "run/run.hpp"

namespace pleiad::run {

/// See execute(). Collective; rank 0 tells request.observer. An error that all ranks share is an AgreedError;
/// any other is known to its rank alone, which then has to end all.
End execute_on_ranks(const Request& request, ranks::Transport& transport);

/// See forecast(); the same on every rank.
Forecast foresee_on_ranks(const Request& request, ranks::Transport& transport);

}  // namespace pleiad::run
