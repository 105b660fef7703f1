/// What presets of the classic GPU demo share: a ball of unit masses whose radius grows with their number.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/draw.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace pleiad {

inline constexpr ModelParameter demo_scale_parameter{
    "cluster_scale", 1.54, 1e-6, 1e6, "radius of the ball per 1024 bodies (never less than for 1024)"};

inline double demo_radius(const ModelRequest& request) {
  return request["cluster_scale"] * std::max(1.0, static_cast<double>(request.count("n")) / 1024);
}

/// The model `name`; `velocity` is drawn after the position that it is given.
template <class Velocity>
Snapshot demo_ball(std::string_view name, const ModelRequest& request, const Velocity& velocity) {
  const std::size_t n = request.count("n");
  const double radius = demo_radius(request);
  auto bodies = draw_bodies(n, static_cast<double>(n), request.seed, name, [&](Random& random) {
    const auto position = in_unit_ball(random) * radius;
    return Phase{position, velocity(random, position)};
  });
  move_to_centre_of_mass(bodies);
  return nbody_snapshot(std::move(bodies));
}

}  // namespace pleiad
