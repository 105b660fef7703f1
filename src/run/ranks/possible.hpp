/// Refuses, at the start, features that a run on several ranks does not support yet.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"

namespace pleiad::run {

/// Throws UsageError with a sentence that states the remedy; does nothing for one rank.
void need_possible(const Options& options, int ranks);

}  // namespace pleiad::run
