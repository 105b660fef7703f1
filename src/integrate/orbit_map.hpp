/// Which Wisdom-Holman map an integrator makes, for kernels that make the same.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/integrator.hpp>

namespace pleiad {

/// The coordinates of the map; none: it makes no such map, or a hybrid.
enum class OrbitMap { none, heliocentric, jacobi };
OrbitMap orbit_map_of(const Integrator* integrator);

}  // namespace pleiad
