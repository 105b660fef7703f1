/// Positions, sizes and moments of the cells of a tree.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tree/indices.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace pleiad::tree {

/// A cell's record, for expansions of order p in numbers M: its centre of mass in two parts x + lx, its mass
/// and its unit of length, then moments from order 2 on in that unit: the folded ones, and all of them. In
/// fours, so that vectors can be loaded from several records at once.
template <int p>
struct Record {
  static constexpr int x = 0, y = 1, z = 2, m = 3, lx = 4, ly = 5, lz = 6, unit = 7;
  static constexpr int folded = 8, folded_count = folded_moments(p) - 1;
  static constexpr int full = folded + (folded_count + 3) / 4 * 4, full_count = moments(p) - 1;
  static constexpr int size = full + (full_count + 3) / 4 * 4;
};

/// Positions and sizes of cells, by their number.
struct CellPlaces {
  std::vector<double> x, y, z;  ///< centres of mass
  std::vector<double> radius;   ///< of the sphere about it that holds all bodies
  std::vector<double> masses;
  struct Box {
    std::array<double, 3> low, high;
  };
  std::vector<Box> boxes;  ///< the bodies' bounding boxes

  /// Vectors are loaded beyond the last cell.
  static constexpr std::size_t room = 16;
};

/// Moments of all cells.
template <class M>
struct Moments : CellPlaces {
  std::vector<M> records;
  std::size_t stride = 0;  ///< Record<p>::size

  const M* record(std::size_t cell) const { return &records[cell * stride]; }
  void resize(std::size_t cells, std::size_t record_size) {
    for (auto* v : {&x, &y, &z, &radius}) v->resize(cells + room);
    boxes.resize(cells), masses.resize(cells);
    stride = record_size;
    records.resize(cells * stride + room);
  }
  std::size_t bytes() const {
    return records.capacity() * sizeof(M) + boxes.capacity() * sizeof(Box) +
           (4 * x.capacity() + masses.capacity()) * sizeof(double);
  }
};

}  // namespace pleiad::tree
