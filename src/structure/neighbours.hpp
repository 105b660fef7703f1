/// The points of a set that are nearest to each of them, by a balanced k-d tree.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace pleiad::structure {

/// Another point of the set, by its number, and its squared distance.
struct Neighbour {
  double distance2 = 0;
  std::size_t point = 0;
  /// Nearer first; of two at one distance that with the smaller number.
  auto operator<=>(const Neighbour&) const = default;
};

class Neighbours {
 public:
  /// Points in open space, all finite.
  explicit Neighbours(std::span<const Vec3<double>> points);

  /// The `count` points nearest to point `i`, without itself, in ascending order; all others if there are
  /// fewer. Any number of threads may call it at once.
  std::vector<Neighbour> nearest(std::size_t i, std::size_t count) const;

 private:
  void build(std::size_t begin, std::size_t end);
  void search(std::size_t begin, std::size_t end, const Vec3<double>& from, std::size_t self,
              std::size_t count, std::vector<Neighbour>& found) const;

  std::vector<Vec3<double>> points_;  ///< by number
  std::vector<std::size_t> order_;    ///< numbers: the middle of a range divides it along axis_[middle]
  std::vector<unsigned char> axis_;
};

}  // namespace pleiad::structure
