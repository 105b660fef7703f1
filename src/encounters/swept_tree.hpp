/// Pairs of boxes that overlap, by a tree of boxes: each body's box holds its path during a step.
///
/// The bodies are put in the order of a space-filling curve, eight to a leaf, and cells are pairs of cells.
/// The order is kept from step to step, and only the boxes are made anew, until the search has become slower
/// than it was with a new order. The pairs do not depend on the order.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace pleiad::encounters {

/// A box, with its faces.
struct SweptBox {
  Vec3<double> low, high;
  /// Without a branch: whether boxes overlap is hard to predict.
  bool overlaps(const SweptBox& o) const {
    const int x = int(low.x <= o.high.x) & int(o.low.x <= high.x),
              y = int(low.y <= o.high.y) & int(o.low.y <= high.y),
              z = int(low.z <= o.high.z) & int(o.low.z <= high.z);
    return (x & y & z) != 0;
  }
  void add(const SweptBox& other);
};

class SweptTree {
 public:
  /// Work on a pair, i < j, in any thread; calls with the same `block` come one after the other.
  using Each = std::function<void(std::size_t block, std::uint32_t i, std::uint32_t j)>;
  /// The number of blocks for n bodies.
  static std::size_t blocks(std::size_t n);
  /// Calls `each` once for each pair whose boxes overlap, unless both are `idle`. Boxes must be finite.
  void for_pairs(std::span<const SweptBox> boxes, std::span<const std::uint8_t> idle, const Each& each);

 private:
  static constexpr std::size_t leaf = 8;
  void sort(std::span<const SweptBox> boxes);
  void make_cells();

  std::vector<std::uint32_t> order_;
  std::vector<SweptBox> boxes_;                ///< in this order
  std::vector<std::vector<SweptBox>> levels_;  ///< of cells: leaves first
  std::size_t work_ = 0, work_when_sorted_ = 0;
};

}  // namespace pleiad::encounters
