/// Costs and the forecasts that are made of them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/outputs.hpp"
#include "run/run.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/simulation.hpp>

namespace pleiad::run {

/// Seconds of one force evaluation and of one evaluation of the energies, and the bytes of a tree.
struct Costs {
  double evaluation = 1e300, diagnostic = 1e300;
  double tree_bytes = 0;
};

/// Measures the costs of these bodies, whose time is `time`, on this engine. On several ranks (engine.ranks)
/// it is collective, `own` are the bodies of this one, and the seconds are those of the slowest.
Costs costs_of(const Bodies& own, double time, const Options& options, const EngineOptions& engine);

/// Forecast from the present time to `end`, for `bodies` bodies on all ranks, without memory.
Forecast forecast_of(const Simulation& simulation, const Outputs& outputs, const Options& options,
                     const Moment& end, std::size_t bodies, const Costs& costs);

}  // namespace pleiad::run
