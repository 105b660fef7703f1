/// Rings: a galaxy as a point mass with massless rings about it, which another one passes, as Toomre & Toomre
/// (1972, ApJ 178, 623) computed bridges and tails.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/draw.hpp"
#include "models/kepler.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace pleiad {
namespace {

constexpr std::array parameters_of_rings{
    ModelParameter{"rings", 5, 1, 1e4, "number of rings of test particles about the first galaxy"},
    ModelParameter{"per_ring", 12, 1, 1e4, "number of test particles in the innermost ring"},
    ModelParameter{"inner", 0.2, 1e-9, 1e9, "radius of the innermost ring"},
    ModelParameter{"outer", 0.6, 1e-9, 1e9,
                   "radius of the outermost ring; a ring has as many particles for each length as the "
                   "innermost one"},
    ModelParameter{"softening", 0, 0, 1e9,
                   "softening length with which the rings are in equilibrium: that of the run"},
    ModelParameter{"mass_ratio", 1, 1e-9, 1e9, "second galaxy / first, whose mass is 1"},
    ModelParameter{"pericentre", 1, 1e-9, 1e9, "closest approach of the two galaxies"},
    ModelParameter{"eccentricity", 1, 0, 20, "of the orbit: 1 a parabola, less an ellipse, more a hyperbola"},
    ModelParameter{"separation", 5, 1e-9, 1e9, "distance of the galaxies at the start"},
    ModelParameter{"i", 0, 0, 180,
                   "inclination of the rings, degrees: 0 turns with the orbit, 180 against it"},
    ModelParameter{"w", 0, -360, 360, "argument of the pericentre for the rings, degrees"},
};

Snapshot make_rings(const ModelRequest& request) {
  const double inner = request["inner"], outer = request["outer"], eps = request["softening"];
  constexpr double most = 100;
  if (!(outer >= inner && outer <= most * inner))
    throw UsageError(fmt::format("model 'rings': outer = {:g} must be from inner = {:g} to {:g} times that",
                                 outer, inner, most));
  const double second = request["mass_ratio"], total = 1 + second;
  const auto orbit =
      approach("rings", request["pericentre"], request["eccentricity"], request["separation"], total);
  const Phase first{orbit.position * (-second / total), orbit.velocity * (-second / total)};
  const std::size_t rings = request.count("rings"), innermost = request.count("per_ring");
  need_memory(static_cast<std::size_t>(static_cast<double>(rings * innermost) * (1 + outer / inner) / 2));
  Bodies bodies;
  bodies.add(1, first.position, first.velocity, Type::bulge);
  bodies.add(second, orbit.position * (1 / total), orbit.velocity * (1 / total), Type::bulge);
  constexpr double degree = std::numbers::pi / 180;
  const double node = -request["w"] * degree, inclination = -request["i"] * degree;
  for (std::size_t ring = 0; ring < rings; ++ring) {
    const double r =
        rings == 1 ? inner
                   : inner + (outer - inner) * static_cast<double>(ring) / static_cast<double>(rings - 1);
    const double speed = r / std::pow(r * r + eps * eps, 0.75);
    const auto count = static_cast<std::size_t>(std::llround(static_cast<double>(innermost) * r / inner));
    for (std::size_t k = 0; k < count; ++k) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(count);
      const Vec3<double> towards{std::cos(angle), std::sin(angle), 0}, along{-towards.y, towards.x, 0};
      bodies.add(0, first.position + oriented(towards * r, node, inclination, 0),
                 first.velocity + oriented(along * speed, node, inclination, 0), Type::disc);
    }
  }
  return nbody_snapshot(std::move(bodies));
}

}  // namespace

constinit const Model model_rings{
    .name = "rings",
    .idea =
        "two point masses on a given encounter orbit, and rings of test particles about the first "
        "(Toomre & Toomre 1972), G = 1",
    .parameters = parameters_of_rings,
    .origin = origin::mass,
    .suggested_softening = 0,
    .make = make_rings};

}  // namespace pleiad
