/// Which integrators make steps of one length between two requested times (Method::equal_steps).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/integrator.hpp>

namespace pleiad {

/// Splittings, whose energy errors are then bounded, and block time steps of whole leapfrogs, which are parts
/// of such steps.
constexpr bool makes_equal_steps(const Integrator& integrator) {
  return !integrator.splitting.drift.empty() || (integrator.in_blocks && !integrator.needs_doubles);
}

}  // namespace pleiad
