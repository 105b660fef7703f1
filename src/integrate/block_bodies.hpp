/// Bodies with block time steps of their own, as a stepper has them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/body_paths.hpp"
#include "core/two_sum.hpp"
#include "integrate/near_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pleiad {

struct BlockBodies {
  /// The shortest step is dt 2^-finest: times within dt are whole numbers of it.
  static constexpr int finest = 40;
  static constexpr std::uint64_t ticks = std::uint64_t{1} << finest;

  BodyPaths paths;
  std::vector<std::array<double, 6>> low;       ///< of position and velocity at the end of the last step
  std::vector<double> steps;                    ///< the lengths of the next ones
  std::vector<std::int8_t> levels;              ///< of these: dt 2^-level; < 0: there is no body
  std::array<std::size_t, finest + 1> count{};  ///< bodies of each level
  NearGrid near;                                ///< for within, where someone looks (NearGrid::look)

  void resize(std::size_t n) {
    paths.resize(n);
    low.assign(n, {}), steps.assign(n, 0), levels.assign(n, 0);
  }
  double length_of(int level) const { return std::ldexp(paths.unit, -level); }
  /// The level of the longest step that is not longer than `wanted`, and at least `least`.
  int level_for(double wanted, int least) const {
    while (least < finest && length_of(least) > wanted) ++least;
    return least;
  }
  /// Changes a body's level between steps.
  void give(std::size_t k, int level) {
    if (levels[k] >= 0) --count[std::size_t(levels[k])];
    levels[k] = static_cast<std::int8_t>(level);
    if (level < 0) return;
    steps[k] = length_of(level);
    ++count[std::size_t(level)];
  }
  /// The bodies of this level and finer ones, in ascending order.
  void from_level(int least, std::vector<std::uint32_t>& found) const {
    found.clear();
    // Most blocks of bodies have none: the largest level of a block is found by vectors.
    constexpr std::size_t block = 256;
    for (std::size_t first = 0; first < paths.bodies; first += block) {
      const std::size_t end = std::min(paths.bodies, first + block);
      std::int8_t deepest = -1;
      for (std::size_t k = first; k < end; ++k) deepest = std::max(deepest, levels[k]);
      for (std::size_t k = first; deepest >= least && k < end; ++k)
        if (levels[k] >= least) found.push_back(static_cast<std::uint32_t>(k));
    }
  }
  /// Adds to position and velocity at the beginning of the step, with the low parts.
  void add(std::size_t k, const Vec3<double>& x, const Vec3<double>& v) {
    const double dx[] = {x.x, x.y, x.z}, dv[] = {v.x, v.y, v.z};
    for (std::size_t c = 0; c < 3; ++c) {
      paths.x[c][k] = two_sum(paths.x[c][k], low[k][c], dx[c]);
      paths.v[c][k] = two_sum(paths.v[c][k], low[k][3 + c], dv[c]);
    }
  }
  /// Calls use(k) for the other bodies within a distance of a body, where they are predicted.
  template <class Use>
  void within(std::size_t body, double distance, const Use& use) const {
    const auto &x = paths.x_now[0], &y = paths.x_now[1], &z = paths.x_now[2];
    const double x0 = x[body], y0 = y[body], z0 = z[body], most = distance * distance;
    if (std::vector<std::uint32_t> around; near.about({x0, y0, z0}, distance, around)) {
      for (const std::size_t k : around) {
        const double dx = x[k] - x0, dy = y[k] - y0, dz = z[k] - z0;
        if (dx * dx + dy * dy + dz * dz < most && levels[k] >= 0 && k != body)
          use(static_cast<std::uint32_t>(k));
      }
      return;
    }
    constexpr std::size_t block = 256;
    std::array<double, block> r2;
    for (std::size_t first = 0; first < paths.pulling; first += block) {
      const std::size_t n = std::min(block, paths.pulling - first);
      bool any = false;
      for (std::size_t i = 0; i < n; ++i) {
        const double dx = x[first + i] - x0, dy = y[first + i] - y0, dz = z[first + i] - z0;
        r2[i] = dx * dx + dy * dy + dz * dz;
        any |= r2[i] < most;
      }
      for (std::size_t i = 0; any && i < n; ++i)
        if (r2[i] < most && levels[first + i] >= 0 && first + i != body)
          use(static_cast<std::uint32_t>(first + i));
    }
  }
  /// Moves the path of a body by x, and its velocity by v, at `now`, in units of dt.
  void shift(std::size_t k, double now, const Vec3<double>& x, const Vec3<double>& v) {
    paths.changed.push_back(static_cast<std::uint32_t>(k));
    add(k, x - ((now - paths.from[k]) * paths.unit) * v, v);
  }
};

}  // namespace pleiad
