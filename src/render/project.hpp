/// Projection from space to the image: the pixel of a body.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/render.hpp"
#include "render/splat.hpp"

#include <array>
#include <vector>

namespace pleiad::render_detail {

/// Up to this many bodies are drawn one by one as discs.
inline constexpr std::size_t few_bodies = 64;

/// The view in numbers.
splat::Projection projection_of(const View& view, const Boundary& boundary);
/// A place on the image, in pixels from the upper left corner.
Spot place_of(Vec3<double> position, const View& view);

/// False for bodies that cannot be drawn: a coordinate or the mass is not finite.
bool drawable(const Bodies& bodies, std::size_t i);

/// The bodies of each type in and about the image, weighted by mass; images of periodic bodies included.
/// Bodies without mass shine like the lightest of their type that has some, of all ranks.
std::array<std::vector<Spot>, splat::types> project(const Snapshot& snapshot, const View& view,
                                                    ranks::Communicator& ranks = ranks::self());

}  // namespace pleiad::render_detail
