/// King's model: a lowered isothermal sphere with a tidal edge, in Henon units (King, AJ 71, 64, 1966).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/king_sphere.hpp"

#include <array>

namespace pleiad {
namespace {

constexpr std::array parameters_of_king{
    bodies_parameter(4096),
    ModelParameter{"W0", 6, 0.1, 12,
                   "depth of the central potential in units of sigma^2: the larger, the more concentrated"},
};

Snapshot make_king(const ModelRequest& request) {
  const KingSphere sphere(request["W0"]);
  auto bodies = draw_bodies(
      request.count("n"), 1, request.seed, "king", [&](Random& random) { return sphere.draw(random); },
      Type::star);
  remove_drift(bodies);
  return nbody_snapshot(std::move(bodies));
}

}  // namespace

constinit const Model model_king{.name = "king",
                                 .idea =
                                     "King model of a star cluster, with a tidal radius, in equilibrium, in "
                                     "Henon units (G = M = 1, E = -1/4)",
                                 .parameters = parameters_of_king,
                                 .origin = origin::profile,
                                 .suggested_softening = 0.02,
                                 .make = make_king};

}  // namespace pleiad
