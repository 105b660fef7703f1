/// Bodies sorted by the cells of a regular grid, for what needs all bodies near a place.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "structure/periodic.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::structure {

/// Integer coordinates of a cell.
using Place = std::array<std::int32_t, 3>;

/// The bodies of one cell: `count` entries of Cells::bodies from `first` on.
struct Cell {
  Place place{};
  std::size_t first = 0, count = 0;
};

/// Positions in open space, or in a periodic box: there all are in [0, length).
class Cells {
 public:
  /// Sorts the chosen bodies into cells, no side of which is longer than `longest`. UsageError if a side of
  /// the set has more than 2^30 cells.
  Cells(const Bodies& bodies, std::span<const std::size_t> chosen, const Boundary& boundary, double longest);

  /// Cells with bodies, in ascending order of their places.
  std::span<const Cell> cells() const { return cells_; }
  /// Numbers of the chosen bodies, those of a cell together and in ascending order.
  std::span<const std::size_t> bodies() const { return order_; }
  /// The position of bodies()[k].
  Vec3<double> position(std::size_t k) const { return positions_[k]; }

  /// The cell at `place` + `offset`, around the box if it is periodic, or null if no body is there. `image`:
  /// what must be added to the positions of its bodies.
  const Cell* beside(const Place& place, const Place& offset, Vec3<double>& image) const;

  /// Calls use(k, d) for each body k, as in bodies(), with the vector d from `centre` to its nearest image,
  /// if |d| <= radius. In a periodic box the radius is at most half the shortest side.
  template <class Use>
  void visit(const Vec3<double>& centre, double radius, const Use& use) const;

 private:
  std::span<const Cell> row(std::int32_t x, std::int32_t y, std::int32_t low, std::int32_t high) const;

  Boundary boundary_;
  Vec3<double> origin_{}, side_{1, 1, 1};
  Place count_{};  ///< cells along each side
  std::vector<std::size_t> order_;
  std::vector<Vec3<double>> positions_;
  std::vector<Cell> cells_;
};

template <class Use>
void Cells::visit(const Vec3<double>& centre, double radius, const Use& use) const {
  const auto c = into_box(centre, boundary_);
  const std::array from{c.x - origin_.x, c.y - origin_.y, c.z - origin_.z}, side{side_.x, side_.y, side_.z};
  Place low{}, high{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double a = std::floor((from[k] - radius) / side[k]), b = std::floor((from[k] + radius) / side[k]);
    if (boundary_.periodic && b - a + 1 >= count_[k]) low[k] = 0, high[k] = count_[k] - 1;
    else if (boundary_.periodic) low[k] = std::int32_t(a), high[k] = std::int32_t(b);
    else
      low[k] = std::int32_t(std::clamp(a, 0.0, double(count_[k] - 1))),
      high[k] = std::int32_t(std::clamp(b, 0.0, double(count_[k] - 1)));
  }
  const auto around = [&](std::int32_t at, std::size_t k) {
    return at < 0 ? at + count_[k] : at >= count_[k] ? at - count_[k] : at;
  };
  const auto of_row = [&](std::int32_t x, std::int32_t y, std::int32_t z_low, std::int32_t z_high) {
    for (const Cell& cell : row(x, y, z_low, z_high))
      for (std::size_t k = cell.first; k < cell.first + cell.count; ++k) {
        const auto d = shortest(positions_[k] - c, boundary_);
        if (dot(d, d) <= radius * radius) use(k, d);
      }
  };
  for (std::int32_t x = low[0]; x <= high[0]; ++x)
    for (std::int32_t y = low[1]; y <= high[1]; ++y) {
      const auto wx = around(x, 0), wy = around(y, 1);
      const std::int32_t end = count_[2] - 1;
      if (low[2] < 0) of_row(wx, wy, low[2] + count_[2], end);
      of_row(wx, wy, std::max(low[2], 0), std::min(high[2], end));
      if (high[2] > end) of_row(wx, wy, 0, high[2] - count_[2]);
    }
}

}  // namespace pleiad::structure
