/// Divides cells level by level, in whatever way a structure divides one of them.
///
/// A cell is divided when it has many bodies, and also when it is large for where it is: a few bodies in a
/// wide cell beside something heavy are no leaf that a field could be expanded in, whatever the order and
/// however small the cells that pull on it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/threads.hpp"
#include "tree/tree.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace pleiad::tree {

/// Consecutive ranges of bodies: where each begins, and the end of the last; none is empty. With the
/// strongest pull of what they are parts of.
struct Parts {
  std::array<std::uint32_t, 9> edges{};
  std::array<double, 8> pulls{};
  std::uint32_t count = 0;
  void add(std::uint32_t begin, std::uint32_t end, double pull) {
    edges[count] = begin, pulls[count] = pull, edges[++count] = end;
  }
};

/// Which cells are divided.
struct Need {
  std::uint32_t leaf = 1;
  double mass = 0;  ///< of all bodies

  /// `pull` is that of the heaviest ancestor, at its own size.
  bool operator()(std::uint32_t bodies, double side2, double pull) const {
    // The side of a leaf, at most, over the distance at which all mass together would pull as much.
    constexpr double widest = 0.25;
    return bodies > leaf || side2 * pull > widest * widest * mass;
  }
};

/// `Cut` is how a structure divides a cell: `side2(cell)`, the square of its longest side; `divisible(cell)`,
/// whether its bodies can be told apart; `parts(cell, need, pull)`, at most eight; `mass()`, of all bodies.
template <class Cut>
class Division {
 public:
  Division(Tree& tree, std::uint32_t leaf_size, Cut& cut) : tree_(tree), cut_(cut) {
    tree.cells.push_back({});
    tree.cells[0].end = static_cast<std::uint32_t>(tree.m.size());
    tree.levels.push_back(0);
    pull_.push_back(0);
    need_ = {.leaf = leaf_size, .mass = cut.mass()};
  }

  bool to_be_divided(std::uint32_t c) const {
    const Cell& cell = tree_.cells[c];
    return cell.bodies() > 1 && cut_.divisible(cell) && need_(cell.bodies(), cut_.side2(cell), pull_[c]);
  }

  /// The cells of the last level; false when none of them is to be divided.
  bool divide_level() {
    auto& cells = tree_.cells;
    const std::uint32_t first = tree_.levels.back(), last = static_cast<std::uint32_t>(cells.size());
    parts_.assign(last - first, {});
    for_cells(first, last, [&](std::uint32_t c) {
      if (to_be_divided(c)) parts_[c - first] = cut_.parts(cells[c], need_, pull_[c]);
    });
    std::uint32_t next = last;
    for (std::uint32_t c = first; c < last; ++c) {
      cells[c].first_child = next, cells[c].children = parts_[c - first].count;
      next += cells[c].children;
    }
    if (next == last) return false;
    tree_.levels.push_back(last);
    cells.resize(next), pull_.resize(next);
    for_cells(first, last, [&](std::uint32_t c) {
      const Parts& parts = parts_[c - first];
      for (std::uint32_t k = 0; k < parts.count; ++k) {
        const std::uint32_t child = cells[c].first_child + k;
        pull_[child] = parts.pulls[k];
        cells[child] = {.begin = parts.edges[k],
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
  std::vector<double> pull_;  ///< see Need
  std::vector<Parts> parts_;  ///< of the cells of the last level
};

/// Cuts cells by halving them three times, so that vectors of children are as full as an octree's; a part
/// that needs no more stays whole. `Halving` knows ranges of bodies: `side2` and `divisible`, as above;
/// `pull`, of the mass that is there, at its size; `halve`, which says where the second half begins.
template <class Halving>
struct InHalves {
  static constexpr int times = 3;
  Halving& halving;

  double mass() const { return halving.mass(); }
  double side2(const Cell& cell) const { return halving.side2(cell.begin, cell.end); }
  bool divisible(const Cell& cell) const { return halving.divisible(cell.begin, cell.end); }
  Parts parts(const Cell& cell, const Need& need, double pull) {
    Parts parts;
    add(cell.begin, cell.end, times, need, pull, parts);
    return parts;
  }

 private:
  void add(std::uint32_t begin, std::uint32_t end, int left, const Need& need, double pull, Parts& parts) {
    if (left == 0 || end - begin < 2 || !halving.divisible(begin, end) ||
        !need(end - begin, halving.side2(begin, end), pull)) {
      parts.add(begin, end, pull);
      return;
    }
    const double own = std::max(pull, halving.pull(begin, end));
    const auto middle = halving.halve(begin, end);
    add(begin, middle, left - 1, need, own, parts);
    add(middle, end, left - 1, need, own, parts);
  }
};

/// Until nothing is to be divided.
template <class Halving>
void divide_in_halves(Tree& tree, std::uint32_t leaf_size, Halving& halving) {
  InHalves<Halving> cut{halving};
  Division division(tree, leaf_size, cut);
  while (division.divide_level()) {
  }
}

}  // namespace pleiad::tree
