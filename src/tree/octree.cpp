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
  Octants(const Tree& tree, std::span<const std::uint64_t> keys)
      : keys_(keys), before_(masses_before(tree)) {}

  double mass() const { return before_.back(); }
  double side2(const Cell& cell) const { return std::ldexp(4.0, -2 * int(cell.level)); }
  bool divisible(const Cell& cell) const { return cell.level < Tree::deepest; }
  Parts parts(const Cell& cell, const Need&, double pull) const {
    const double own = std::max(pull, (before_[cell.end] - before_[cell.begin]) / side2(cell));
    const unsigned shift = 3 * (Tree::levels_per_key - 1 - cell.level % Tree::levels_per_key);
    Parts parts;
    for (std::uint32_t begin = cell.begin; begin < cell.end;) {
      const auto octant = keys_[begin] >> shift & 7;
      const auto end = std::partition_point(keys_.begin() + begin, keys_.begin() + cell.end,
                                            [=](std::uint64_t key) { return (key >> shift & 7) == octant; }) -
                       keys_.begin();
      parts.add(begin, static_cast<std::uint32_t>(end), own);
      begin = static_cast<std::uint32_t>(end);
    }
    return parts;
  }

 private:
  std::span<const std::uint64_t> keys_;
  std::vector<double> before_;
};

}  // namespace

void divide_into_octants(Tree& tree, std::span<std::uint64_t> keys, std::uint32_t leaf_size) {
  Octants octants(tree, keys);
  Division division(tree, leaf_size, octants);
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
