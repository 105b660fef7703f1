/// A tree over bodies: cells are ranges of sorted bodies, breadth first, so that the children of a cell and
/// the cells of a level lie together. Structures differ in how they make cells; all other code uses cells
/// only.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/kernel/tree.hpp>
#include <pleiad/vec.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::tree {

struct Cell {
  std::uint32_t begin = 0, end = 0;             ///< bodies, in the tree's order
  std::uint32_t first_child = 0, children = 0;  ///< at most 8; none: a leaf
  std::uint32_t parent = 0, level = 0;
  std::uint32_t bodies() const { return end - begin; }
  bool leaf() const { return children == 0; }
};

/// Additional data of a tree that has a part of the bodies only: of the others' cells those that its own
/// targets need, with moments that were computed elsewhere. See src/domain.
struct Share {
  /// The cell's moments were found elsewhere.
  static constexpr std::uint8_t given = 1;
  /// None of its bodies is a target.
  static constexpr std::uint8_t foreign = 2;
  std::vector<std::uint32_t> bodies;  ///< of each cell, in the whole tree
  std::vector<std::uint8_t> marks;    ///< of each cell
  std::uint32_t first_target = 0;     ///< bodies from here on are the targets, as many as there are sums
};

/// In the tree's units all bodies are in the cube [-1, 1]^3 about `centre`, an octree's root, and have a
/// total mass of 1, so that nothing over- or underflows in single precision.
struct Tree {
  static constexpr unsigned levels_per_key = 21;  ///< three bits of a key for each
  /// Depth limit below the root. Octree cells are then below double resolution; a kd-tree, with three
  /// halvings per level, would need 2^126 bodies; the keys of bounding volumes have 126 bits.
  static constexpr unsigned deepest = 2 * levels_per_key;
  /// Resolution of positions.
  static constexpr double resolution = 0x1p-53;

  Structure structure = Structure::octree;
  bool kept = false;  ///< the cells were made of other places of the bodies
  Vec3<double> centre{};
  double length = 1, mass = 1;        ///< of the tree's units in the caller's; powers of two
  std::vector<std::uint32_t> order;   ///< the caller's index of each body
  std::vector<double> x, y, z, m;     ///< the bodies, sorted, in the tree's units
  std::vector<Cell> cells;            ///< cells[0] is the root; none without bodies
  std::vector<std::uint32_t> levels;  ///< first cell of each level, and the number of cells at the end
  Share share;                        ///< empty: all bodies are here, and targets

  std::uint32_t bodies_of(std::uint32_t c) const {
    return share.bodies.empty() ? cells[c].bodies() : share.bodies[c];
  }
  bool given(std::uint32_t c) const { return !share.marks.empty() && (share.marks[c] & Share::given) != 0; }
  bool foreign(std::uint32_t c) const {
    return !share.marks.empty() && (share.marks[c] & Share::foreign) != 0;
  }
  std::size_t bytes() const {
    return order.capacity() * sizeof(order[0]) + 4 * x.capacity() * sizeof(double) +
           cells.capacity() * sizeof(Cell) + share.bodies.capacity() * sizeof(share.bodies[0]) +
           share.marks.capacity();
  }
};

/// Builds a tree. Cells with more than `leaf_size` bodies are divided, as long as the bodies can be
/// separated; so are wide cells next to dense regions. At most 2^32 - 1 bodies. The same tree for any number
/// of threads. False, and no cells, when a position, the extent or the whole mass is not finite.
template <class T>
bool build(Tree& tree, std::span<const Mass<T>> bodies, std::uint32_t leaf_size,
           Structure structure = Structure::octree);

/// Updates a tree whose bodies have moved: cells stay, and only positions and masses are taken. The bodies
/// must be those that it was built of, in the same order. False if a position or mass is not finite.
template <class T>
bool refresh(Tree& tree, std::span<const Mass<T>> bodies);

/// A cell of an octree as a cube: its side, and its middle.
inline double side_of(const Cell& cell) { return std::ldexp(2.0, -int(cell.level)); }
inline Vec3<double> middle_of(const Tree& tree, const Cell& cell) {
  const double side = side_of(cell);
  const auto middle = [side](double x) { return (std::floor((x + 1) / side) + 0.5) * side - 1; };
  return {middle(tree.x[cell.begin]), middle(tree.y[cell.begin]), middle(tree.z[cell.begin])};
}

}  // namespace pleiad::tree
