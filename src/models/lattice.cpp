/// Lattice: a square of side x side bodies in the periodic unit box; for odd sides every force is zero by
/// symmetry.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/draw.hpp"

#include <array>

namespace pleiad {
namespace {

constexpr std::array parameters_of_lattice{
    ModelParameter{"side", 33, 1, 4096, "bodies along one side: there are side * side of them"},
};

Snapshot make_lattice(const ModelRequest& request) {
  const std::size_t side = request.count("side");
  const double step = 1 / static_cast<double>(side);
  Bodies bodies;
  bodies.resize(side * side);
  for_each_index(bodies.size(), [&](std::size_t i) {
    bodies.x[i] = (static_cast<double>(i % side) + 0.5) * step;
    bodies.y[i] = (static_cast<double>(i / side) + 0.5) * step;
    bodies.mass[i] = 1, bodies.id[i] = i;
  });
  auto snapshot = nbody_snapshot(std::move(bodies));
  snapshot.boundary = {.periodic = true, .length = {1, 1, 1}};
  return snapshot;
}

}  // namespace

constinit const Model model_lattice{
    .name = "lattice",
    .idea = "a square lattice at rest in the periodic unit box (plane z = 0): a symmetry test of forces",
    .parameters = parameters_of_lattice,
    .origin = "a corner of the box; all at rest",
    .suggested_softening = 0,
    .make = make_lattice};

}  // namespace pleiad
