/// Bodies for block time steps: a cuspy galaxy, a small cluster in a halo, and two galaxies before their
/// encounter.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/models.hpp>
#include <pleiad/snapshot.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace pleiad::bench {

/// A Plummer cluster of an eighth of the mass, 50 times smaller, on a circle in a Hernquist halo.
inline Snapshot cluster_in_halo(std::size_t n) {
  const std::size_t few = n / 8;
  auto s = model("hernquist", {{"n", double(n - few)}, {"mass", 0.875}, {"cut", 10}});
  const auto cluster = model("plummer", {{"n", double(few)}}, 2).bodies;
  const double length = 1.0 / 30, velocity = std::sqrt(0.125 / length);
  // At r = 1 the halo has a quarter of its mass.
  const double speed = std::sqrt(0.875 / 4);
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    s.bodies.add(0.125 * cluster.mass[i], length * cluster.position(i) + Vec3<double>{1, 0, 0},
                 velocity * cluster.velocity(i) + Vec3<double>{0, speed, 0});
    s.bodies.id.back() = s.bodies.size() - 1;
  }
  return s;
}

struct BlockScene {
  std::string_view name;
  double eps, dt, length;  ///< in the units of the model; dt: the longest step
  Snapshot (*make)(std::size_t n);
};
inline constexpr std::array block_scenes{BlockScene{"cusp", 2e-3, 1.0 / 8, 0.5,
                                                    [](std::size_t n) {
                                                      return model("hernquist", {{"n", double(n)}});
                                                    }},
                                         BlockScene{"cluster", 1e-3, 1.0 / 8, 0.25, cluster_in_halo},
                                         BlockScene{"encounter", 0.1, 1.0 / 64, 1.0 / 16, [](std::size_t n) {
                                                      return model("encounter", {{"n", double(n)}});
                                                    }}};

}  // namespace pleiad::bench
