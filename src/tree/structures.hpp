/// The structures of trees: each divides cells in its own way, from the root, which is all bodies, down. The
/// bodies lie along the curve before, in the order of their keys.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tree/cell_head.hpp"
#include "tree/division.hpp"
#include "tree/tree.hpp"

#include <cstdint>
#include <span>

namespace pleiad::tree {

/// Cubes into eight at the middle. Cubes with keys outside of the range have bodies elsewhere, and are too
/// large for a leaf.
void divide_into_octants(Tree& tree, std::span<std::uint64_t> keys, Need need, const KeyRange& own = {});
/// Divides cells into halves of equal numbers of bodies, across their longest sides. Bodies with equal
/// coordinates are ordered along the curve.
void divide_at_medians(Tree& tree, Need need);
/// Cells into those whose keys have the first bit in which they differ, and those without it.
void divide_by_prefixes(Tree& tree, std::span<const std::uint64_t> keys, Need need);

}  // namespace pleiad::tree
