/// Accelerations of a sample that are lost in the rounding of the direct sums of the reference.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/collective.hpp"

#include <pleiad/accuracy.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace pleiad {

/// Collective form of rounding_of. `own` returns the bodies of this rank, and is called only if some pulls
/// may cancel. The result is the same, bit for bit, on every rank and for any number of ranks.
std::vector<double> collective_rounding(const ranks::Collective& all,
                                        const std::function<const Bodies&()>& own, const Gravity& gravity,
                                        const Sample& sample, std::span<const Vec3<double>> exact);

/// Bodies as they may have been before their positions were rounded to single precision: each coordinate is
/// moved by up to half of the spacing of floats there, by a hash of the position. Bodies at equal positions
/// stay together.
Bodies unrounded(const Bodies& bodies);

}  // namespace pleiad
