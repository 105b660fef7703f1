/// Plummer's model. Without a cut one body in a thousand is drawn beyond 22.8, the farthest of n near
/// 0.6 sqrt(3 n / 2); the field cuts there.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/plummer_sphere.hpp"

#include <array>

namespace pleiad {
namespace {

constexpr std::array parameters_of_plummer{
    bodies_parameter(4096),
    ModelParameter{"mass_fraction", 0.999, 0.01, 1,
                   "mass fraction at which the sphere is truncated (0.999: radius 22.8); 1: not truncated"},
};

Snapshot make_plummer(const ModelRequest& request) {
  const double fraction = request["mass_fraction"];
  auto bodies = draw_bodies(
      request.count("n"), 1, request.seed, "plummer",
      [&](Random& random) { return PlummerSphere::draw(random, fraction); }, Type::star);
  remove_drift(bodies);
  return nbody_snapshot(std::move(bodies));
}

}  // namespace

constinit const Model model_plummer{
    .name = "plummer",
    .idea = "Plummer sphere in equilibrium, in Henon units (G = M = 1, E = -1/4)",
    .parameters = parameters_of_plummer,
    .origin = origin::profile,
    .suggested_softening = 0.02,
    .make = make_plummer};

}  // namespace pleiad
