/// Random: the first preset of the classic GPU demo, a ball of bodies with velocities from another ball.
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
    ModelParameter{"velocity_scale", 8, 0, 1e6, "largest speed in units of the radius"},
};

Snapshot make(const ModelRequest& request) {
  const std::size_t n = request.count("n");
  const double radius = request["cluster_scale"] * std::max(1.0, static_cast<double>(n) / 1024);
  const double speed = request["velocity_scale"] * radius;
  auto bodies = draw_bodies(n, static_cast<double>(n), request.seed, "random", [&](Random& random) {
    const auto position = in_unit_ball(random) * radius;
    return Phase{position, in_unit_ball(random) * speed};
  });
  move_to_centre_of_mass(bodies);
  return nbody_snapshot(std::move(bodies));
}

}  // namespace

constinit const Model model_random{
    .name = "random",
    .idea = "preset of the classic GPU demo: unit masses at random in a ball, with random velocities",
    .parameters = parameters,
    .origin = origin::mass,
    .suggested_softening = 0.1,
    .make = make};

}  // namespace pleiad
