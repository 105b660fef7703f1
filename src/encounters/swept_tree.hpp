/// Pairs of boxes that overlap, by a tree of boxes: each body's box holds its path during a step.
///
/// The bodies are put in the order of a space-filling curve. Eight of them make a cell, eight cells a larger
/// one. Pairs of cells that overlap are divided into pairs of their parts, eight boxes at a time, in single
/// precision rounded outwards. The order is kept from step to step, and only the boxes are made anew, until
/// searches in an old order have cost more time than a new one. The pairs do not depend on the order.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace pleiad::encounters {

/// A box, with its faces.
struct SweptBox {
  Vec3<double> low, high;
  void add(const Vec3<double>& point) {
    low = {std::min(low.x, point.x), std::min(low.y, point.y), std::min(low.z, point.z)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y), std::max(high.z, point.z)};
  }
};

class SweptTree {
 public:
  /// Work on a pair, i < j, in any thread; calls with the same `block` come one after the other.
  using Each = std::function<void(std::size_t block, std::uint32_t i, std::uint32_t j)>;
  /// The number of blocks for n bodies.
  static std::size_t blocks(std::size_t n);
  /// Calls `each` once for each pair whose boxes overlap, unless both are `idle`; also for pairs whose boxes
  /// overlap only when they are rounded to 2^-23 of their distance from the middle of all. Boxes must be
  /// finite.
  void for_pairs(std::span<const SweptBox> boxes, std::span<const std::uint8_t> idle, const Each& each);

  /// Eight boxes: faces by axis, in single precision, from the middle of all. Empty ones overlap nothing.
  struct alignas(32) Cell {
    std::array<std::array<float, 8>, 3> low, high;
  };

 private:
  class Walk;
  void sort(std::span<const SweptBox> boxes);
  void make_cells(std::span<const SweptBox> boxes, std::span<const std::uint8_t> idle);

  std::vector<std::uint32_t> order_;
  Vec3<double> middle_{};
  /// From the bodies upwards: cell c of a level has the boxes of eight bodies, or of the cells 8 c to 8 c + 7
  /// of the level below. The highest level has one cell.
  std::vector<std::vector<Cell>> levels_;
  /// For each cell the bits of its boxes in which not all bodies are idle.
  std::vector<std::vector<std::uint8_t>> awake_;
  double sort_seconds_ = 0, shortest_ = 0, lost_ = 0;  ///< of searches since the order is new
};

}  // namespace pleiad::encounters
