/// The density centre, and the Lagrangian radii about it: the spheres that contain given fractions of the
/// mass.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>

#include <array>
#include <span>
#include <vector>

namespace pleiad {

/// The fractions of the mass whose radii are reported.
inline constexpr std::array lagrangian_fractions{0.1, 0.25, 0.5, 0.75, 0.9};

/// Radii about the density centre that contain the lagrangian_fractions of the mass, in the units of the
/// bodies.
struct Radii {
  Vec3<double> centre{};                                         ///< the density centre
  std::array<double, lagrangian_fractions.size()> lagrangian{};  ///< one radius for each fraction

  bool operator==(const Radii&) const = default;
};

// Both functions use all threads. The result is that of an engine, bit for bit, for any number of threads.
/// Radii about `centre` that contain the given fractions (between 0 and 1) of the mass, one for each
/// fraction.
std::vector<double> lagrangian_radii(const Bodies& bodies, Vec3<double> centre,
                                     std::span<const double> fractions);
/// The density centre: the centre of mass of shrinking spheres (each contains half the bodies of the previous
/// one, down to 10 % of all).
Vec3<double> density_centre(const Bodies& bodies);

}  // namespace pleiad
