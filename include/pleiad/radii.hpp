/// How concentrated the bodies are: the centre of their densest part, and the radii about it that hold parts
/// of the mass.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>

#include <array>
#include <span>
#include <vector>

namespace pleiad {

inline constexpr std::array lagrangian_fractions{0.1, 0.25, 0.5, 0.75, 0.9};

struct Radii {
  Vec3<double> centre{};  ///< of the densest part
  std::array<double, lagrangian_fractions.size()> lagrangian{};

  bool operator==(const Radii&) const = default;
};

// On all threads; the same bits for any number of them, and where an engine finds them.
/// Radii about `centre` that hold the given fractions of the mass.
std::vector<double> lagrangian_radii(const Bodies& bodies, Vec3<double> centre,
                                     std::span<const double> fractions);
/// Centre of the densest part: the centre of mass of ever smaller spheres (each half the bodies of the one
/// before, down to 10 % of them).
Vec3<double> density_centre(const Bodies& bodies);

}  // namespace pleiad
