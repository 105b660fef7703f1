/// Expand: the third preset of the classic GPU demo, a ball whose velocities grow with the radius.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/draw.hpp"

#include <array>

namespace pleiad {
namespace {

constexpr std::array parameters_of_expand{
    bodies_parameter(16384),
    demo_scale_parameter,
    ModelParameter{"velocity_scale", 8, 0, 1e6, "speed at the edge in units of the radius"},
};

Snapshot make_expand(const ModelRequest& request) {
  return demo_ball(request, "expand", [&](Random&, const Vec3<double>& position, double) {
    return position * request["velocity_scale"];
  });
}

}  // namespace

constinit const Model model_expand{
    .name = "expand",
    .idea = "preset of the classic GPU demo: unit masses in a ball that expands like a small universe",
    .parameters = parameters_of_expand,
    .origin = origin::mass,
    .suggested_softening = 0.1,
    .make = make_expand};

}  // namespace pleiad
