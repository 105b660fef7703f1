/// Bodies whose accelerations are of three magnitudes, for tests of block time steps, and their momentum.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/snapshot.hpp>
#include <pleiad/vec.hpp>

#include <cmath>
#include <cstddef>

namespace pleiad::test {

/// The sum of m v, and below that of |m v|.
inline Vec3<double> momentum(const Bodies& b) {
  Vec3<double> sum{};
  for (std::size_t i = 0; i < b.size(); ++i) sum += b.mass[i] * b.velocity(i);
  return sum;
}
inline double momenta(const Bodies& b) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) sum += b.mass[i] * norm(b.velocity(i));
  return sum;
}

/// Two equal bodies on circles with the radius a about their centre.
inline void add_pair(Bodies& b, double mass, double a, Vec3<double> centre, Vec3<double> velocity) {
  const double v = std::sqrt(mass / (8 * a));
  b.add(mass / 2, centre + Vec3<double>{a, 0, 0}, velocity + Vec3<double>{0, v, 0});
  b.add(mass / 2, centre - Vec3<double>{a, 0, 0}, velocity - Vec3<double>{0, v, 0});
}
/// A tight pair, a wider pair far from it, and eight light bodies on wide circles about both: accelerations
/// of some 12, 0.8 and 0.1.
inline Snapshot three_scales() {
  Snapshot s;
  auto& b = s.bodies;
  add_pair(b, 1, 0.1, {-1, 0, 0}, {0, -0.5, 0});
  add_pair(b, 1, 0.4, {1, 0, 0}, {0, 0.5, 0});
  for (int k = 0; k < 8; ++k) {
    const double angle = 0.7 * k, r = 4 + 0.3 * k, v = std::sqrt(2 / r);
    b.add(1e-3, {r * std::cos(angle), r * std::sin(angle), 0.1 * k},
          {-v * std::sin(angle), v * std::cos(angle), 0});
  }
  return s;
}

}  // namespace pleiad::test
