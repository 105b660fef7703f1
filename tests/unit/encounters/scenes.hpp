/// Bodies that move through a step, for tests of the search.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "encounters/matter.hpp"
#include "encounters/search.hpp"

#include <pleiad/rng.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pleiad::test {

struct Scene {
  encounters::Matter matter;
  std::vector<encounters::Place> from;
  encounters::Step step(std::uint64_t number = 2) const {
    return {.begin = 1, .end = 1.25, .number = number, .from = from};
  }
};

/// "uniform" in a cube, "clustered": half of the bodies in 1e-3 of it, "tail": distances of all magnitudes,
/// "line", "point": one place. Every fifth body is a test particle, and one has a large radius.
inline Scene scene_of(std::string_view kind, std::size_t n, std::uint64_t seed = 1) {
  Scene s;
  const double h = 0.25;
  for (std::size_t i = 0; i < n; ++i) {
    Random random(seed, i);
    const auto any = [&] {
      return Vec3<double>{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    };
    auto x = any();
    if (kind == "clustered" && i % 2 == 0) x *= 1e-3;
    if (kind == "tail") x *= std::pow(10.0, random.uniform(-4, 6));
    if (kind == "line") x.y = x.z = 0;
    if (kind == "point") x = {1, 2, 3};
    const auto v = 0.3 * any(), w = 0.3 * any();
    s.from.push_back({x, v});
    s.matter.places.push_back({x + (h / 2) * (v + w), w});
    s.matter.mass.push_back(i % 5 == 4 ? 0 : random.uniform(0.5, 2));
    s.matter.radius.push_back(i == 7 ? 0.3 : random.uniform(0, 0.01));
    s.matter.id.push_back((i * 7919) % (n + (n % 7919 == 0 ? 1 : 0)) * 3 + 5);
  }
  return s;
}

/// The rows of all events.
inline std::vector<std::string> rows_of(const encounters::Found& found) {
  std::vector<std::string> rows;
  for (const auto& e : found.events) rows.push_back(encounters::row_of(e));
  return rows;
}

}  // namespace pleiad::test
