/// Paths whose places are too far apart for a line: chords between them would show no orbit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>

namespace pleiad::render_detail {

/// Returns whether a polygon through these places, in the order of time, turns by more than 45 degrees at
/// more than a tenth of its corners: less than eight places an orbit. Single sharp turns, as of close
/// encounters, are no more than that.
inline bool sparse_path(std::span<const Vec3<double>> places) {
  std::size_t corners = 0, sharp = 0;
  for (std::size_t k = 2; k < places.size(); ++k) {
    const auto before = places[k - 1] - places[k - 2], after = places[k] - places[k - 1];
    const double lengths = norm(before) * norm(after);
    if (!(lengths > 0)) continue;
    ++corners;
    if (!(dot(before, after) >= lengths / std::numbers::sqrt2)) ++sharp;
  }
  return 10 * sharp > corners;
}

}  // namespace pleiad::render_detail
