/// Free fall of three bodies: two lie at (-1/2, 0) and (1/2, 0), the third anywhere, all at rest. Every shape
/// of a triangle is there once for x, y >= 0 inside the circle (x + 1/2)^2 + y^2 = 1. Source: Agekyan &
/// Anosova, Astron. Zh. 44, 1261 (1967).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/draw.hpp"

#include <pleiad/error.hpp>

#include <array>

namespace pleiad {
namespace {

constexpr std::array parameters_of_free_fall{
    ModelParameter{"x", 0.2, -1e6, 1e6, "of the third body"},
    ModelParameter{"y", 0.5, -1e6, 1e6, "of the third body"},
    ModelParameter{"m1", 1, 0, 1e12, "mass of the body at (-1/2, 0)"},
    ModelParameter{"m2", 1, 0, 1e12, "mass of the body at (1/2, 0)"},
    ModelParameter{"m3", 1, 0, 1e12, "mass of the third body"},
};

Snapshot make_free_fall(const ModelRequest& request) {
  Bodies bodies;
  bodies.add(request["m1"], {-0.5, 0, 0}, {});
  bodies.add(request["m2"], {0.5, 0, 0}, {});
  bodies.add(request["m3"], {request["x"], request["y"], 0}, {});
  if (!(centre_of_mass(bodies).mass > 0))
    throw UsageError("model 'free-fall': m1, m2 and m3 are all 0; at least one of them must be > 0");
  move_to_centre_of_mass(bodies);
  return nbody_snapshot(std::move(bodies));
}

}  // namespace

constinit const Model model_free_fall{
    .name = "free-fall",
    .idea = "three bodies at rest fall towards each other; where the third one starts decides who escapes",
    .parameters = parameters_of_free_fall,
    .origin = origin::mass,
    .suggested_softening = 0,
    .make = make_free_fall};

}  // namespace pleiad
