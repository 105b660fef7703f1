/// The images of a periodic box that a tree on a device walks like its bodies. Plain C++.
///
/// Lists and stacks hold entries: the number of a cell, and in a periodic box above it the number of the
/// image in which it is meant. Kernels are compiled for both spaces, so that open space pays nothing.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/tree/cells.hpp"

namespace pleiad::cuda::tree {

struct Images {
  /// By how much each is shifted, in the tree's units, on the device; the first is 0. Opposite shifts are
  /// opposite to the bit. Null: open space.
  const Vec3<double>* shifts = nullptr;
  std::uint32_t count = 1;
  int cell_bits = 32;  ///< of an entry, that are the cell's

  bool any() const { return shifts != nullptr; }
};

/// The cell of an entry.
template <bool in_box>
PLEIAD_HD std::uint32_t cell_of(std::uint32_t entry, const Images& images) {
  if constexpr (in_box) return entry & ((1u << images.cell_bits) - 1);
  else return entry;
}
/// The entry of cell 0 in the same image: the numbers of other cells are added to it.
template <bool in_box>
PLEIAD_HD std::uint32_t image_of(std::uint32_t entry, const Images& images) {
  if constexpr (in_box) return entry & ~((1u << images.cell_bits) - 1);
  else return 0;
}

/// Target less source, both with two parts; the source is the cell of this entry. The shift is added after
/// the difference, so that the opposite pair has the opposite separation to the bit; and in double precision,
/// since images of neighbours lie on opposite faces of the box.
template <bool in_box>
PLEIAD_HD Vec3<float> separation(const Place& t, const Place& s, std::uint32_t entry, const Images& images) {
  if constexpr (in_box)
    if (const auto image = entry >> images.cell_bits; image != 0) {
      const Vec3<double> shift = images.shifts[image];
      const auto along = [](float x, float lx, float from, float l_from, double by) {
        return float(((double(x) - double(from)) + (double(lx) - double(l_from))) - by);
      };
      return {along(t.x, t.lx, s.x, s.lx, shift.x), along(t.y, t.ly, s.y, s.ly, shift.y),
              along(t.z, t.lz, s.z, s.lz, shift.z)};
    }
  return {(t.x - s.x) + (t.lx - s.lx), (t.y - s.y) + (t.ly - s.ly), (t.z - s.z) + (t.lz - s.lz)};
}

}  // namespace pleiad::cuda::tree
