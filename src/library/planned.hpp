/// The interface of the library to the planner and the tuner: from an accuracy to a method.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/engine.hpp"

#include <pleiad/context.hpp>
#include <pleiad/engine.hpp>

namespace pleiad {

/// What is asked of forces, and what they are found with: by what the context's cache says, where there is
/// one, and what is measured is kept there. `accuracy` 0: direct sums.
control::Demand demand_of(double accuracy, const Context& context);
tune::TuningContext tuning_context_of(const Context& context);

/// Engine options with the method settled, and why; as they were where one is named or the table is to
/// choose.
EngineOptions planned_engine(const EngineOptions& options, const Bodies& bodies, const Gravity& gravity,
                             double accuracy, const Context& context);

/// UsageError for what no force can be: a softening, G or accuracy that is negative or not finite, an
/// accuracy beyond that of the key, a periodic box without a size.
void check_law(const Gravity& gravity, double accuracy);

}  // namespace pleiad
