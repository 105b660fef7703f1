/// The steps of building a tree, for those who do something of their own between them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tree/tree.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::tree {

/// Bounding box and total mass of bodies.
struct Extent {
  Vec3<double> low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  double mass = 0;
  bool finite = true;  ///< the positions
  /// Extends the box. If two equal corners are zero the sign of the first stays.
  void add_places(const Extent& e);
};
/// Number of bodies in the blocks whose masses are added first; these sums are added one after another.
inline constexpr std::size_t mass_block = 16384;
template <class T>
Extent extent_of(std::span<const Mass<T>> bodies);

/// The tree's units from all of its bodies; false when a place, the extent or the mass is not finite.
bool take_units(Tree& tree, const Extent& extent);
/// The keys of bodies in the tree's units.
template <class T>
std::vector<std::uint64_t> keys_of(const Tree& tree, std::span<const Mass<T>> bodies);
/// Keys of the bodies, sorted; sets the order of the tree to that of the bodies along the curve.
template <class T>
std::vector<std::uint64_t> sort_along_curve(Tree& tree, std::span<const Mass<T>> bodies);
/// Places and masses, in the tree's units and order.
template <class T>
void take_bodies(Tree& tree, std::span<const Mass<T>> bodies);

}  // namespace pleiad::tree
