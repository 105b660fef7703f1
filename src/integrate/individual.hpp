/// Which integrators give each body steps of its own and sum the pulls of all bodies on it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/integrator.hpp>

namespace pleiad {

/// Whether this one, if there is one, does: hermite4-block. (block-kdk evaluates sets of bodies.)
constexpr bool has_individual_steps(const Integrator* integrator) {
  return in_blocks(integrator) && integrator->needs_jerks;
}

}  // namespace pleiad
