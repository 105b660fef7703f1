/// Accelerations and their time derivatives, for Hermite integrators; double precision.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <array>
#include <span>

namespace pleiad::cpu {

/// G left out: a_i = sum_j m d y^3 and j_i = sum_j m (dv y^3 - 3 (d.dv) y^5 d) with y = (d^2 + eps2)^-1/2.
/// Overwrites both outputs (w = 0); the same bits for any number of threads. Coincident bodies pull with zero
/// and jerk with zero. `low` is what x and v are beyond their doubles (see Bodies::low), or empty:
/// differences of close bodies then have it too. UsageError for all images of a periodic box.
void acceleration_and_jerk(std::span<const Mass<double>> x, std::span<const Vec4<double>> v,
                           std::span<const std::array<double, 6>> low, std::span<Vec4<double>> acceleration,
                           std::span<Vec4<double>> jerk, const Softening& softening,
                           const Boundary& boundary);

}  // namespace pleiad::cpu
