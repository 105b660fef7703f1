/// What a run on several ranks cannot do yet: refused at its start, never done otherwise than asked.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"

namespace pleiad::run {

/// UsageError with one sentence that says what to set instead.
void need_possible_on_ranks(const Options& options);

}  // namespace pleiad::run
