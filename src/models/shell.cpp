/// Shell: the second preset of the classic GPU demo, a thick shell that turns about the z axis.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/draw.hpp"

#include <array>
#include <cmath>

namespace pleiad {
namespace {

constexpr std::array parameters_of_shell{
    bodies_parameter(16384),
    ModelParameter{"cluster_scale", 1.54, 1e-6, 1e6, "unit of length: the shell reaches from 2.5 to 4 of it"},
    ModelParameter{"velocity_scale", 8, 0, 1e6, "angular velocity in units of cluster_scale"},
};

Snapshot make_shell(const ModelRequest& request) {
  const std::size_t n = request.count("n");
  const double scale = request["cluster_scale"], turn = scale * request["velocity_scale"];
  auto bodies = draw_bodies(n, static_cast<double>(n), request.seed, "shell", [&](Random& random) {
    const auto direction = random.direction();
    const auto position = direction * random.uniform(2.5 * scale, 4 * scale);
    return Phase{position, {turn * position.y, -turn * position.x, 0}};
  });
  centre_by_mass(bodies);
  return nbody_snapshot(std::move(bodies));
}

}  // namespace

constinit const Model model_shell{
    .name = "shell",
    .idea = "preset of the classic GPU demo: unit masses in a thick spherical shell that rotates",
    .parameters = parameters_of_shell,
    .origin = origin::mass,
    .suggested_softening = 0.1,
    .make = make_shell};

}  // namespace pleiad
