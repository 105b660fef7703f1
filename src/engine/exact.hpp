/// Direct sums in double precision for a few bodies of many on the host, and computed accelerations of the
/// same bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/accuracy.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace pleiad {

/// Accelerations of the chosen bodies, G included. T: float or double, as an engine holds them.
template <class T>
std::vector<Vec3<double>> exact_of(std::span<const Mass<T>> bodies, const Gravity& gravity,
                                   std::span<const std::size_t> chosen);

/// The chosen ones of the sums of all bodies, times G.
template <class T>
std::vector<Vec3<double>> accelerations_of(std::span<const Vec4<T>> sums, double G,
                                           std::span<const std::size_t> chosen) {
  std::vector<Vec3<double>> a(chosen.size());
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const auto& s = sums[chosen[k]];
    a[k] = {G * double(s.x), G * double(s.y), G * double(s.z)};
  }
  return a;
}

}  // namespace pleiad
