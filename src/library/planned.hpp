/// The one way from the library to the planner and the tuner: from an accuracy to a method.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/context.hpp>
#include <pleiad/engine.hpp>

namespace pleiad {

/// Engine options with the kernel settled, and why: as they were where a kernel was named or the table is to
/// choose. `accuracy` 0: direct sums. With a cache in the context, by what it says, and what is measured is
/// kept there.
EngineOptions planned_engine(EngineOptions options, const Bodies& bodies, const Gravity& gravity,
                             double accuracy, const Context& context);

/// UsageError for what no force can be: a softening, G or accuracy that is negative or not finite, a periodic
/// box without a size.
void check_law(const Gravity& gravity, double accuracy);

}  // namespace pleiad
