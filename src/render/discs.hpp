/// Pictures of few bodies: glowing discs whose size shows the mass, and their trajectories.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/colour.hpp"
#include "render/render.hpp"

namespace pleiad::render_detail {

/// Draws every body as a disc with a soft glow; the heaviest is the largest, the lightest still visible.
void draw_discs(Film& film, const Snapshot& snapshot, const View& view);
/// Draws the lines, fading towards the past; dots where the places are too far apart for a line.
void draw_trails(Film& film, const Snapshot& snapshot, const View& view, const Trails& trails);

}  // namespace pleiad::render_detail
