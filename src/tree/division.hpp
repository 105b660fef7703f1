/// Divides cells level by level, in whatever way a structure divides one of them.
///
/// A cell is divided when it has many bodies, and also when it is wide for where it is: see dense
/// regions.hpp.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/threads.hpp"
#include "tree/tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace pleiad::tree {

/// Consecutive ranges of bodies: where each begins, and the end of the last; none is empty.
struct Parts {
  std::array<std::uint32_t, 9> edges{};
  std::uint32_t count = 0;
  void add(std::uint32_t begin, std::uint32_t end) { edges[count] = begin, edges[++count] = end; }
};

/// Conditions for the division of a cell.
struct Need {
  std::uint32_t leaf_size = 1;
  std::vector<std::uint8_t> levels;  ///< of the bodies along the curve: see levels_near_dense

  /// `side2` is the square of the longest side; `body(k)` the k-th body of the cell, along the curve.
  template <class Body>
  bool operator()(std::uint32_t begin, std::uint32_t end, double side2, const Body& body) const {
    if (end - begin > leaf_size) return true;
    int level = 0;
    for (auto k = begin; k < end; ++k) level = std::max(level, int(levels[body(k)]));
    return level > 0 && side2 >= std::ldexp(4.0, -2 * level);
  }
};

/// Division of cells, level by level. `Cut` defines how a structure divides a cell: `side2(cell)`, the square
/// of its longest side; `divisible(cell)`, whether its bodies can be separated; `parts(cell, need)`, at most
/// eight; `body(k)`, see Need.
template <class Cut>
class Division {
 public:
  Division(Tree& tree, Cut& cut, Need need) : tree_(tree), cut_(cut), need_(std::move(need)) {
    tree.cells.push_back({});
    tree.cells[0].end = static_cast<std::uint32_t>(tree.m.size());
    tree.levels.push_back(0);
  }

  bool to_be_divided(std::uint32_t c) const {
    const Cell& cell = tree_.cells[c];
    if constexpr (requires { cut_.goes_on_elsewhere(cell); })
      if (cut_.goes_on_elsewhere(cell)) return true;
    return cell.bodies() > 1 && cut_.divisible(cell) &&
           need_(cell.begin, cell.end, cut_.side2(cell), [this](std::uint32_t k) { return cut_.body(k); });
  }

  /// The cells of the last level; false when none of them is to be divided.
  bool divide_level() {
    auto& cells = tree_.cells;
    const std::uint32_t first = tree_.levels.back(), last = static_cast<std::uint32_t>(cells.size());
    parts_.assign(last - first, {});
    for_cells(first, last, [&](std::uint32_t c) {
      if (to_be_divided(c)) parts_[c - first] = cut_.parts(cells[c], need_);
    });
    std::uint32_t next = last;
    for (std::uint32_t c = first; c < last; ++c) {
      cells[c].first_child = next, cells[c].children = parts_[c - first].count;
      next += cells[c].children;
    }
    if (next == last) return false;
    tree_.levels.push_back(last);
    cells.resize(next);
    for_cells(first, last, [&](std::uint32_t c) {
      const Parts& parts = parts_[c - first];
      for (std::uint32_t k = 0; k < parts.count; ++k) {
        cells[cells[c].first_child + k] = {.begin = parts.edges[k],
                                           .end = parts.edges[k + 1],
                                           .first_child = 0,
                                           .children = 0,
                                           .parent = c,
                                           .level = cells[c].level + 1};
      }
    });
    return true;
  }

 private:
  template <class Work>
  static void for_cells(std::uint32_t first, std::uint32_t last, const Work& work) {
    constexpr std::uint32_t piece = 64;
    parallel_for((last - first + piece - 1) / piece, [&](std::size_t b) {
      const auto begin = first + std::uint32_t(b) * piece;
      for (auto c = begin; c < std::min(last, begin + piece); ++c) work(c);
    });
  }

  Tree& tree_;
  Cut& cut_;
  Need need_;
  std::vector<Parts> parts_;  ///< of the cells of the last level
};

/// Cuts cells by halving them three times, so that vectors of children are as full as an octree's; a part
/// that needs no more stays undivided. `Halving` works on ranges of bodies: `side2` and `divisible`, as
/// above; `halve`, which returns the begin of the second half; and `body`.
template <class Halving>
struct InHalves {
  static constexpr int times = 3;
  Halving& halving;

  double side2(const Cell& cell) const { return halving.side2(cell.begin, cell.end); }
  bool divisible(const Cell& cell) const { return halving.divisible(cell.begin, cell.end); }
  std::uint32_t body(std::uint32_t k) const { return halving.body(k); }
  Parts parts(const Cell& cell, const Need& need) {
    Parts parts;
    add(cell.begin, cell.end, times, need, parts);
    return parts;
  }

 private:
  void add(std::uint32_t begin, std::uint32_t end, int left, const Need& need, Parts& parts) {
    if (left == 0 || end - begin < 2 || !halving.divisible(begin, end) ||
        !need(begin, end, halving.side2(begin, end), [this](std::uint32_t k) { return body(k); })) {
      parts.add(begin, end);
      return;
    }
    const auto middle = halving.halve(begin, end);
    add(begin, middle, left - 1, need, parts);
    add(middle, end, left - 1, need, parts);
  }
};

/// Divides cells until none needs it.
template <class Halving>
void divide_in_halves(Tree& tree, Halving& halving, Need need) {
  InHalves<Halving> cut{halving};
  Division division(tree, cut, std::move(need));
  while (division.divide_level()) {
  }
}

}  // namespace pleiad::tree
