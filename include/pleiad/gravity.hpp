/// The law: which gravity acts between the bodies, in which space.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

namespace pleiad {

/// Plummer softening: r^2 becomes r^2 + eps^2, so eps is the Plummer-equivalent length. eps = 0 is exact
/// Newton.
struct Softening {
  double eps = 0;
  constexpr double eps2() const { return eps * eps; }
};

/// Open space, or a periodic box [0, length) per axis with the minimum-image convention.
/// In the periodic case a separation component of exactly half the box has two nearest images and counts as
/// 0.
struct Boundary {
  bool periodic = false;
  Vec3<double> length{1, 1, 1};
};

/// a_i = G sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + eps^2)^(3/2), the body itself left out by index.
/// In two dimensions every z and vz is 0 and stays 0; the law is the same (1/r^2 along the separation).
struct Gravity {
  double G = 1;
  Softening softening{};
  Boundary boundary{};
  int dimension = 3;
};

}  // namespace pleiad
