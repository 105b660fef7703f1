/// Encounter: two disc galaxies on a Kepler orbit about each other, long before their pericentre.
/// Angles as in Toomre & Toomre, ApJ 178, 623 (1972): i between disc and orbit, w from the node to the
/// pericentre.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/galaxy.hpp"
#include "models/kepler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace pleiad {
namespace {

constexpr std::array own{
    ModelParameter{"n", 40000, 200, 1e10, "number of bodies, both galaxies together"},
    ModelParameter{"pericentre", 8, 1e-3, 1e5, "closest approach of the two centres as point masses, kpc"},
    ModelParameter{"eccentricity", 1, 0, 20, "of the orbit: 1 a parabola, less an ellipse, more a hyperbola"},
    ModelParameter{"separation", 60, 1e-3, 1e6, "distance of the centres at the start, kpc"},
    ModelParameter{"mass_ratio", 1, 0.01, 1, "second galaxy / first; lengths shrink with its square root"},
    ModelParameter{"i1", 30, 0, 180,
                   "inclination of the first disc, degrees: 0 turns with the orbit, 180 against it"},
    ModelParameter{"w1", -30, -360, 360, "argument of the pericentre for the first disc, degrees"},
    ModelParameter{"i2", 60, 0, 180, "inclination of the second disc, degrees"},
    ModelParameter{"w2", -30, -360, 360, "argument of the pericentre for the second disc, degrees"},
};

constexpr auto parameters_of_encounter = [] {
  std::array<ModelParameter, own.size() + galaxy_parameters.size()> list{};
  std::copy(own.begin(), own.end(), list.begin());
  std::copy(galaxy_parameters.begin(), galaxy_parameters.end(), list.begin() + own.size());
  return list;
}();

/// Tilts a disc about its line of nodes and puts it on the orbit; `pericentre` is the direction of the other
/// galaxy then.
void place(Bodies& bodies, const Phase& at, double inclination, double argument, double pericentre) {
  constexpr double degree = std::numbers::pi / 180;
  const double node = pericentre - argument * degree, i = -inclination * degree;
  for_each_index(bodies.size(), [&](std::size_t k) {
    const auto x = oriented(bodies.position(k), node, i, 0) + at.position;
    const auto v = oriented(bodies.velocity(k), node, i, 0) + at.velocity;
    bodies.x[k] = x.x, bodies.y[k] = x.y, bodies.z[k] = x.z;
    bodies.vx[k] = v.x, bodies.vy[k] = v.y, bodies.vz[k] = v.z;
  });
}

Snapshot make_encounter(const ModelRequest& request) {
  const std::size_t n = request.count("n");
  const double ratio = request["mass_ratio"], second = ratio / (1 + ratio), first = 1 - second;
  const auto shape = galaxy_shape(request);
  const double mu = units_named("galactic").G() * shape.mass() * (1 + ratio);
  const auto orbit =
      approach("encounter", request["pericentre"], request["eccentricity"], request["separation"], mu);
  const auto n2 = static_cast<std::size_t>(std::llround(second * static_cast<double>(n)));
  auto bodies = draw_galaxy(shape, n - n2, request.seed, "encounter/first");
  auto companion = draw_galaxy(shape.scaled(ratio), n2, request.seed, "encounter/second");
  place(bodies, {orbit.position * -second, orbit.velocity * -second}, request["i1"], request["w1"], 0);
  place(companion, {orbit.position * first, orbit.velocity * first}, request["i2"], request["w2"],
        std::numbers::pi);
  bodies.append(companion);
  remove_drift(bodies);
  return galactic_snapshot(std::move(bodies));
}

}  // namespace

constinit const Model model_encounter{
    .name = "encounter",
    .idea = "two disc galaxies on a given encounter orbit, in kpc, 1e10 Msun, km/s",
    .parameters = parameters_of_encounter,
    .origin = "the barycentre of the two galaxies' centres; total momentum 0",
    .suggested_softening = 0.2,
    .make = make_encounter};

}  // namespace pleiad
