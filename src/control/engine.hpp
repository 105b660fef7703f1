/// The force method of a simulation: planned for an accuracy, tuned, or from the table.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/demand.hpp"
#include "engine/ranks_sample.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/engine.hpp>

#include <optional>

namespace pleiad::control {

/// The options with the method and the number of GPUs resolved; as they are when a method is named. `drawn`
/// gets the sample that a tree was measured on: to draw and to sum one takes a while. What the user should
/// know goes to tuning_context.note. UsageError when what is demanded cannot be.
EngineOptions resolved_engine(EngineOptions options, const Bodies& bodies, const Gravity& gravity,
                              const Demand& demand, const tune::TuningContext& tuning_context,
                              std::optional<MeasuredSample>* drawn = nullptr);

/// Of the GPUs that may be used a tree gets those that make it faster.
EngineOptions on_useful_gpus(EngineOptions options, std::size_t n);

}  // namespace pleiad::control
