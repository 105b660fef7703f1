/// What a law of gravity must be.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>

namespace pleiad {

/// UsageError for a softening, a G or a periodic box that is out of range.
void check_law(const Gravity& gravity);

}  // namespace pleiad
