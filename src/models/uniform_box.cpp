/// Uniform box: bodies anywhere in a periodic box, at rest or with a Maxwellian velocity.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/draw.hpp"

#include <array>
#include <cmath>

namespace pleiad {
namespace {

constexpr std::array parameters_of_uniform_box{
    bodies_parameter(4096),
    ModelParameter{"dimension", 3, 2, 3, "2: all in the plane z = 0; 3: in the cube"},
    ModelParameter{"box", 1, 1e-6, 1e9, "side of the periodic box [0, box)"},
    ModelParameter{"total_mass", 0, 0, 1e12, "mass of all bodies together; 0: every body has mass 1"},
    ModelParameter{"sigma", 0, 0, 1e9, "velocity dispersion per axis; 0: at rest"},
};

/// The sum box * u can round up to the box itself, which belongs to the next period.
double inside(double x, double box) { return x < box ? x : std::nextafter(box, 0.0); }

Snapshot make_uniform_box(const ModelRequest& request) {
  const std::size_t n = request.count("n");
  const bool flat = request.count("dimension") == 2;
  const double box = request["box"], sigma = request["sigma"], mass = request["total_mass"];
  auto snapshot = nbody_snapshot(draw_bodies(
      n, mass > 0 ? mass : static_cast<double>(n), request.seed, "uniform-box", [&](Random& random) {
        Phase phase;
        phase.position.x = inside(box * random.uniform(), box);
        phase.position.y = inside(box * random.uniform(), box);
        if (!flat) phase.position.z = inside(box * random.uniform(), box);
        if (sigma > 0) {
          phase.velocity = {sigma * random.normal(), sigma * random.normal(), 0};
          if (!flat) phase.velocity.z = sigma * random.normal();
        }
        return phase;
      }));
  snapshot.boundary = {.periodic = true, .length = {box, box, box}};
  // A periodic box has no centre, but its momentum can be zero.
  if (sigma > 0) remove_drift(snapshot.bodies);
  return snapshot;
}

}  // namespace

constinit const Model model_uniform_box{
    .name = "uniform-box",
    .idea = "bodies uniformly at random in a periodic box, in two or three dimensions, at rest or thermal",
    .parameters = parameters_of_uniform_box,
    .origin = origin::box,
    .suggested_softening = 0,
    .make = make_uniform_box};

}  // namespace pleiad
