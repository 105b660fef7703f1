/// Which integrators give each body steps of its own and sum the pulls of all bodies on it, and the accuracy
/// of their steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/integrator.hpp>

#include <string_view>

namespace pleiad {

/// Whether this one, if there is one, does: hermite4-block. (block-kdk evaluates sets of bodies.)
constexpr bool has_individual_steps(const Integrator* integrator) {
  return in_blocks(integrator) && integrator->needs_jerks;
}

/// What eta is unless it is stated: hermite4-block then keeps the energy of ten thousand stars to 1e-8 in a
/// unit of time.
constexpr double usual_eta(std::string_view integrator) {
  return integrator == "hermite4-block" ? 0.005 : 0.02;
}

}  // namespace pleiad
