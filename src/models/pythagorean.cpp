/// Pythagorean problem: masses 3, 4, 5 at rest at the corners of a 3-4-5 triangle (Burrau 1913).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/draw.hpp"

namespace pleiad {
namespace {

Snapshot make_pythagorean(const ModelRequest&) {
  Bodies bodies;
  bodies.add(3, {1, 3, 0}, {});
  bodies.add(4, {-2, -1, 0}, {});
  bodies.add(5, {1, -1, 0}, {});
  return nbody_snapshot(std::move(bodies));
}

}  // namespace

constinit const Model model_pythagorean{
    .name = "pythagorean",
    .idea = "masses 3, 4, 5 at rest on a 3-4-5 triangle: close encounters that end in an escape near t = 60",
    .parameters = {},
    .origin = origin::mass,
    .suggested_softening = 0,
    .make = make_pythagorean};

}  // namespace pleiad
