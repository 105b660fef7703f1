/// Drawing bodies: one independent random stream per body, so any number of threads gives the same ones.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/threads.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/models.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace pleiad {

struct Phase {
  Vec3<double> position{}, velocity{};
};

/// ResourceError, before anything is allocated, if the machine has too little memory for n bodies.
void need_memory(std::size_t n);

/// n bodies of equal mass `total / n`; body i is whatever `place` makes of its own stream (seed, i, purpose
/// of `component`). `component` names the model and its part, as in "galaxy/halo": bodies of different
/// components and models share no draws.
Bodies draw_bodies(std::size_t n, double total, std::uint64_t seed, std::string_view component,
                   const std::function<Phase(Random&)>& place, Type type = Type::halo);

/// Uniform in the ball of radius 1.
Vec3<double> in_unit_ball(Random& random);

/// The one wording of the parameter n.
constexpr ModelParameter bodies_parameter(double count) { return {"n", count, 1, 1e10, "number of bodies"}; }

/// A preset of the classic GPU demo: unit masses in a ball whose radius grows with their number. `velocity`
/// is drawn after the position, in a ball of that radius.
Snapshot demo_ball(
    const ModelRequest& request, std::string_view name,
    const std::function<Vec3<double>(Random&, Vec3<double> position, double radius)>& velocity);
inline constexpr ModelParameter demo_scale_parameter{
    "cluster_scale", 1.54, 1e-6, 1e6, "radius of the ball per 1024 bodies (never less than for 1024)"};

/// Texts for the point at the origin of a model (Model::origin). A sphere that reaches far out has its own
/// centre there, not that of its mass: a few bodies in the outskirts would shift the latter from the core, by
/// r_rms / sqrt(n).
namespace origin {
inline constexpr std::string_view mass = "the centre of mass, at rest",
                                  profile = "the centre of the profile; total momentum 0",
                                  box = "a corner of the box; total momentum 0";
}

/// Subtracts the velocity of the centre of mass, of all bodies where a part is drawn; positions stay.
void remove_drift(Bodies& bodies);
/// Subtracts its position too.
void centre_by_mass(Bodies& bodies);

/// A snapshot in N-body units, G = 1, open space.
Snapshot nbody_snapshot(Bodies bodies);

}  // namespace pleiad
