/// The octree: a cell is a cube, divided into eight at its middle; children without bodies are left out.
/// Bodies lie along Morton's curve, so that a cell's are those whose keys begin alike.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "tree/curve.hpp"
#include "tree/division.hpp"
#include "tree/structures.hpp"

#include <algorithm>
#include <cmath>

namespace pleiad::tree {
namespace {

class Octants {
 public:
  Octants(std::span<const std::uint64_t> keys, const KeyRange& own) : keys_(keys), own_(own) {}

  static double side2(const Cell& cell) { return std::ldexp(4.0, -2 * int(cell.level)); }
  static bool divisible(const Cell& cell) { return cell.level < Tree::deepest; }
  bool goes_on_elsewhere(const Cell& cell) const { return own_.cuts(keys_[cell.begin], int(cell.level)); }
  static std::uint32_t body(std::uint32_t k) { return k; }
  Parts parts(const Cell& cell, const Need&) const {
    const unsigned shift = 3 * (Tree::levels_per_key - 1 - cell.level % Tree::levels_per_key);
    Parts parts;
    for (std::uint32_t begin = cell.begin; begin < cell.end;) {
      const auto octant = keys_[begin] >> shift & 7;
      const auto end = std::partition_point(keys_.begin() + begin, keys_.begin() + cell.end,
                                            [=](std::uint64_t key) { return (key >> shift & 7) == octant; }) -
                       keys_.begin();
      parts.add(begin, static_cast<std::uint32_t>(end));
      begin = static_cast<std::uint32_t>(end);
    }
    return parts;
  }

 private:
  std::span<const std::uint64_t> keys_;
  KeyRange own_;
};

}  // namespace

void divide_into_octants(Tree& tree, std::span<std::uint64_t> keys, Need need, const KeyRange& own) {
  Octants octants(keys, own);
  Division division(tree, octants, std::move(need));
  for (unsigned level = 0;; ++level) {
    // Here the keys end, and finer ones take over.
    if (level == Tree::levels_per_key)
      for (auto c = tree.levels.back(); c < tree.cells.size(); ++c)
        if (const Cell& cell = tree.cells[c]; division.to_be_divided(c))
          sort_within(tree, keys[cell.begin], cell.begin, keys.subspan(cell.begin, cell.bodies()));
    if (!division.divide_level()) return;
  }
}

}  // namespace pleiad::tree
