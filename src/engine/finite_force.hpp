/// Accelerations of a user force must be finite at all bodies with finite positions: if not, the error names
/// the force, not the step that it spoils.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/error.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <span>

#include <fmt/format.h>

namespace pleiad {

/// NumericalError with the first body at a finite place whose acceleration is not.
template <class Real>
void need_finite_force(std::span<const Mass<Real>> bodies, std::span<const Vec4<Real>> accelerations,
                       double time) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto& x = bodies[i];
    const auto& a = accelerations[i];
    // 0 times any number is 0, times anything else NaN.
    const double of_place = 0 * double(x.x) + 0 * double(x.y) + 0 * double(x.z),
                 of_force = 0 * double(a.x) + 0 * double(a.y) + 0 * double(a.z);
    if (of_place == 0 && !(of_force == 0))
      throw NumericalError(fmt::format("the force of your own gives ({}, {}, {}) for body {} at ({}, {}, "
                                       "{}), t = {:g}: it must be finite",
                                       a.x, a.y, a.z, i, x.x, x.y, x.z, time),
                           Error::Code::not_finite);
  }
}

}  // namespace pleiad
