/// Which bodies are neighbours of a body: those whose pulls on it change fast.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace pleiad {

/// The places of a body's neighbours among BodyPaths, in ascending order.
using NeighbourList = std::vector<std::uint32_t>;

/// How far neighbours are. A body k is one of a body i where r^2 + 2 t min(r.v, 0) < radius_i^2 weight_k,
/// with r and v from i to k and the time t = ahead_i: within the radius, or where it may be there in that
/// time.
struct NeighbourReach {
  std::vector<double> radius;  ///< of each body
  std::vector<double> ahead;   ///< of each body
  std::vector<double> weight;  ///< of each source, and ones behind them up to whole vectors
};

}  // namespace pleiad
