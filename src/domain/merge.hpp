/// The tree that a rank evaluates on the host: its own part and the cells of its LET, in the order of the
/// whole tree, so that its targets meet the same cells in the same order.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/host_cells.hpp"

#include <cstdint>
#include <vector>

namespace pleiad::domain {

/// Source of a cell of the merged tree.
struct Origin {
  std::uint32_t cell;  ///< index in the own tree, or among the known cells
  bool own;
};

template <class M>
struct Merged {
  tree::Tree tree;
  tree::Memory<M> memory;
  std::vector<Origin> origins;
};

/// Merges the cells only; bodies have numbers, but no positions yet.
template <class M>
Merged<M> merge_cells(const tree::Tree& own, int rank, const Known& known, const HostKnown<M>& there);
/// Moments, but of their boxes and masses, which forces need no more, and scales. They move: one array after
/// the other, so that there is room for one of them twice.
template <class M>
void move_moments(tree::Memory<M>& own, tree::Memory<M>& known, Merged<M>& to);
/// Moments as in move_moments, but copied.
template <class M>
void copy_moments(const tree::Memory<M>& own, const tree::Memory<M>& known, Merged<M>& to);
/// Moves the bodies. A cell of others that is not opened has one body, at the position of its first and with
/// a mass of NaN: a pull by it would be noticed.
template <class M>
void move_bodies(tree::Tree& own, HostKnown<M>& there, Merged<M>& to);

}  // namespace pleiad::domain
