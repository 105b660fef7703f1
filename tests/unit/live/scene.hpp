/// Bodies ready to be drawn from, for tests of the live view.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "live/order.hpp"
#include "live/points.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

namespace pleiad::test {

/// A cloud, denser in the middle, of n bodies.
inline Snapshot cloud(std::size_t n) {
  Snapshot s;
  for (std::size_t i = 0; i < n; ++i) {
    const double k = static_cast<double>(i) + 0.5, r = 3 * std::pow(k / static_cast<double>(n), 2),
                 z = std::cos(1.3 * k), phi = 2.4 * k, w = std::sqrt(1 - z * z);
    s.bodies.add(1, {r * w * std::cos(phi), r * w * std::sin(phi), r * z}, {0.1, 0.2, std::sin(k)},
                 i % 2 == 0 ? Type::halo : Type::star);
  }
  return s;
}

inline live::Scene scene_of(const Snapshot& s, std::uint64_t generation = 1) {
  live::Scene scene;
  scene.snapshot = &s;
  scene.box = live::box_for(s);
  scene.order = std::make_shared<const std::vector<std::uint32_t>>(live::key_order(s.bodies, scene.box));
  scene.generation = generation;
  return scene;
}

}  // namespace pleiad::test
