/// Direct sums where softening is a spline, or each body has its own: in vectors, in double precision.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <array>
#include <span>

namespace pleiad::cpu {

/// A body, its softening, and its number among all bodies, by which it leaves itself out of the potential.
struct SoftenedBody {
  Mass<double> x;
  double eps = 0, number = 0;
};

/// Bodies, for jerks with velocities, and with low-order parts (see Bodies::low) or without.
struct SoftenedBodies {
  std::span<const SoftenedBody> x;
  std::span<const Vec4<double>> v = {};
  std::span<const std::array<double, 6>> low = {};
};

/// Adds the pulls of the sources, in their order, to xyz, and the potentials to w; without G. Bodies at one
/// place do not pull each other, and have their softened potential. The result is the same, bit for bit, if
/// sources come in several parts, and for any number of threads. Only kernel and rule of `softening` are
/// read. UsageError for all images of a periodic box.
void add_softened_pulls(const SoftenedBodies& targets, const SoftenedBodies& sources,
                        std::span<Vec4<double>> sums, const Softening& softening, const Boundary& boundary);
/// The same with the time derivatives of the pulls.
void add_softened_pulls_and_jerks(const SoftenedBodies& targets, const SoftenedBodies& sources,
                                  std::span<Vec4<double>> sums, std::span<Vec4<double>> jerks,
                                  const Softening& softening, const Boundary& boundary);

}  // namespace pleiad::cpu
