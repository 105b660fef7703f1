/// Which accelerations of a sample are lost in the rounding of the direct sums that they are compared with.
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

/// See rounding_of. `own`: gives the bodies of this rank, and is called only where some pulls may cancel.
/// Collective; the result has the same bits on every rank, and for any number of ranks.
std::vector<double> collective_rounding(const ranks::Collective& all,
                                        const std::function<const Bodies&()>& own, const Gravity& gravity,
                                        const Sample& sample, std::span<const Vec3<double>> exact);

/// Bodies as they may have been before their positions were rounded to single precision: each coordinate is
/// moved by up to half of the spacing of floats there, as a hash of the position says. What shares a place
/// still does.
Bodies unrounded(const Bodies& bodies);

}  // namespace pleiad
