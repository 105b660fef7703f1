/// Two bodies by orbital elements, in their centre-of-mass frame.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/kepler.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <numbers>

namespace pleiad {
namespace {

constexpr std::array parameters_of_two_body{
    ModelParameter{"m1", 0.75, 0, 1e12, "first mass"},
    ModelParameter{"m2", 0.25, 0, 1e12, "second mass; 0: a test particle"},
    ModelParameter{"a", 1, 1e-9, 1e12, "semi-major axis of the relative orbit (its size for a hyperbola)"},
    ModelParameter{"e", 0.5, 0, 100, "eccentricity; not 1"},
    ModelParameter{"inclination", 0, 0, 180, "inclination to the xy plane, degrees"},
    ModelParameter{"node", 0, -360, 360, "longitude of the ascending node, degrees"},
    ModelParameter{"argument", 0, -360, 360, "argument of the pericentre, degrees"},
    ModelParameter{"mean_anomaly", 0, -36000, 36000,
                   "mean anomaly at the start, degrees; 0: at the pericentre"},
};

Snapshot make_two_body(const ModelRequest& request) {
  const double m1 = request["m1"], m2 = request["m2"], total = m1 + m2;
  if (!(total > 0))
    throw UsageError("model 'two-body': m1 and m2 are both 0; at least one of them must be > 0");
  if (request["e"] == 1)
    throw UsageError(
        "model 'two-body': e = 1 has no semi-major axis; take e < 1 (ellipse) or e > 1 (hyperbola)");
  constexpr double degree = std::numbers::pi / 180;
  const auto relative = state_of({.a = request["a"],
                                  .e = request["e"],
                                  .inclination = request["inclination"] * degree,
                                  .node = request["node"] * degree,
                                  .argument = request["argument"] * degree,
                                  .mean_anomaly = request["mean_anomaly"] * degree},
                                 total);
  Bodies bodies;
  bodies.add(m1, relative.position * (-m2 / total), relative.velocity * (-m2 / total));
  bodies.add(m2, relative.position * (m1 / total), relative.velocity * (m1 / total));
  return nbody_snapshot(std::move(bodies));
}

}  // namespace

constinit const Model model_two_body{
    .name = "two-body",
    .idea = "two masses on an ellipse or hyperbola given by orbital elements, G = 1",
    .parameters = parameters_of_two_body,
    .origin = origin::mass,
    .suggested_softening = 0,
    .make = make_two_body};

}  // namespace pleiad
