/// Divides a tree's bodies into groups.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "tree/groups.hpp"

namespace pleiad::tree {
namespace {

void divide(const Tree& tree, std::uint32_t c, std::uint32_t size, std::vector<Group>& groups) {
  const Cell& cell = tree.cells[c];
  if (tree.foreign(c)) return;
  if (tree.bodies_of(c) > size && !cell.leaf()) {
    for (std::uint32_t k = 0; k < cell.children; ++k) divide(tree, cell.first_child + k, size, groups);
    return;
  }
  const std::uint64_t n = cell.bodies(), pieces = (n + size - 1) / size;
  const auto edge = [&](std::uint64_t piece) { return cell.begin + std::uint32_t(n * piece / pieces); };
  for (std::uint64_t k = 0; k < pieces; ++k) groups.push_back({edge(k), edge(k + 1), c});
}

}  // namespace

std::vector<Group> groups_of(const Tree& tree, std::uint32_t size) {
  std::vector<Group> groups;
  if (!tree.cells.empty()) divide(tree, 0, size, groups);
  return groups;
}

}  // namespace pleiad::tree
