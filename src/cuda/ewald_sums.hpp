/// Ewald's sums over all images on a device in double precision, for few bodies pulled by many: what the
/// forces of trees are measured by. Plain C++.
///
/// The nearest image of each source pulls by erfc(alpha s) / s, s^2 = d^2 + eps^2, with an alpha for which
/// other images have nothing left; the waves that this leaves out are summed over all sources first. No table
/// is looked up: here the processor is fast, and the targets are few. All sums have one order.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <span>
#include <vector>

namespace pleiad::cuda {

/// A wave: how often it turns along each side of the box, and its amplitude in the potential of a unit mass,
/// that of the opposite wave included.
struct EwaldWave {
  int a = 0, b = 0, c = 0;
  double amplitude = 0;
};
/// A splitting: what waves do not have falls off as erfc(alpha s) / s, and ends at s = cut.
struct EwaldSplitting {
  Vec3<double> sides{};
  double eps = 0, alpha = 0, cut = 0;
  std::vector<EwaldWave> waves;
};

/// The pulls on targets, of which the masses are not read, by sources of the device; a target pulls itself
/// with nothing. Waits for them.
std::vector<Vec3<double>> ewald_pulls(std::span<const Vec3<double>> targets,
                                      std::span<const Mass<double>> sources, const EwaldSplitting& by,
                                      void* stream);

}  // namespace pleiad::cuda
