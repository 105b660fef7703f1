/// What every tree promises, whatever its structure.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tree/tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad::tree_test {

inline tree::Tree built(std::span<const Mass<double>> bodies, std::uint32_t leaf,
                        Structure structure = Structure::octree) {
  tree::Tree tree;
  tree::build(tree, bodies, leaf, structure);
  return tree;
}

/// Along each axis.
inline Vec3<double> extent_of(const tree::Tree& tree, const tree::Cell& cell) {
  const auto along = [&](const std::vector<double>& x) {
    const auto [low, high] = std::minmax_element(x.begin() + cell.begin, x.begin() + cell.end);
    return *high - *low;
  };
  return {along(tree.x), along(tree.y), along(tree.z)};
}
inline double longest(const Vec3<double>& v) { return std::max({v.x, v.y, v.z}); }

/// The bodies are the caller's, in the tree's units, each once.
inline void expect_the_bodies(const tree::Tree& tree, std::span<const Mass<double>> bodies) {
  ASSERT_EQ(tree.order.size(), bodies.size());
  auto order = tree.order;
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], i) << "a body is lost or doubled";
  EXPECT_EQ(std::ilogb(tree.length), std::log2(tree.length)) << "not a power of two";
  double mass = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto& b = bodies[tree.order[i]];
    ASSERT_EQ(tree.x[i], (b.x - tree.centre.x) / tree.length);
    ASSERT_EQ(tree.y[i], (b.y - tree.centre.y) / tree.length);
    ASSERT_EQ(tree.z[i], (b.z - tree.centre.z) / tree.length);
    ASSERT_EQ(tree.m[i], b.m / tree.mass);
    ASSERT_LE(std::max({std::abs(tree.x[i]), std::abs(tree.y[i]), std::abs(tree.z[i])}), 1.0);
    mass += tree.m[i];
  }
  EXPECT_LE(mass, 1 + 1e-9);
}

/// Breadth first: children follow each other in the order of their parents; levels begin where they say.
inline void expect_breadth_first(const tree::Tree& tree, std::uint32_t leaf) {
  // Closer than this to each other, bodies need not be told apart: the deepest cell of an octree.
  const double closest = std::ldexp(2.0, -int(tree::Tree::deepest));
  ASSERT_FALSE(tree.cells.empty());
  ASSERT_EQ(tree.levels.front(), 0u);
  ASSERT_EQ(tree.levels.back(), tree.cells.size());
  ASSERT_LE(tree.levels.size() - 2, tree::Tree::deepest);
  for (std::uint32_t level = 0; level + 1 < tree.levels.size(); ++level) {
    ASSERT_LT(tree.levels[level], tree.levels[level + 1]);
    for (auto c = tree.levels[level]; c < tree.levels[level + 1]; ++c) ASSERT_EQ(tree.cells[c].level, level);
  }
  std::uint32_t next = 1;
  for (std::uint32_t c = 0; c < tree.cells.size(); ++c) {
    const tree::Cell& cell = tree.cells[c];
    ASSERT_LT(cell.begin, cell.end) << "cell " << c << " is empty";
    if (cell.leaf()) {
      ASSERT_TRUE(cell.bodies() <= leaf || longest(extent_of(tree, cell)) <= closest)
          << cell.bodies() << " bodies in a leaf of level " << cell.level;
      continue;
    }
    ASSERT_GT(cell.bodies(), 1u) << "divided without need";
    ASSERT_LE(cell.children, 8u);
    ASSERT_TRUE(cell.children >= 2 || tree.structure == Structure::octree) << "a chain";
    ASSERT_EQ(cell.first_child, next);
    next += cell.children;
    auto at = cell.begin;
    for (auto k = cell.first_child; k < next; ++k) {
      ASSERT_EQ(tree.cells[k].parent, c);
      ASSERT_EQ(tree.cells[k].begin, at) << "children leave out or share bodies";
      at = tree.cells[k].end;
    }
    ASSERT_EQ(at, cell.end);
  }
  ASSERT_EQ(next, tree.cells.size());
}

inline std::uint32_t largest_leaf(const tree::Tree& tree) {
  std::uint32_t n = 0;
  for (const auto& c : tree.cells)
    if (c.leaf()) n = std::max(n, c.bodies());
  return n;
}
inline std::size_t depth(const tree::Tree& tree) { return tree.levels.size() - 2; }

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}
inline bool same_places(const tree::Tree& a, const tree::Tree& b) {
  return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z) && same(a.m, b.m) && same(a.cells, b.cells) &&
         same(a.levels, b.levels);
}
/// All but units.
inline bool same_tree(const tree::Tree& a, const tree::Tree& b) {
  return same(a.order, b.order) && same_places(a, b);
}

}  // namespace pleiad::tree_test
