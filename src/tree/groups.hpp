/// Bodies that walk the tree together.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tree/tree.hpp"

#include <cstdint>
#include <vector>

namespace pleiad::tree {

struct Group {
  std::uint32_t begin = 0, end = 0;  ///< bodies
  std::uint32_t cell = 0;            ///< the smallest cell that holds them
};

/// A cell with so few bodies always shows them to groups, with moments of orders below p: that costs no more
/// than its moments, and is exact.
constexpr std::uint32_t few_bodies(int p) {
  return p < 4 ? static_cast<std::uint32_t>(p - 1) : p == 4 ? 5 : p == 5 ? 9 : 15;
}

/// All targets, in their order: the largest cells with at most `size` bodies, and equal pieces of leaves that
/// have more.
std::vector<Group> groups_of(const Tree& tree, std::uint32_t size);

}  // namespace pleiad::tree
