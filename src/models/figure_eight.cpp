/// Figure-eight: three equal bodies follow each other on one curve (Moore 1993; Chenciner & Montgomery 2000).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/draw.hpp"

#include <array>

namespace pleiad {
namespace {

constexpr std::array parameters_of_figure_eight{
    ModelParameter{"digits", 16, 8, 16,
                   "8: the published 8-digit values, which close only to 3e-8; otherwise refined ones"},
};

Snapshot make_figure_eight(const ModelRequest& request) {
  const bool published = request.count("digits") == 8;
  const Vec3<double> first = published ? Vec3<double>{0.97000436, -0.24308753, 0}
                                       : Vec3<double>{0.9700043569282653, -0.2430875293457389, 0};
  const Vec3<double> third = published ? Vec3<double>{-0.93240737, -0.86473146, 0}
                                       : Vec3<double>{-0.9324073696992292, -0.8647314630875040, 0};
  Bodies bodies;
  bodies.add(1, first, third * -0.5);
  bodies.add(1, first * -1.0, third * -0.5);
  bodies.add(1, {}, third);
  return nbody_snapshot(std::move(bodies));
}

}  // namespace

constinit const Model model_figure_eight{
    .name = "figure-eight",
    .idea = "three equal masses on one figure-eight orbit, period 6.32591398",
    .parameters = parameters_of_figure_eight,
    .origin = origin::mass,
    .suggested_softening = 0,
    .make = make_figure_eight};

}  // namespace pleiad
