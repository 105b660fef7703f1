/// The interface of the library to the planner and the tuner: from an accuracy to a method.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/engine.hpp"

#include <pleiad/context.hpp>
#include <pleiad/engine.hpp>

namespace pleiad {

/// The demand for an accuracy, and the tuning context with the cache of `context`. `accuracy` 0: direct sums.
control::Demand demand_of(double accuracy, const Context& context);
tune::TuningContext tuning_context_of(const Context& context);

/// Engine options with the method settled, and why; as they were where one is named or the table is to
/// choose.
EngineOptions planned_engine(const EngineOptions& options, const Bodies& bodies, const Gravity& gravity,
                             double accuracy, const Context& context);

/// Throws UsageError for an impossible law: a softening, G or accuracy that is negative or not finite, an
/// accuracy beyond that of the key, a periodic box without a size.
void check_law(const Gravity& gravity, double accuracy);

}  // namespace pleiad
