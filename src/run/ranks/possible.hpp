/// What a run on several ranks cannot do yet: refused at its start, never done otherwise than asked.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"

namespace pleiad::run {

/// UsageError with one sentence that says what to set instead; nothing where there is one rank.
void need_possible(const Options& options, int ranks);

}  // namespace pleiad::run
