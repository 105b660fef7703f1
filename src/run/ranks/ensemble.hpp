/// The run of an ensemble on several ranks: rank 0 makes it as one process does, and all ranks step the
/// systems.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"
#include "run/end.hpp"
#include "run/run.hpp"

namespace pleiad::run {

/// Whether the request is for an ensemble, the same on every rank: of a resumed run rank 0 looks. Collective.
bool is_ensemble(const Request& request, ranks::Communicator& comm);

/// Executes an ensemble on several ranks: see execute(). Collective; rank 0 reports to request.observer.
End execute_ensemble_on_ranks(const Request& request, ranks::Communicator& comm);

/// Forecast of an ensemble on several ranks: see forecast(). Collective; the result is that of rank 0.
EnsembleForecast estimate_ensemble_on_ranks(const Request& request, ranks::Communicator& comm);

}  // namespace pleiad::run
