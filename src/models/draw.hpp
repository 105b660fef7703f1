/// Drawing bodies: one independent random stream per body, so any number of threads gives the same ones.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/models.hpp>
#include <pleiad/rng.hpp>

#include <cstdint>
#include <functional>
#include <string_view>

namespace pleiad {

/// Which component of a model a stream of draws belongs to; the second galaxy of an encounter adds
/// `companion`.
namespace purpose {
inline constexpr std::uint32_t single = 0, halo = 1, disc = 2, bulge = 3, companion = 8;
}

struct Phase {
  Vec3<double> position{}, velocity{};
};

/// n bodies of equal mass `total / n`; body i is whatever `place` makes of its own stream (seed, i, purpose).
Bodies draw_bodies(std::size_t n, double total, std::uint64_t seed, std::uint32_t purpose,
                   const std::function<Phase(Random&)>& place, Type type = Type::halo);

/// Uniform in the ball of radius 1.
Vec3<double> in_unit_ball(Random& random);

/// The one wording of the parameter n.
constexpr ModelParameter bodies_parameter(double count) { return {"n", count, 1, 1e10, "number of bodies"}; }

/// A snapshot in N-body units, G = 1, open space.
Snapshot nbody_snapshot(Bodies bodies);

}  // namespace pleiad
