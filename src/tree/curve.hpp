/// Keys along a space-filling curve: Morton's, which interleaves the bits of the coordinates.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tree/tree.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::tree {

/// Of a place in the root: 63 bits, of which the first three say in which octant it lies, x before y before
/// z, the next three in which octant of that, and so on.
std::uint64_t key_of(double x, double y, double z);

/// The bodies from `begin` on have one key all, and there are as many as `finer`: sorts them by keys within
/// the cell of that one, and says these.
void sort_within(Tree& tree, std::uint64_t key, std::uint32_t begin, std::span<std::uint64_t> finer);

/// Puts the bodies from `begin` on into the order `from`, which counts from there.
void reorder(Tree& tree, std::size_t begin, std::span<const std::uint32_t> from);

}  // namespace pleiad::tree
