/// Which integrators regularise close pairs, and how many bodies they take.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/integrator.hpp>

#include <cstddef>

namespace pleiad {

/// Every pull is computed in every substep, and the fastest pair sets the length of all: more bodies take too
/// long.
inline constexpr std::size_t most_regularised_bodies = 64;

/// Whether this integrator, if there is one, regularises the bodies as one group.
bool regularises(const Integrator* integrator);

}  // namespace pleiad
