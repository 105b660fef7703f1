/// A tree on the device: arrays over cells and over bodies, in the layout of its kernels. Plain C++.
///
/// In the tree's units the root is a cube of side 2 and all bodies together weigh 1 at most; both units are
/// powers of two. Sorted bodies are only scaled, so that single precision loses nothing of their separations;
/// cells are also shifted, to the middle of the root, and have two floats per coordinate.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>

namespace pleiad::cuda::tree {

/// Levels below the root that a key distinguishes; bodies with equal keys stay in one leaf.
constexpr int deepest = 21;

struct Frame {
  Vec3<double> middle;             ///< of the root, in the tree's units
  double per_length, per_mass;     ///< the tree's units of the caller's
  double acceleration, potential;  ///< the caller's units of the tree's
  double eps;                      ///< in the tree's units
  bool finite;                     ///< all positions and the whole mass
};

/// Filled by kernels, read by the host between them.
struct Status {
  std::uint32_t first[deepest + 2], count[deepest + 2];  ///< the cells of each level
  std::uint32_t overflowed;                              ///< 1: cells or entries of lists did not find room
  std::uint32_t chunks;                                  ///< requested chunks of lists
  std::uint32_t tiles, softened_cells;
  std::uint32_t finite;
  std::uint32_t groups;                         ///< of bodies that walk together
  unsigned long long pairs, cell_pairs, tests;  ///< of walks
};

struct alignas(16) Cell {
  std::uint32_t begin, end, first_child, children;  ///< no children: a leaf
};
/// Position of a cell: its centre of mass, x + lx, and the radius about it that contains its bodies; its
/// unit.
struct alignas(16) Place {
  float x, y, z, r, lx, ly, lz, unit;
};
/// The mass of a cell, and the approximate least acceleration of its bodies; set for the error MAC.
struct Strength {
  float mass, acceleration;
};
struct Box {
  float low[3], high[3];
};

/// A level's cells.
struct Range {
  std::uint32_t first = 0, count = 0;
};

/// The first chunk of a list and how many entries it has in all; the chunks follow by Lists::next.
struct List {
  std::uint32_t chunk, count;
};
struct Lists {
  static constexpr std::uint32_t chunk = 32;  ///< entries in one: a warp's
  std::uint32_t* entries;
  std::uint32_t* next;
  std::uint32_t room;  ///< chunks; one more takes entries that do not fit
  /// Lists of cells: sources whose field a cell takes, without softening and with it; the P2P list, those
  /// still too close: its children test them, a leaf adds their bodies one by one.
  List *m2l, *softened_m2l, *p2p;
};

/// Targets that a warp sums up at once.
struct Tile {
  static constexpr std::uint32_t most = 128, least = 8;
  std::uint32_t cell;
  std::uint32_t first;  ///< of the cell's bodies
  /// Number of targets of a warp. Fewer leaves have longer P2P lists: all warps would wait for one with all
  /// pairs of a wide leaf and everything around it (5 of 7 ms at 262144 bodies).
  PLEIAD_HD static constexpr std::uint32_t targets(std::uint32_t leaves) {
    return leaves <= 256 ? most : leaves <= 1024 ? 4 * least : least;
  }
};

struct Cells {
  Cell* cells;
  std::uint32_t* parents;
  Place* places;
  Strength* strengths;
  Box* boxes;
  float *records, *moments;           ///< for far cells: place, mass, folded moments; and all moments
  float *folded, *softened, *locals;  ///< fields: from M2L, from softened M2L, and all
  std::uint32_t room;
  /// With several devices each has the whole tree and computes the fields and pulls of some targets only: of
  /// the leaves whose first bodies are `from` to `to` - 1 of the sorted ones, and of the cells around these.
  bool divided;
  std::uint32_t from, to;

  PLEIAD_HD bool takes(std::uint32_t c) const {
    if (!divided) return true;
    const Cell cell = cells[c];
    return cell.begin < to && (cell.children > 0 ? cell.end > from : cell.begin >= from);
  }
};

/// Destinations of accelerations: ranges of bodies, each into an array of its own, of this device or of
/// another one.
template <class T>
struct Outputs {
  static constexpr int most = 8;
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  Vec4<T>* of[most]{};  ///< of[k]: of the bodies from first[k] on, up to those of the next range
  std::uint32_t first[most]{0, none, none, none, none, none, none, none};

  PLEIAD_HD Vec4<T>& operator[](std::uint32_t i) const {
    Vec4<T>* to = of[0];
    std::uint32_t from = 0;
    for (int k = 1; k < most; ++k)
      if (i >= first[k]) to = of[k], from = first[k];
    return to[i - from];
  }
};

template <class T>
struct Sorted {
  const Mass<T>* bodies;
  const std::uint32_t* order;  ///< the caller's index of each
  std::uint32_t n;
};

/// All that kernels work on.
template <class T>
struct Tree {
  Frame* frame;
  Status* status;
  Cells cells;
  Lists lists;
  Tile* tiles;
  Sorted<T> bodies;
};

}  // namespace pleiad::cuda::tree
