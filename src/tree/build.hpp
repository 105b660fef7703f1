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

/// Where bodies are, and what they weigh together.
struct Extent {
  Vec3<double> low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  double mass = 0;
  bool finite = true;  ///< the positions
  /// Of two equal corners that are zero the sign of the first stays.
  void add_places(const Extent& e);
};
/// Masses are added in blocks of so many bodies, and these sums one after the other.
inline constexpr std::size_t mass_block = 16384;
template <class T>
Extent extent_of(std::span<const Mass<T>> bodies);

/// The tree's units from all of its bodies; false when a place, the extent or the mass is not finite.
bool take_units(Tree& tree, const Extent& extent);
/// The keys of bodies in the tree's units, sorted; the order that the bodies then have is the tree's.
template <class T>
std::vector<std::uint64_t> sort_along_curve(Tree& tree, std::span<const Mass<T>> bodies);
/// Places and masses, in the tree's units and order.
template <class T>
void take_bodies(Tree& tree, std::span<const Mass<T>> bodies);

}  // namespace pleiad::tree
