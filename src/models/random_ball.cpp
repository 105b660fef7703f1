/// Random: the first preset of the classic GPU demo, a ball of bodies with velocities from another ball.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/draw.hpp"

#include <array>

namespace pleiad {
namespace {

constexpr std::array parameters_of_random{
    bodies_parameter(16384),
    demo_scale_parameter,
    ModelParameter{"velocity_scale", 8, 0, 1e6, "largest speed in units of the radius"},
};

Snapshot make_random(const ModelRequest& request) {
  return demo_ball(request, "random", [&](Random& random, const Vec3<double>&, double radius) {
    return in_unit_ball(random) * (request["velocity_scale"] * radius);
  });
}

}  // namespace

constinit const Model model_random{
    .name = "random",
    .idea = "preset of the classic GPU demo: unit masses at random in a ball, with random velocities",
    .parameters = parameters_of_random,
    .origin = origin::mass,
    .suggested_softening = 0.1,
    .make = make_random};

}  // namespace pleiad
