/// Checks of a law of gravity.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>

namespace pleiad {

/// The largest relative error of 99 % of the bodies that can be requested.
inline constexpr double roughest_accuracy = 0.1;

/// UsageError for a softening, a G or a periodic box that is out of range.
void check_law(const Gravity& gravity);

}  // namespace pleiad
