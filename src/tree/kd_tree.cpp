/// The balanced kd-tree: a cell is halved at the median body of the longest side of its box, so that a tree
/// of N bodies is log2(N / leaf) halvings deep, wherever they are.
///
/// Bodies are sorted once along each axis; a halving keeps these three orders, so that every box and every
/// median of every cell can be read from them (R. A. Brown, "Building a balanced k-d tree in O(kn log n)
/// time", Journal of Computer Graphics Techniques 4:1, 2015). Nothing is ever selected or compared again, and
/// even the root is halved by all threads.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "tree/curve.hpp"
#include "tree/division.hpp"
#include "tree/sort.hpp"
#include "tree/structures.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace pleiad::tree {
namespace {

constexpr std::size_t block = 32768;  ///< bodies per piece of parallel work

/// 63 bits in the order of numbers of [-1, 1].
std::uint64_t key_along_axis(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);  // one zero
  constexpr std::uint64_t zero = std::uint64_t(1) << 62;    // above the bit pattern of 1
  return bits >> 63 ? zero - (bits & (~std::uint64_t(0) >> 1)) : zero + bits;
}

class Medians {
 public:
  explicit Medians(const Tree& tree)
      : at_{&tree.x, &tree.y, &tree.z}, first_(tree.x.size()), spare_(first_.size()) {
    std::vector<std::uint64_t> keys(first_.size());
    for (std::size_t axis = 0; axis < 3; ++axis) {
      sorted_[axis].resize(keys.size());
      std::iota(sorted_[axis].begin(), sorted_[axis].end(), 0U);
      for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = key_along_axis((*at_[axis])[i]);
      sort_by_key(keys, sorted_[axis]);
    }
  }

  double side2(std::uint32_t begin, std::uint32_t end) const {
    return squared(extent(longest(begin, end), begin, end));
  }
  std::uint32_t body(std::uint32_t k) const { return sorted_[0][k]; }
  /// Bodies closer together than this share a leaf, in any number: no field could be expanded between its
  /// parts.
  bool divisible(std::uint32_t begin, std::uint32_t end) const {
    return extent(longest(begin, end), begin, end) > Tree::resolution;
  }
  std::uint32_t halve(std::uint32_t begin, std::uint32_t end) {
    const auto axis = longest(begin, end);
    const std::uint32_t middle = begin + (end - begin) / 2;
    for_each_index(end - begin,
                   [&](std::size_t k) { first_[sorted_[axis][begin + k]] = begin + k < middle; });
    for (std::size_t other = 0; other < 3; ++other)
      if (other != axis) separate(sorted_[other], begin, end);
    return middle;
  }
  /// The bodies of a leaf, consecutively.
  std::span<const std::uint32_t> order_of(const Cell& leaf) const {
    return std::span(sorted_[longest(leaf.begin, leaf.end)]).subspan(leaf.begin, leaf.bodies());
  }

 private:
  static double squared(double x) { return x * x; }
  double at(std::size_t axis, std::uint32_t k) const { return (*at_[axis])[sorted_[axis][k]]; }
  double extent(std::size_t axis, std::uint32_t begin, std::uint32_t end) const {
    return at(axis, end - 1) - at(axis, begin);
  }
  std::size_t longest(std::uint32_t begin, std::uint32_t end) const {
    std::size_t longest = 0;
    for (std::size_t axis = 1; axis < 3; ++axis)
      if (extent(axis, begin, end) > extent(longest, begin, end)) longest = axis;
    return longest;
  }

  /// Moves those of the first half before those of the second, both in their present order.
  void separate(std::vector<std::uint32_t>& order, std::size_t begin, std::size_t end) {
    const std::size_t blocks = (end - begin + block - 1) / block;
    std::vector<std::size_t> before(blocks + 1, begin);  // the place of a block's first one of the first half
    parallel_for(blocks, [&](std::size_t b) {
      for (auto k = begin + b * block; k < std::min(end, begin + (b + 1) * block); ++k)
        before[b + 1] += first_[order[k]];
    });
    for (std::size_t b = 0; b < blocks; ++b) before[b + 1] += before[b] - begin;
    parallel_for(blocks, [&](std::size_t b) {
      auto one = before[b], two = before[blocks] + (begin + b * block - before[b]);
      for (auto k = begin + b * block; k < std::min(end, begin + (b + 1) * block); ++k)
        spare_[first_[order[k]] ? one++ : two++] = order[k];
    });
    for_each_index(end - begin, [&](std::size_t k) { order[begin + k] = spare_[begin + k]; });
  }

  std::array<const std::vector<double>*, 3> at_;
  std::array<std::vector<std::uint32_t>, 3> sorted_;  ///< along each axis, within cells
  std::vector<std::uint8_t> first_;                   ///< of a body: whether it is in the first half
  std::vector<std::uint32_t> spare_;
};

}  // namespace

void divide_at_medians(Tree& tree, Need need) {
  Medians medians(tree);
  divide_in_halves(tree, medians, std::move(need));
  std::vector<std::uint32_t> order(tree.m.size());
  for (const Cell& cell : tree.cells)
    if (cell.leaf()) std::ranges::copy(medians.order_of(cell), order.begin() + cell.begin);
  reorder(tree, 0, order);
}

}  // namespace pleiad::tree
