/// The radii of softening splines in a tree. A cell may be used for a target only where all of its bodies are
/// outside of the splines that they have with the target: its field is Newtonian there.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace pleiad::tree {

struct Tree;

/// Radii in the tree's units. Empty: there are no splines.
struct Splines {
  std::vector<double> radii;    ///< of the bodies, in the tree's order
  std::vector<double> largest;  ///< of the bodies of each cell, and zeros to the end of a vector
  SofteningRule rule = SofteningRule::max;

  bool any() const { return !radii.empty(); }
  /// From softenings eps of the bodies, in the caller's order, or from `one` of all if there are none.
  void take(const Tree& tree, std::span<const double> eps, double one, SofteningRule pairs);
  void clear() { radii.clear(), largest.clear(); }
  std::size_t bytes() const { return (radii.capacity() + largest.capacity()) * sizeof(double); }
};

}  // namespace pleiad::tree
