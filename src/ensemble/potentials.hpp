/// Potentials of one small system, by direct sums in double precision.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>

#include <vector>

namespace pleiad {

/// Potentials of mutual gravity at each body, G included, by the fastest kernel in double precision, because
/// diagnostics should cost no more than a few steps.
std::vector<double> mutual_potentials(const Bodies& bodies, const Gravity& gravity);

}  // namespace pleiad
