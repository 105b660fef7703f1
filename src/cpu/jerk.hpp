/// Accelerations and their first and second time derivatives in double precision, for bodies whose positions
/// and velocities are sums of two doubles.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <array>
#include <span>

namespace pleiad::cpu {

/// Bodies with the low-order parts of positions and velocities (see Bodies::low), or without: differences of
/// close bodies then include them.
struct MovingBodies {
  std::span<const Mass<double>> x;
  std::span<const Vec4<double>> v;
  std::span<const std::array<double, 6>> low = {};
  std::span<const Vec4<double>> a = {};  ///< accelerations, for snaps only
};

/// Adds to both outputs, in the order of the sources. The result is the same, bit for bit, if these come in
/// several parts, and for any number of threads. Without G: a_i = sum_j m d y^3 and j_i = sum_j m (dv y^3 - 3
/// (d.dv) y^5 d) with y = (d^2 + eps2)^-1/2. Coincident bodies pull with zero and jerk with zero. Targets and
/// sources both have low parts, or neither. UsageError for all images of a periodic box.
void add_acceleration_and_jerk(const MovingBodies& targets, const MovingBodies& sources,
                               std::span<Vec4<double>> acceleration, std::span<Vec4<double>> jerk,
                               const Softening& softening, const Boundary& boundary);
/// The same with snaps, the second derivatives: s_i = sum_j m (da y^3 - 6 alpha J - 3 beta A) with the pull A
/// and the jerk J of the pair without their m, alpha = d.dv y^2 and beta = (dv.dv + d.da) y^2 + alpha^2
/// (Nitadori & Makino 2008, New Astronomy 13, 498). Accelerations and jerks have the bits of those without.
void add_acceleration_jerk_and_snap(const MovingBodies& targets, const MovingBodies& sources,
                                    std::span<Vec4<double>> acceleration, std::span<Vec4<double>> jerk,
                                    std::span<Vec4<double>> snap, const Softening& softening,
                                    const Boundary& boundary);
/// The same without jerks; velocities, and their low parts, are not read.
void add_acceleration(const MovingBodies& targets, const MovingBodies& sources,
                      std::span<Vec4<double>> acceleration, const Softening& softening,
                      const Boundary& boundary);

}  // namespace pleiad::cpu
