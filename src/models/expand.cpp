/// Expand: the third preset of the classic GPU demo, a ball whose velocities grow with the radius.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/draw.hpp"

#include <algorithm>
#include <array>

namespace pleiad {
namespace {

constexpr std::array parameters{
    bodies_parameter(16384),
    ModelParameter{"cluster_scale", 1.54, 1e-6, 1e6,
                   "radius of the ball per 1024 bodies (never less than for 1024)"},
    ModelParameter{"velocity_scale", 8, 0, 1e6, "speed at the edge in units of the radius"},
};

Snapshot make(const ModelRequest& request) {
  const std::size_t n = request.count("n");
  const double radius = request["cluster_scale"] * std::max(1.0, static_cast<double>(n) / 1024);
  auto bodies = draw_bodies(n, static_cast<double>(n), request.seed, "expand", [&](Random& random) {
    const auto position = in_unit_ball(random) * radius;
    return Phase{position, position * request["velocity_scale"]};
  });
  move_to_centre_of_mass(bodies);
  return nbody_snapshot(std::move(bodies));
}

}  // namespace

constinit const Model model_expand{
    .name = "expand",
    .idea = "preset of the classic GPU demo: unit masses in a ball that expands like a small universe",
    .parameters = parameters,
    .origin = origin::mass,
    .suggested_softening = 0.1,
    .make = make};

}  // namespace pleiad
