/// A whole run of an ensemble: from options or a checkpoint to one table, stoppable and resumable anywhere.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/directory.hpp"

#include <optional>

namespace pleiad::run {

/// As execute(), of options with an ensemble.
Exit execute_ensemble(const Request& request, std::optional<Resumed> resumed);
/// As forecast().
void forecast_ensemble(const Request& request);

}  // namespace pleiad::run
