/// The reference: every pull from the definition, in long double, in plain order. Slow, short, and verified
/// by hand.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace pleiad::reference {

/// No target is among the sources.
inline constexpr std::ptrdiff_t none = -1;

/// Sums of pulls (xyz) and potentials (w), G left out. Target i is source self + i and does not pull itself.
std::vector<Vec4<long double>> pulls(std::span<const Mass<double>> targets,
                                     std::span<const Mass<double>> sources, const Softening& softening,
                                     const Boundary& boundary, std::ptrdiff_t self = 0);

/// Pulls on a subset: target i is the source `subset[i]`.
std::vector<Vec4<long double>> pulls(std::span<const std::size_t> subset,
                                     std::span<const Mass<double>> sources, const Softening& softening,
                                     const Boundary& boundary);

/// Pulls on each body of a subset by all others, of which each has its own softening, by kernel and rule of
/// `softening`. Those of a spline follow from the mass of its density within a distance. No sums over all
/// images.
std::vector<Vec4<long double>> softened_pulls(std::span<const std::size_t> subset,
                                              std::span<const Mass<double>> bodies,
                                              std::span<const double> eps, const Softening& softening,
                                              const Boundary& boundary);

/// Pulls on each body of all.
std::vector<Vec4<long double>> softened_pulls(std::span<const Mass<double>> bodies,
                                              std::span<const double> eps, const Softening& softening,
                                              const Boundary& boundary);

/// Pulls in a periodic box with all images, by Ewald's sums in long double with alpha = splitting / the
/// shortest side; the result does not depend on `splitting`. pulls() calls this for Images::all.
std::vector<Vec4<long double>> pulls_of_all_images(std::span<const Mass<double>> targets,
                                                   std::span<const Mass<double>> sources,
                                                   const Softening& softening, const Vec3<double>& length,
                                                   std::ptrdiff_t self, long double splitting);

}  // namespace pleiad::reference
