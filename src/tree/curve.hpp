/// Keys along a space-filling curve: Morton's, which interleaves the bits of the coordinates.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tree/tree.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::tree {

/// Key of a position in the root: 63 bits, of which the first three are the octant, x before y before z, the
/// next three the octant of that, and so on.
std::uint64_t key_of(double x, double y, double z);

/// Sorts bodies from `begin` on, which have equal keys and are as many as `finer`, by keys within the cell of
/// `key`, and writes these to `finer`.
void sort_within(Tree& tree, std::uint64_t key, std::uint32_t begin, std::span<std::uint64_t> finer);

/// Puts the bodies from `begin` on into the order `from`, which counts from there.
void reorder(Tree& tree, std::size_t begin, std::span<const std::uint32_t> from);

}  // namespace pleiad::tree
