/// Cold sphere: a uniform ball at rest, M = R = 1; it collapses in a free-fall time of pi/(2 sqrt 2)
/// = 1.1107.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/draw.hpp"

#include <array>

namespace pleiad {
namespace {

constexpr std::array parameters_of_cold_sphere{bodies_parameter(4096)};

Snapshot make_cold_sphere(const ModelRequest& request) {
  auto bodies = draw_bodies(request.count("n"), 1, request.seed, "cold-sphere", [](Random& random) {
    return Phase{in_unit_ball(random), {}};
  });
  centre_by_mass(bodies);
  return nbody_snapshot(std::move(bodies));
}

}  // namespace

constinit const Model model_cold_sphere{
    .name = "cold-sphere",
    .idea = "a uniform ball at rest, M = R = G = 1, that collapses at t = 1.1107",
    .parameters = parameters_of_cold_sphere,
    .origin = origin::mass,
    .suggested_softening = 0.05,
    .make = make_cold_sphere};

}  // namespace pleiad
